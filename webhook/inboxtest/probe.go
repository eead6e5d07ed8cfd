package inboxtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	held   = 10 * time.Minute      // a lease that does not end during a test
	brief  = 20 * time.Millisecond // a lease that must end
	never  = time.Hour             // a rest that does not end during a test
	bound  = 30 * time.Second      // the limit for expected events
	grain  = 10 * time.Millisecond // the coarsest resolution of the engine's clock
	pollin = 10 * time.Millisecond // between two polls
)

// probe is an inbox with the checks of the tests.
type probe struct {
	*testing.T
	engine Engine
	inbox  webhook.Inbox
}

func open(t *testing.T, e Engine) *probe {
	return &probe{T: t, engine: e, inbox: e.Open(t)}
}

// through returns a probe for another handle or another inbox.
func (p *probe) through(inbox webhook.Inbox) *probe {
	return &probe{T: p.T, engine: p.engine, inbox: inbox}
}

// signal and fact are entries in a lane of their own.
func signal(key string) webhook.Entry {
	return webhook.Entry{
		Key: "signal " + key, Lane: "lane " + key, Kind: webhook.KindSignal,
		Event: "order/updated", StoreID: 123, Body: []byte(`{"event":"order/updated","id":"` + key + `"}`),
	}
}

func fact(key string) webhook.Entry {
	return webhook.Entry{
		Key: "fact " + key, Lane: "lane " + key, Kind: webhook.KindFact,
		Event: "order/created", StoreID: 123, Body: []byte(`{"event":"order/created","id":"` + key + `"}`),
		Window: webhook.FactWindow,
	}
}

// in gives an entry another lane.
func in(lane string, e webhook.Entry) webhook.Entry {
	e.Lane = lane
	return e
}

// many makes entries with a number in their key.
func many(n int, kind func(string) webhook.Entry) []webhook.Entry {
	entries := make([]webhook.Entry, n)
	for i := range entries {
		entries[i] = kind(fmt.Sprintf("%04d", i))
	}
	return entries
}

// accept stores one entry, whose outcome must be the expected one.
func (p *probe) accept(e webhook.Entry, want webhook.Outcome) {
	p.Helper()
	p.acceptAll([]webhook.Entry{e}, want)
}

func (p *probe) acceptAll(entries []webhook.Entry, want ...webhook.Outcome) {
	p.Helper()
	got, err := p.inbox.Accept(p.Context(), entries...)
	if err != nil {
		p.Fatalf("Accept of %q: %v", keys(entries), err)
	}
	if !slices.Equal(got, want) {
		p.Fatalf("Accept of %q: outcomes %q, want %q", keys(entries), got, want)
	}
}

func keys(entries []webhook.Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Key)
	}
	return all
}

// lease calls Lease once.
func (p *probe) lease(limit int, d time.Duration) []webhook.Lease {
	p.Helper()
	leases, err := p.inbox.Lease(p.Context(), webhook.LeaseQuery{Limit: limit, Term: d})
	if err != nil {
		p.Fatalf("Lease(%d, %v): %v", limit, d, err)
	}
	if len(leases) > limit {
		p.Fatalf("Lease(%d, %v) returned %d", limit, d, len(leases))
	}
	return leases
}

// take leases the entry with a key for the given time. It must be leased soon and alone.
func (p *probe) take(key string, d time.Duration) webhook.Lease {
	p.Helper()
	leases := p.takeAll(1, d)
	if leases[0].Key != key {
		p.Fatalf("leased %q, want %q", leases[0].Key, key)
	}
	return leases[0]
}

// takeAll leases exactly n entries, with one call or several.
func (p *probe) takeAll(n int, d time.Duration) []webhook.Lease {
	p.Helper()
	var leases []webhook.Lease
	p.until(fmt.Sprintf("%d entries are leased", n), func() bool {
		leases = append(leases, p.lease(n-len(leases), d)...)
		return len(leases) == n
	})
	return leases
}

// nothing checks that no entry can be leased now.
func (p *probe) nothing(why string) {
	p.Helper()
	for _, l := range p.lease(10, held) {
		p.Fatalf("leased %q (attempt %d, generation %d), want none: %s", l.Key, l.Attempt, l.Gen, why)
	}
}

// until polls until something has happened.
func (p *probe) until(what string, happened func() bool) {
	p.Helper()
	for start := time.Now(); !happened(); pass(pollin) {
		if time.Since(start) > bound {
			p.Fatalf("after %v not: %s", bound, what)
		}
	}
}

// pass lets time pass, on the clock of the process.
func pass(d time.Duration) { <-time.After(d) }

func (p *probe) commit(l webhook.Lease, want bool) {
	p.Helper()
	again, err := p.inbox.Commit(p.Context(), l)
	if err != nil {
		p.Fatalf("Commit of %q: %v", l.Key, err)
	}
	if again != want {
		p.Fatalf("Commit of %q: again %v, want %v", l.Key, again, want)
	}
}

func (p *probe) fail(l webhook.Lease, f webhook.Failed) {
	p.Helper()
	if err := p.inbox.Fail(p.Context(), l, f); err != nil {
		p.Fatalf("Fail of %q: %v", l.Key, err)
	}
}

// lost checks that a lease has no effect any more.
func (p *probe) lost(l webhook.Lease, why string) {
	p.Helper()
	ctx := context.WithoutCancel(p.Context())
	if err := p.inbox.Extend(ctx, l, held); !errors.Is(err, webhook.ErrLeaseLost) {
		p.Errorf("Extend of %q, %s: %v, want ErrLeaseLost", l.Key, why, err)
	}
	for _, f := range []webhook.Failed{{Delay: never}, {Dead: true}, {Released: true}} {
		if err := p.inbox.Fail(ctx, l, f); !errors.Is(err, webhook.ErrLeaseLost) {
			p.Errorf("Fail(%+v) of %q, %s: %v, want ErrLeaseLost", f, l.Key, why, err)
		}
	}
	if _, err := p.inbox.Commit(ctx, l); !errors.Is(err, webhook.ErrLeaseLost) {
		p.Errorf("Commit of %q, %s: %v, want ErrLeaseLost", l.Key, why, err)
	}
}

// counted checks the counts of the inbox, but not ages and the size of the log.
func (p *probe) counted(want webhook.Stats) {
	p.Helper()
	got := p.stats()
	got.Oldest, got.OldestProtected, got.Lag, got.LogSize = 0, 0, 0, 0
	if got != want {
		p.Errorf("stats %+v, want %+v", got, want)
	}
}

func (p *probe) stats() webhook.Stats {
	p.Helper()
	s, err := p.inbox.Stats(p.Context())
	if err != nil {
		p.Fatalf("Stats: %v", err)
	}
	return s
}

// finish makes an absent fact a done one.
func (p *probe) finish(e webhook.Entry) {
	p.Helper()
	p.accept(e, webhook.OutcomeStored)
	p.commit(p.take(e.Key, held), false)
}

// kill makes an absent entry a dead one.
func (p *probe) kill(e webhook.Entry) {
	p.Helper()
	p.accept(e, webhook.OutcomeStored)
	p.fail(p.take(e.Key, held), webhook.Failed{Dead: true, Cause: "cannot be handled"})
}
