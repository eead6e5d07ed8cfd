package inboxtest

import (
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func failRests(p *probe) {
	e := fact("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	start := time.Now()
	p.fail(l, webhook.Failed{Delay: 2 * brief, Cause: "try later"})
	l = p.take(e.Key, held)
	if got := time.Since(start); got < 2*brief-grain {
		p.Errorf("leased after %v, want %v or later", got, 2*brief)
	}
	if l.Attempt != 2 || l.Gen != 1 {
		p.Errorf("attempt %d, generation %d, want 2 and 1", l.Attempt, l.Gen)
	}
	p.fail(l, webhook.Failed{Delay: never})
	p.nothing("it rests")
	p.accept(e, webhook.OutcomeJoined)
	p.nothing("another arrival of a fact needs no run")
	p.counted(webhook.Stats{Pending: 1})
}

// failSecond makes many arrivals after failures. They make the signals due again, but not before a second has passed.
func failSecond(p *probe) {
	rests, dead := signal("rests"), signal("dead")
	p.acceptAll([]webhook.Entry{rests, dead}, webhook.OutcomeStored, webhook.OutcomeStored)
	leases := p.takeAll(2, held)
	start := time.Now()
	for _, l := range leases {
		p.fail(l, webhook.Failed{Delay: never, Dead: l.Key == dead.Key})
	}
	p.acceptAll([]webhook.Entry{rests, dead, rests, dead}, webhook.OutcomeJoined, webhook.OutcomeRevived, webhook.OutcomeJoined, webhook.OutcomeJoined)
	for range leases {
		got := p.takeAll(1, held)[0]
		if passed := time.Since(start); passed < webhook.ShortestBackoff-grain {
			p.Errorf("%q: leased %v after it failed, want a second or later", got.Key, passed)
		}
		p.commit(got, false)
	}
	p.counted(webhook.Stats{})
}

func failDead(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	p.fail(p.take(e.Key, held), webhook.Failed{})
	p.fail(p.take(e.Key, held), webhook.Failed{Dead: true, Cause: "gave up"})
	p.nothing("it is dead")
	p.counted(webhook.Stats{Dead: 1})
	if letters, ok := p.letters(); ok {
		l := letters[0]
		p.same(l.Entry, e)
		if l.Cause != "gave up" || l.Attempts != 2 || l.Count != 1 {
			p.Errorf("cause %q, attempts %d, count %d, want %q, 2 and 1", l.Cause, l.Attempts, l.Count, "gave up")
		}
		if l.DiedAt.Before(l.LastSeen) || l.FirstSeen.IsZero() {
			p.Errorf("first seen %v, last seen %v, died %v", l.FirstSeen, l.LastSeen, l.DiedAt)
		}
	}
}

// failDeadWithNews makes a worker dead-letter a signal that arrived again during its run. A fact is the same occurrence
// however often it arrives.
func failDeadWithNews(p *probe) {
	s, f := signal("s"), fact("f")
	p.accept(s, webhook.OutcomeStored)
	p.fail(p.take(s.Key, held), webhook.Failed{})
	l := p.take(s.Key, held)
	p.accept(f, webhook.OutcomeStored)
	g := p.take(f.Key, held)
	s.Body = []byte("newer")
	p.acceptAll([]webhook.Entry{s, f}, webhook.OutcomeJoined, webhook.OutcomeJoined)
	start := time.Now()
	p.fail(l, webhook.Failed{Dead: true, Cause: "gave up"})
	p.fail(g, webhook.Failed{Dead: true, Cause: "gave up"})
	if got := p.stats(); got.Pending != 1 || got.Leased != 0 || got.Dead != 1 { // whether it has rested, the machine decides
		p.Errorf("stats %+v, want 1 pending, 0 leased and 1 dead", got)
	}
	p.accept(f, webhook.OutcomeKnown)
	l = p.take(s.Key, held)
	if passed := time.Since(start); passed < webhook.ShortestBackoff-grain {
		p.Errorf("leased %v after it failed, want a second or later", passed)
	}
	p.same(l.Entry, s)
	if l.Attempt != 1 || l.Count != 2 {
		p.Errorf("attempt %d, count %d, want 1 and 2", l.Attempt, l.Count)
	}
	p.commit(l, false)
	p.counted(webhook.Stats{Dead: 1})
}

func failReleased(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	var last uint64
	for range 3 {
		l := p.take(e.Key, held)
		if l.Attempt != 1 || l.Token <= last {
			p.Errorf("attempt %d, token %d, want 1 and more than %d", l.Attempt, l.Token, last)
		}
		last = l.Token
		p.fail(l, webhook.Failed{Released: true})
	}
	p.accept(e, webhook.OutcomeJoined)
	p.counted(webhook.Stats{Pending: 1, Due: 1}) // it did not fail, so it need not rest
	l := p.take(e.Key, held)
	p.fail(l, webhook.Failed{Delay: 0})
	l = p.take(e.Key, held)
	if l.Attempt != 2 {
		p.Errorf("attempt %d, want 2: one lease was not released", l.Attempt)
	}
	p.commit(l, false)
}

func failReleasedLater(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	start := time.Now()
	p.fail(p.take(e.Key, held), webhook.Failed{Released: true, Delay: 2 * brief})
	l := p.take(e.Key, held)
	if got := time.Since(start); got < 2*brief-grain || l.Attempt != 1 {
		p.Errorf("leased after %v, attempt %d; want %v or later, and 1", got, l.Attempt, 2*brief)
	}
	p.fail(l, webhook.Failed{Released: true, Delay: never})
	p.nothing("it rests")
	p.accept(e, webhook.OutcomeJoined) // it did not fail, so an arrival makes it due
	p.commit(p.take(e.Key, held), false)
}
