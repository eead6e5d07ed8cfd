package inboxtest

import (
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// letters lists all dead entries, of which there must be some. It reports whether the inbox supports that.
func (p *probe) letters() ([]webhook.DeadLetter, bool) {
	p.Helper()
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return nil, false
	}
	letters, err := d.Dead(p.Context(), "", 100)
	if err != nil || len(letters) == 0 {
		p.Fatalf("Dead: %d entries, %v", len(letters), err)
	}
	return letters, true
}

// replay makes a dead entry pending, if the inbox supports that.
func (p *probe) replay(key string) {
	p.Helper()
	if d, ok := p.inbox.(webhook.DeadLetters); ok {
		if n, err := d.Replay(p.Context(), key); n != 1 || err != nil {
			p.Errorf("Replay of %q: %d, %v; want 1", key, n, err)
		}
	}
}

// bury makes n dead signals and a live one.
func (p *probe) bury(n int) []string {
	p.Helper()
	var dead []string
	for _, e := range many(n, signal) {
		e.Unhandled = "no handler"
		p.accept(e, webhook.OutcomeShelved)
		dead = append(dead, e.Key)
	}
	p.accept(signal("alive"), webhook.OutcomeStored)
	return dead
}

func deadList(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	if letters, err := d.Dead(p.Context(), "", 10); err != nil || len(letters) != 0 {
		p.Errorf("an empty inbox has dead entries: %v, %v", letters, err)
	}
	want := p.bury(7)
	p.accept(in("lane", signal("0003 and a half")), webhook.OutcomeStored)
	var got []string
	for after := ""; ; {
		letters, err := d.Dead(p.Context(), after, 3)
		if err != nil || len(letters) > 3 {
			p.Fatalf("Dead(%q, 3): %d entries, %v", after, len(letters), err)
		}
		if len(letters) == 0 {
			break
		}
		for _, l := range letters {
			got = append(got, l.Key)
			if l.Unhandled != "no handler" || l.Attempts != 0 || l.Count != 1 || len(l.Body) == 0 {
				p.Errorf("%q: unhandled %q, attempts %d, count %d, body %q", l.Key, l.Unhandled, l.Attempts, l.Count, l.Body)
			}
			if l.DiedAt.IsZero() || l.FirstSeen.IsZero() || l.LastSeen.IsZero() {
				p.Errorf("%q: first seen %v, last seen %v, died %v", l.Key, l.FirstSeen, l.LastSeen, l.DiedAt)
			}
		}
		after = got[len(got)-1]
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.Errorf("listed %q, want %q", got, want)
	}
}

func deadReplay(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	p.accept(signal("alive"), webhook.OutcomeStored)
	alive := p.take("signal alive", held)
	e := fact("a")
	p.accept(e, webhook.OutcomeStored)
	p.fail(p.take(e.Key, held), webhook.Failed{})
	p.fail(p.take(e.Key, held), webhook.Failed{Dead: true})
	pass(2 * brief)
	replayed := time.Now()
	n, err := d.Replay(p.Context(), "no such key", e.Key, alive.Key)
	if n != 1 || err != nil {
		p.Errorf("Replay: %d, %v; want 1", n, err)
	}
	p.counted(webhook.Stats{Pending: 2, Due: 1, Leased: 1})
	if n, err := d.Replay(p.Context(), e.Key); n != 0 || err != nil {
		p.Errorf("Replay of a pending entry: %d, %v; want 0", n, err)
	}
	l := p.take(e.Key, held)
	p.same(l.Entry, e)
	if l.Attempt != 1 || l.Age > time.Since(replayed)+grain {
		p.Errorf("attempt %d, age %v, want the values of an entry that just became pending", l.Attempt, l.Age)
	}
	p.commit(l, false)
	p.commit(alive, false)
	p.accept(e, webhook.OutcomeKnown)

	shelved := p.bury(3) // there is a handler now
	settling := signal("settling")
	settling.Settle, settling.Unhandled = never, "no handler"
	p.accept(settling, webhook.OutcomeShelved)
	shelved = append(shelved, settling.Key)
	if n, err := d.Replay(p.Context(), shelved...); n != 4 || err != nil {
		p.Errorf("Replay: %d, %v; want 4", n, err)
	}
	for _, l := range p.takeAll(5, held) {
		if l.Unhandled != "" {
			p.Errorf("%q: unhandled %q, want a handler to have it", l.Key, l.Unhandled)
		}
		p.commit(l, false)
	}
	p.counted(webhook.Stats{Done: 1})
}

