package inboxtest

import (
	"context"
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

func stats(p *probe) {
	p.counted(webhook.Stats{})
	p.finish(fact("done"))
	p.kill(signal("dead"))
	p.accept(signal("leased"), webhook.OutcomeStored)
	l := p.take("signal leased", held)
	p.accept(in(l.Lane, signal("next")), webhook.OutcomeStored) // waits for the lane
	p.accept(signal("due"), webhook.OutcomeStored)
	settles := signal("settles")
	settles.Settle = never
	p.accept(settles, webhook.OutcomeStored)
	p.counted(webhook.Stats{Pending: 4, Due: 1, Leased: 1, Done: 1, Dead: 1})
	p.commit(l, false)
	p.counted(webhook.Stats{Pending: 3, Due: 2, Done: 1, Dead: 1})

	leases := p.takeAll(2, brief)
	pass(brief + grain)
	p.counted(webhook.Stats{Pending: 3, Due: 2, Done: 1, Dead: 1}) // no entry is leased now
	if s := p.stats(); s.Lag < brief || s.Lag > s.Oldest || s.Lag > bound {
		p.Errorf("lag %v, want %v or a little more, and at most the age of the oldest, %v", s.Lag, brief, s.Oldest)
	}
	p.lost(leases[0], "whose lease ended")
}

func flow(p *probe) {
	in, ok := p.inbox.(webhook.Flow)
	if !ok {
		return
	}
	accepted, handled := in.Flow()
	p.kill(signal("dead"))
	p.finish(fact("done"))
	p.accept(signal("pending"), webhook.OutcomeStored)
	p.accept(signal("pending"), webhook.OutcomeJoined)
	if a, h := in.Flow(); a != accepted+4 || h != handled+1 {
		p.Errorf("%d accepted and %d handled, want 4 more than %d and 1 more than %d", a, h, accepted, handled)
	}
}

func statsOldest(p *probe) {
	if s := p.stats(); s.Oldest != 0 || s.OldestProtected != 0 {
		p.Errorf("an empty inbox: oldest %v, oldest protected %v, want 0", s.Oldest, s.OldestProtected)
	}
	redact := signal("redact")
	redact.Protected = true
	p.kill(redact)
	pass(2 * brief)
	p.accept(signal("a"), webhook.OutcomeStored)
	s := p.stats()
	if s.OldestProtected < 2*brief-grain || s.OldestProtected > bound {
		p.Errorf("oldest protected %v, want %v or a little more, though it is dead", s.OldestProtected, 2*brief)
	}
	if s.Oldest >= s.OldestProtected {
		p.Errorf("oldest %v, want less than %v: dead entries are not pending", s.Oldest, s.OldestProtected)
	}
	p.replay(redact.Key)
	pass(2 * brief)
	s = p.stats()
	if s.OldestProtected < 4*brief-2*grain {
		p.Errorf("oldest protected %v after it was replayed, want %v or a little more", s.OldestProtected, 4*brief)
	}
	if s.Oldest < 2*brief-grain || s.Oldest > bound {
		p.Errorf("oldest %v, want %v or a little more", s.Oldest, 2*brief)
	}
	for range s.Pending {
		p.commit(p.takeAll(1, held)[0], false)
	}
	p.finish(fact("done"))
	if s := p.stats(); s.Oldest != 0 {
		p.Errorf("no entry is pending: oldest %v, want 0", s.Oldest)
	}
}

// contextEnds calls each method with a cancelled context.
func contextEnds(p *probe) {
	e := signal("a")
	p.accept(e, webhook.OutcomeStored)
	l := p.take(e.Key, held)
	ctx, cancel := context.WithCancel(p.Context())
	cancel()
	check := func(method string, err error) {
		p.Helper()
		if !errors.Is(err, context.Canceled) {
			p.Errorf("%s: %v, want context.Canceled", method, err)
		}
	}
	_, err := p.inbox.Accept(ctx, signal("b"))
	check("Accept", err)
	_, err = p.inbox.Lease(ctx, webhook.LeaseQuery{Limit: 1, Term: held})
	check("Lease", err)
	check("Extend", p.inbox.Extend(ctx, l, held))
	_, err = p.inbox.Commit(ctx, l)
	check("Commit", err)
	check("Fail", p.inbox.Fail(ctx, l, webhook.Failed{}))
	check("Wait", p.inbox.Wait(ctx, webhook.LeaseQuery{}, held))
	_, err = p.inbox.Stats(ctx)
	check("Stats", err)

	p.commit(l, false)
	waiting, cancel := context.WithTimeout(p.Context(), brief)
	defer cancel()
	start := time.Now()
	for err = nil; err == nil && time.Since(start) < bound; { // it may return too early
		err = p.inbox.Wait(waiting, webhook.LeaseQuery{}, never)
	}
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) >= bound {
		p.Errorf("Wait: %v after %v, want context.DeadlineExceeded after %v", err, time.Since(start), brief)
	}
}

func marks(p *probe) {
	m, ok := p.inbox.(webhook.Marks)
	if !ok {
		return
	}
	check := func(name string, want time.Time) {
		p.Helper()
		got, err := m.Mark(p.Context(), name)
		if err != nil || !got.Equal(want) || got.IsZero() != want.IsZero() {
			p.Errorf("mark %q: %v, %v; want %v", name, got, err, want)
		}
	}
	set := func(name string, at time.Time) {
		p.Helper()
		if err := m.SetMark(p.Context(), name, at); err != nil {
			p.Fatalf("SetMark(%q): %v", name, err)
		}
	}
	first := time.Date(2025, 3, 4, 5, 6, 7, 891_234_000, time.UTC)
	check("123 orders", time.Time{})
	set("123 orders", first)
	set("123 products", first.AddDate(1, 0, 0))
	check("123 orders", first)
	set("123 orders", first.Add(-time.Hour).In(time.FixedZone("", -3*3600))) // an earlier one as well
	check("123 orders", first.Add(-time.Hour))
	check("123 products", first.AddDate(1, 0, 0))
	check("", time.Time{})
	if p.engine.Reopen != nil {
		m = p.engine.Reopen(p.T, p.inbox).(webhook.Marks)
		check("123 orders", first.Add(-time.Hour))
	}
}
