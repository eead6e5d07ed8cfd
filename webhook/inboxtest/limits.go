package inboxtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/webhook"
)

// fill adds signals until one is rejected, and returns the accepted ones. They are as many as the limit, or more. An
// engine may notice late that it is full, or that an entry has ended, so it gets a while.
func (p *probe) fill(limit int) []webhook.Entry {
	p.Helper()
	var taken []webhook.Entry
	p.until(fmt.Sprintf("%d pending entries are accepted, and then a new key is rejected", limit), func() bool {
		e := signal(fmt.Sprintf("fill %06d", len(taken)))
		_, err := p.inbox.Accept(p.Context(), e)
		if err == nil {
			taken = append(taken, e)
			return false
		}
		if !errors.Is(err, webhook.ErrFull) {
			p.Fatalf("Accept: %v, want ErrFull", err)
		}
		return len(taken) >= limit
	})
	return taken
}

func full(p *probe) {
	p = p.through(p.engine.Limited(p.T, 5))
	known, dead, late := fact("known"), signal("dead"), signal("late")
	p.finish(known)
	p.kill(dead)
	taken := p.fill(5) // neither done nor dead ones count
	p.accept(taken[0], webhook.OutcomeJoined)
	p.accept(known, webhook.OutcomeKnown)
	p.accept(dead, webhook.OutcomeRevived)
	redact := signal("redact")
	redact.Protected = true
	p.accept(redact, webhook.OutcomeStored)

	pending := p.stats().Pending
	if _, err := p.inbox.Accept(p.Context(), taken[1], signal("new"), taken[2]); !errors.Is(err, webhook.ErrFull) {
		p.Errorf("Accept of a new key between others: %v, want ErrFull", err)
	}
	if got := p.stats().Pending; got != pending {
		p.Errorf("%d entries are pending, want %d: a batch is stored whole or not at all", got, pending)
	}
	if _, err := p.inbox.Accept(p.Context(), late); !errors.Is(err, webhook.ErrFull) {
		p.Errorf("Accept of a new key: %v, want ErrFull", err)
	}
	counts := make(map[string]int)
	for range len(taken) + 1 {
		l := p.takeAll(1, held)[0]
		counts[l.Key] = l.Count
	}
	if counts[taken[0].Key] != 2 || counts[taken[1].Key] != 1 || counts[taken[2].Key] != 1 {
		p.Errorf("counts %v, want 2 of %q and 1 of the others", counts, taken[0].Key)
	}
}

func fullDrained(p *probe) {
	p = p.through(p.engine.Limited(p.T, 3))
	taken := p.fill(3)
	for _, l := range p.takeAll(len(taken), held) {
		p.commit(l, false)
	}
	e := signal("after")
	p.until("a new key is accepted again", func() bool {
		got, err := p.inbox.Accept(p.Context(), e)
		if err != nil && !errors.Is(err, webhook.ErrFull) {
			p.Fatal(err)
		}
		return err == nil && slices.Equal(got, []webhook.Outcome{webhook.OutcomeStored})
	})
	p.commit(p.take(e.Key, held), false)
}

// fullOfOneCall checks that the entries of a call count as if they arrived one after another. Only new keys need room,
// each of them once, and entries that no handler can have need none.
func fullOfOneCall(p *probe) {
	const most = 4
	p = p.through(p.engine.Limited(p.T, most))
	taken := p.fill(most)
	for _, l := range p.takeAll(len(taken)-most+1, held) {
		p.commit(l, false)
	}
	last := taken[len(taken)-1]
	if _, err := p.inbox.Accept(p.Context(), last, signal("one"), signal("two")); !errors.Is(err, webhook.ErrFull) {
		p.Errorf("Accept of two new keys where there is room for one: %v, want ErrFull", err)
	}
	odd := signal("odd")
	odd.Unhandled = "no handler"
	e := signal("after")
	p.until("a call with one new key is accepted", func() bool {
		got, err := p.inbox.Accept(p.Context(), last, odd, e, e)
		if err != nil && !errors.Is(err, webhook.ErrFull) {
			p.Fatal(err)
		}
		if want := []webhook.Outcome{webhook.OutcomeJoined, webhook.OutcomeShelved, webhook.OutcomeStored, webhook.OutcomeJoined}; err == nil && !slices.Equal(got, want) {
			p.Errorf("Accept: %v, want %v", got, want)
		}
		return err == nil
	})
}