func deadPurge(p *probe) {
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	dead := p.bury(3)
	n, err := d.Purge(p.Context(), dead[0], "no such key", dead[2], "signal alive")
	if n != 2 || err != nil {
		p.Errorf("Purge: %d, %v; want 2", n, err)
	}
	p.counted(webhook.Stats{Pending: 1, Due: 1, Dead: 1})
	p.accept(signal("0000"), webhook.OutcomeStored)
	p.accept(signal("0001"), webhook.OutcomeRevived)
	p.accept(signal("alive"), webhook.OutcomeJoined)
}

// deadLimit makes more entries dead than an inbox keeps. Entries that no handler can have go first, and the oldest of
// them; privacy requests stay. An engine may delete them a moment later.
func deadLimit(p *probe) {
	const limit = 50
	p = p.through(p.engine.Limited(p.T, limit/10))
	if _, ok := p.inbox.(webhook.DeadLetters); !ok {
		return
	}
	fails := func(n int) {
		for _, e := range many(n, fact) {
			e.Key += fmt.Sprint(" of ", n)
			p.accept(e, webhook.OutcomeStored)
			p.fail(p.take(e.Key, held), webhook.Failed{Dead: true})
		}
	}
	shelve := func(n int, protected bool) {
		for _, e := range many(n, signal) {
			e.Key += fmt.Sprint(" of ", n)
			e.Unhandled, e.Protected = "no handler", protected
			p.accept(e, webhook.OutcomeShelved)
		}
	}
	count := func(want map[string]int) {
		p.Helper()
		got := make(map[string]int)
		p.until(fmt.Sprintf("%d dead entries are left", limit), func() bool {
			letters, n := p.deadOf(limit*10), 0
			clear(got)
			for _, l := range letters {
				group := fmt.Sprint(l.Unhandled, " ", l.Protected)
				if got[group]++; !l.Protected {
					n++
				}
			}
			return n <= limit
		})
		for group, least := range want {
			if got[group] < least {
				p.Errorf("%d dead of group %q, want %d at least: %v", got[group], group, least, got)
			}
		}
		if s, err := p.inbox.Stats(p.Context()); err != nil || s.Trimmed == 0 {
			p.Errorf("%+v, %v; want the deleted ones in Trimmed", s, err)
		}
	}
	shelve(10, true)
	fails(30)
	shelve(3*limit, false)
	const handled, unhandled, protected = " false", "no handler false", "no handler true"
	count(map[string]int{handled: 30, unhandled: limit - 30 - limit/5, protected: 10})
	oldest := "signal 0000 of 150"
	for _, l := range p.deadOf(limit * 10) {
		if l.Key == oldest {
			p.Errorf("%q is left, though newer ones were deleted", oldest)
		}
	}
	fails(2 * limit)
	count(map[string]int{handled: limit - limit/5, protected: 10})
	for _, l := range p.deadOf(limit * 10) {
		if !l.Protected && l.Unhandled != "" {
			p.Errorf("%q is left, though entries whose handler failed were deleted", l.Key)
		}
	}
}

func (p *probe) deadOf(limit int) []webhook.DeadLetter {
	p.Helper()
	letters, err := p.inbox.(webhook.DeadLetters).Dead(p.Context(), "", limit)
	if err != nil {
		p.Fatal(err)
	}
	return letters
}
