package inboxtest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func commitAgain(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	for range 2 {
		p.fail(p.take(e.Key, held), webhook.Failed{})
	}
	l := p.take(e.Key, held)
	if l.Attempt != 3 {
		p.Errorf("attempt %d, want 3", l.Attempt)
	}
	pass(2 * brief)
	p.accept(e, webhook.OutcomeJoined)
	before := time.Now()
	p.commit(l, true)
	l = p.take(e.Key, held)
	if l.Attempt != 1 {
		p.Errorf("attempt %d after a commit, want 1", l.Attempt)
	}
	if l.Age > time.Since(before)+grain {
		p.Errorf("age %v, want the time since the commit", l.Age)
	}
	p.commit(l, false)
	p.counted(webhook.Stats{})
}

func commitCount(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	p.accept(e, webhook.OutcomeJoined)
	first := p.take(e.Key, held)
	pass(2 * pollin)
	p.accept(e, webhook.OutcomeJoined)
	pass(2 * pollin)
	p.accept(e, webhook.OutcomeJoined)
	p.accept(e, webhook.OutcomeJoined)
	p.commit(first, true)
	second := p.take(e.Key, held) // several arrivals are one run
	if first.Count != 2 || second.Count != 3 {
		p.Errorf("runs for %d and %d arrivals, want 2 and 3", first.Count, second.Count)
	}
	if !second.FirstSeen.After(first.LastSeen) || !second.FirstSeen.Before(second.LastSeen) {
		p.Errorf("arrivals %v to %v, then %v to %v, want the later ones only",
			first.FirstSeen, first.LastSeen, second.FirstSeen, second.LastSeen)
	}
	p.accept(e, webhook.OutcomeJoined)
	p.fail(second, webhook.Failed{Released: true})
	third := p.take(e.Key, held) // no run has succeeded since
	if third.Count != 4 || !third.FirstSeen.Equal(second.FirstSeen) {
		p.Errorf("a run for %d arrivals since %v, want 4 since %v", third.Count, third.FirstSeen, second.FirstSeen)
	}
	p.commit(third, false)
}

func commitDueNow(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	e.Settle = never
	p.accept(e, webhook.OutcomeJoined)
	p.commit(l, true)
	p.counted(webhook.Stats{Pending: 1, Due: 1})
	l = p.take(e.Key, held)
	other := in(e.Lane, signal("other"))
	p.accept(other, webhook.OutcomeStored)
	pass(2 * pollin)
	p.accept(e, webhook.OutcomeJoined)
	p.commit(l, true)
	p.commit(p.take(other.Key, held), false) // it was due before
	p.commit(p.take(e.Key, held), false)
}

// commitRace makes a thousand arrivals between lease and commit: half of them before the commit, half concurrently. A
// run must follow each.
func commitRace(p *probe) {
	const rounds, n = 10, 100
	stored := slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, n)
	for round := range rounds {
		entries := many(n, func(key string) webhook.Entry { return signal(fmt.Sprint(key, " of ", round)) })
		p.acceptAll(entries, stored...)
		leases := p.takeAll(n, held)
		before, during := leases[:n/2], leases[n/2:]
		var arrivals []webhook.Entry
		for _, l := range before {
			arrivals = append(arrivals, l.Entry)
		}
		p.acceptAll(arrivals, slices.Repeat([]webhook.Outcome{webhook.OutcomeJoined}, len(arrivals))...)

		var work sync.WaitGroup
		for part := range slices.Chunk(before, 10) {
			work.Go(func() {
				for _, l := range part {
					if again, err := p.inbox.Commit(p.Context(), l); !again || err != nil {
						p.Errorf("Commit of %q after an arrival: again %v, %v; want true", l.Key, again, err)
					}
				}
			})
		}
		for part := range slices.Chunk(during, 10) {
			for _, l := range part {
				work.Go(func() {
					got, err := p.inbox.Accept(p.Context(), l.Entry)
					if err != nil || got[0] != webhook.OutcomeStored && got[0] != webhook.OutcomeJoined {
						p.Errorf("Accept of %q: %q, %v", l.Key, got, err)
					}
				})
			}
			work.Go(func() {
				for _, l := range part {
					if _, err := p.inbox.Commit(p.Context(), l); err != nil {
						p.Errorf("Commit of %q: %v", l.Key, err)
					}
				}
			})
		}
		work.Wait()
		p.counted(webhook.Stats{Pending: n, Due: n})
		for part := range slices.Chunk(p.takeAll(n, held), 10) {
			work.Go(func() {
				for _, l := range part {
					if again, err := p.inbox.Commit(p.Context(), l); again || err != nil {
						p.Errorf("Commit of %q: again %v, %v; want false", l.Key, again, err)
					}
				}
			})
		}
		work.Wait()
	}
	p.counted(webhook.Stats{})
}
