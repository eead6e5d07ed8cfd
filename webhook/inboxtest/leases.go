package inboxtest

import (
	"errors"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func leaseLimit(p *probe) {
	if leases := p.lease(5, held); len(leases) != 0 { // no entry is not an error
		p.Errorf("an empty inbox leased %d entries", len(leases))
	}
	entries := append(many(5, signal), in("lane 0000", signal("same lane")))
	p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, len(entries))...)
	leases := append(p.takeAll(2, held), p.takeAll(3, held)...)
	p.nothing("all lanes are held")
	seen := make(map[string]bool)
	for _, l := range leases {
		if seen[l.Lane] {
			p.Errorf("lane %q was leased twice", l.Lane)
		}
		seen[l.Lane] = true
	}
	p.counted(webhook.Stats{Pending: 6, Leased: 5})
}

func leaseEnds(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	first := p.take(e.Key, brief)
	second := p.take(e.Key, held) // as soon as the first has ended
	if !second.Until.After(first.Until.Add(held - grain)) {
		p.Errorf("the first lease ends at %v, the second, of %v, at %v", first.Until, held, second.Until)
	}
	if second.Gen != first.Gen || second.Token <= first.Token {
		p.Errorf("generation %d, token %d; want %d and more than %d", second.Gen, second.Token, first.Gen, first.Token)
	}
	if second.Age < brief-grain {
		p.Errorf("age %v, want %v at least: it is pending since its arrival", second.Age, brief)
	}
	p.commit(second, false)
}

// leaseUnfinished ends leases without Commit or Fail. They are no attempts, and are counted until a lease has a result.
func leaseUnfinished(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	take := func(attempt, unfinished int, d time.Duration) webhook.Lease {
		p.Helper()
		l := p.take(e.Key, d)
		if l.Attempt != attempt || l.Unfinished != unfinished {
			p.Errorf("attempt %d, %d unfinished, want %d and %d", l.Attempt, l.Unfinished, attempt, unfinished)
		}
		return l
	}
	for n := range 3 {
		take(1, n, brief)
	}
	for range 2 { // a lease that is given back changes nothing
		p.fail(take(1, 3, held), webhook.Failed{Released: true})
	}
	take(1, 3, brief)
	p.fail(take(1, 4, held), webhook.Failed{Cause: "try later"})
	take(2, 0, brief)
	p.fail(take(2, 1, held), webhook.Failed{Waits: true})
	take(2, 0, brief)
	l := take(2, 1, held)
	p.accept(e, webhook.OutcomeJoined)
	p.commit(l, true)
	take(1, 0, brief)
	p.fail(take(1, 1, held), webhook.Failed{Dead: true})
	p.replay(e.Key)
	if _, ok := p.inbox.(webhook.DeadLetters); ok {
		p.commit(take(1, 0, held), false)
	}
}

// leaseStale has two hundred workers that wake up after their leases ended.
func leaseStale(p *probe) {
	const n = 200
	entries := many(n, signal)
	entries[0] = fact("0000")
	p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, n)...)
	stale := p.takeAll(n, brief)
	pass(brief + grain)
	for _, l := range stale[:n/20] {
		p.lost(l, "whose lease ended, though it was not leased again")
	}
	fresh := p.takeAll(n, held)
	for _, l := range stale[n/20 : n/4] {
		p.lost(l, "which another worker has now")
	}
	for _, l := range stale[n/4:] { // one call each
		if _, err := p.inbox.Commit(p.Context(), l); !errors.Is(err, webhook.ErrLeaseLost) {
			p.Errorf("Commit of %q by a stale lease: %v, want ErrLeaseLost", l.Key, err)
		}
	}
	p.counted(webhook.Stats{Pending: n, Leased: n})
	for _, l := range fresh {
		p.commit(l, false) // the stale calls had no effect
	}
	p.counted(webhook.Stats{Done: 1})
}

func leaseUsedUp(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	p.commit(l, false)
	p.lost(l, "which was committed")

	p.accept(e, webhook.OutcomeStored) // the same key, and generation, but not the same entry
	p.lost(l, "which was committed and arrived again")
	l2 := p.take(e.Key, held)
	p.lost(l, "which another worker has now")
	p.fail(l2, webhook.Failed{Released: true})
	p.lost(l2, "which was released")
	l3 := p.take(e.Key, held)
	p.accept(e, webhook.OutcomeJoined)
	p.commit(l3, true)
	p.lost(l3, "which was committed and is due again")
	l4 := p.take(e.Key, held)
	p.fail(l4, webhook.Failed{Dead: true})
	p.lost(l4, "which is dead")
	p.counted(webhook.Stats{Dead: 1})
}

func extend(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	if err := p.inbox.Extend(p.Context(), l, brief); err != nil { // after d from now, even if that is earlier
		p.Fatalf("Extend: %v", err)
	}
	pass(brief + grain)
	p.lost(l, "whose lease ended after it was made shorter")

	// Extend a short lease. A slow machine may miss it; then try again.
	for attempt := time.Duration(1); ; attempt *= 2 {
		d := 2 * brief * attempt
		l = p.take(e.Key, d)
		err := p.inbox.Extend(p.Context(), l, held)
		if errors.Is(err, webhook.ErrLeaseLost) && d < bound {
			continue
		}
		if err != nil {
			p.Fatalf("Extend within a lease of %v: %v", d, err)
		}
		pass(d + grain)
		break
	}
	p.nothing("the lease was extended")
	p.commit(l, false)
}

// tokenRaised raises the tokens above those of another inbox.
func tokenRaised(p *probe) {
	in, ok := p.inbox.(webhook.Tokens)
	if !ok {
		return
	}
	first, second := signal("first"), signal("second")
	p.acceptAll([]webhook.Entry{first, second}, webhook.OutcomeStored, webhook.OutcomeStored)
	earlier := p.takeAll(1, held)[0]
	above := earlier.Token + 1_000_000_000
	for _, floor := range []uint64{above, 1} { // a lower one changes nothing
		if err := in.RaiseToken(p.Context(), floor); err != nil {
			p.Fatal(err)
		}
	}
	if later := p.takeAll(1, held)[0]; later.Token <= above {
		p.Errorf("token %d, want more than %d", later.Token, above)
	}
	p.commit(earlier, false)
}

func tokensGrow(p *probe) {
	var last uint64
	for round := range 4 {
		entries := many(6, signal)
		p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, len(entries))...)
		greatest := last
		seen := make(map[uint64]bool)
		for range 3 {
			for _, l := range p.takeAll(2, held) {
				if l.Token <= last || seen[l.Token] {
					p.Errorf("round %d: token %d, want one of its own and more than %d", round, l.Token, last)
				}
				seen[l.Token] = true
				greatest = max(greatest, l.Token)
				p.commit(l, false) // deletes the entry; the inbox is empty after each round
			}
			last = greatest
		}
		if p.engine.Reopen != nil && round%2 == 1 {
			p.inbox = p.engine.Reopen(p.T, p.inbox)
		}
	}
}
