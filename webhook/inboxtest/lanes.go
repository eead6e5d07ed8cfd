package inboxtest

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func laneOneAtATime(p *probe) {
	a, b, c := in("lane", signal("a")), in("lane", fact("b")), in("lane", signal("c"))
	for _, e := range []webhook.Entry{a, b, c} {
		p.accept(e, webhook.OutcomeStored)
		pass(2 * pollin)
	}
	first := p.takeAll(1, held)[0]
	p.nothing("the lane is held")
	p.accept(in("lane", signal("d")), webhook.OutcomeStored)
	p.nothing("the lane is held, for new entries too")
	for _, want := range []string{b.Key, c.Key, "signal d"} {
		p.commit(first, false)
		first = p.take(want, held)
		p.nothing("the lane is held again")
	}
	p.commit(first, false)
}

func laneOrder(p *probe) {
	late := in("one", signal("late"))
	for late.Settle = 16 * pollin; ; late.Settle *= 4 {
		start := time.Now()
		for _, e := range []webhook.Entry{late, in("one", signal("first")), in("two", signal("second")), in("one", signal("third"))} {
			p.accept(e, webhook.OutcomeStored)
			pass(2 * pollin)
		}
		accepted := time.Since(start)
		p.until("all are due", func() bool { return p.stats().Due == 4 })
		if accepted < late.Settle || late.Settle > bound {
			break
		}
		for range 4 { // a slow machine may take longer to accept the others; then try again
			p.commit(p.takeAll(1, held)[0], false)
		}
	}
	var got []string
	var leases []webhook.Lease
	for range 2 {
		leases = append(leases, p.takeAll(1, held)...)
	}
	for _, l := range leases {
		got = append(got, l.Key)
		p.commit(l, false)
	}
	for range 2 {
		l := p.takeAll(1, held)[0]
		got = append(got, l.Key)
		p.commit(l, false)
	}
	if want := []string{"signal first", "signal second", "signal third", late.Key}; !slices.Equal(got, want) {
		p.Errorf("leased in the order %q, want %q", got, want)
	}
}

func lanePoison(p *probe) {
	bad, good := in("lane", signal("bad")), in("lane", signal("good"))
	p.accept(bad, webhook.OutcomeStored)
	pass(2 * pollin)
	p.accept(good, webhook.OutcomeStored)
	p.fail(p.take(bad.Key, held), webhook.Failed{Delay: never})
	p.commit(p.take(good.Key, held), false)
	p.nothing("the other one rests")
	p.counted(webhook.Stats{Pending: 1})
}

// laneExclusive has several workers, at several handles if the engine allows it. Two of them must never hold a lane at
// the same time.
func laneExclusive(p *probe) {
	const lanes, each, workers = 12, 8, 6
	handles := []*probe{p}
	if p.engine.Share != nil {
		handles = append(handles, p.through(p.engine.Share(p.T, p.inbox)))
	}
	entries := many(lanes*each, signal)
	outcomes := make([]webhook.Outcome, len(entries))
	lane := make(map[string]string) // by key
	for i := range entries {
		entries[i].Lane = "lane " + string(rune('a'+i%lanes))
		lane[entries[i].Key] = entries[i].Lane
		outcomes[i] = webhook.OutcomeStored
	}
	p.acceptAll(entries, outcomes...)

	var inside sync.Map // lane -> key
	var left atomic.Int64
	left.Store(lanes * each)
	deadline := time.Now().Add(3 * bound)
	var work sync.WaitGroup
	for n := range workers {
		q := handles[n%len(handles)]
		work.Go(func() {
			for left.Load() > 0 {
				leases, err := q.inbox.Lease(q.Context(), webhook.LeaseQuery{Limit: 1 + n%3, Term: held})
				if err != nil || time.Now().After(deadline) {
					q.Errorf("%d entries are left: %v", left.Load(), err)
					return
				}
				for _, l := range leases {
					if other, met := inside.LoadOrStore(lane[l.Key], l.Key); met {
						q.Errorf("%q was leased while %q was held in the same lane", l.Key, other)
					}
				}
				pass(pollin) // the work
				for _, l := range leases {
					inside.Delete(lane[l.Key])
					if again, err := q.inbox.Commit(q.Context(), l); again || err != nil {
						q.Errorf("Commit of %q: again %v, %v", l.Key, again, err)
						return
					}
					left.Add(-1)
				}
			}
		})
	}
	work.Wait()
	p.counted(webhook.Stats{})
}
