package inboxtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// quiet is a store with few entries.
const quiet client.ID = 7

// of makes entries of a store, in lanes of their own.
func of(store client.ID, n int) []webhook.Entry {
	entries := make([]webhook.Entry, n)
	for i := range entries {
		entries[i] = signal(fmt.Sprintf("%d %04d", store, i))
		entries[i].StoreID = store
	}
	return entries
}

func (p *probe) stored(entries ...webhook.Entry) {
	p.Helper()
	p.acceptAll(entries, slices.Repeat([]webhook.Outcome{webhook.OutcomeStored}, len(entries))...)
}

// one leases one entry, and returns its store.
func (p *probe) one() client.ID {
	p.Helper()
	return p.takeAll(1, held)[0].StoreID
}

// soonQuiet fails unless the quiet store is among the next n leases, one at a time.
func (p *probe) soonQuiet(n int, why string) {
	p.Helper()
	var got []client.ID
	for range n {
		if got = append(got, p.one()); got[len(got)-1] == quiet {
			return
		}
	}
	p.Errorf("%s: leases for stores %d, want one for %d among the first %d", why, got, quiet, n)
}

// fairFlood has one store with a backlog, and then two. Another store waits for at most one entry of each, however the
// backlogs were accepted.
func fairFlood(p *probe) {
	calm := of(quiet, 6)
	p.stored(of(1, 40)...)
	for _, e := range calm[:3] {
		p.stored(e)
		p.soonQuiet(2, "a backlog that was accepted together")
	}
	for _, e := range of(2, 40) {
		p.stored(e)
	}
	for _, e := range calm[3:] {
		p.stored(e)
		p.soonQuiet(3, "a backlog that was accepted one by one")
		pass(pollin)
	}
}

// fairCall requests many leases at once.
func fairCall(p *probe) {
	p.stored(of(1, 100)...)
	p.stored(of(2, 3)...)
	p.stored(of(quiet, 1)...)
	counts := make(map[client.ID]int)
	for _, l := range p.lease(32, held) {
		counts[l.StoreID]++
	}
	if counts[1] != 28 || counts[2] != 3 || counts[quiet] != 1 {
		p.Errorf("32 leases by store: %v, want 28 of 1, 3 of 2 and 1 of %d", counts, quiet)
	}
	leases, err := p.inbox.Lease(p.Context(), webhook.LeaseQuery{Limit: 32, PerStore: 5, Term: held})
	if err != nil || len(leases) != 5 {
		p.Errorf("%d leases, %v; want 5 of the remaining store", len(leases), err)
	}
}

// fairTurns has several stores with backlogs. They have leases in turn, and a store that comes later has a lease after
// at most one of each.
func fairTurns(p *probe) {
	const stores, rounds = 6, 5
	for store := range client.ID(stores) {
		p.stored(of(100+store, 2*rounds)...)
	}
	counts := make(map[client.ID]int)
	for range rounds {
		for range stores {
			counts[p.one()]++
		}
		for store := range client.ID(stores) {
			if got, want := counts[100+store], counts[100]; got != want {
				p.Fatalf("leases by store %v, want the same number for each", counts)
			}
		}
		pass(pollin)
	}
	p.stored(of(quiet, 1)...)
	p.soonQuiet(stores+1, "stores with backlogs")
}

// fairMany has more stores than one call requests leases.
func fairMany(p *probe) {
	const stores, each = 200, 3
	var all []webhook.Entry
	for store := range client.ID(stores) {
		all = append(all, of(1000+store, each)...)
	}
	p.stored(all...)
	for round := range each {
		seen := make(map[client.ID]bool)
		for len(seen) < stores {
			for _, l := range p.takeAll(min(32, stores-len(seen)), held) {
				if seen[l.StoreID] {
					p.Fatalf("round %d: store %d has a second lease after %d stores have had one", round, l.StoreID, len(seen))
				}
				seen[l.StoreID] = true
			}
		}
	}
	p.nothing("all are leased")
}

// fairResting has a store whose backlog rests. It does not wait, and when it is due it has no more turns than others.
func fairResting(p *probe) {
	settling := of(1, 30)
	for i := range settling {
		settling[i].Settle = never
	}
	p.stored(settling...)
	p.stored(of(quiet, 1)...)
	p.soonQuiet(1, "the other store rests")

	failing := append(of(2, 30), of(quiet, 3)[1:]...)
	p.stored(failing...)
	for _, l := range p.takeAll(len(failing), held) {
		p.fail(l, webhook.Failed{Delay: time.Duration(len(l.Key)) * time.Millisecond})
	}
	p.until("all that failed are due", func() bool { return p.stats().Due == len(failing) })
	p.soonQuiet(2, "both failed")
	p.soonQuiet(2, "both failed")
}

// fairEnded has leases of a store that are never settled.
func fairEnded(p *probe) {
	entries := append(of(1, 30), of(quiet, 2)...)
	p.stored(entries...)
	p.takeAll(len(entries), brief)
	p.until("all leases have ended", func() bool { return p.stats().Due == len(entries) })
	p.soonQuiet(3, "leases that ended") // turns may be noted one after another
	p.soonQuiet(2, "leases that ended")
}

// fairAgain has a store whose entries arrive again during each run, or are released, or are replayed.
func fairAgain(p *probe) {
	flood := of(1, 20)
	p.stored(flood...)
	for _, e := range of(quiet, 4) {
		l := p.takeAll(1, held)[0]
		p.accept(l.Entry, webhook.OutcomeJoined)
		p.commit(l, true)
		l = p.takeAll(1, held)[0]
		p.fail(l, webhook.Failed{Released: true})
		p.stored(e)
		p.soonQuiet(2, "entries that arrived again")
	}
	d, ok := p.inbox.(webhook.DeadLetters)
	if !ok {
		return
	}
	for _, l := range p.takeAll(10, held) {
		p.fail(l, webhook.Failed{Dead: true})
	}
	letters, err := d.Dead(p.Context(), "", 10)
	if err != nil {
		p.Fatal(err)
	}
	for _, l := range letters {
		p.replay(l.Key)
	}
	p.stored(of(quiet, 5)[4])
	p.soonQuiet(2, "entries that were replayed")
}

// fairWithout excludes a store. Its entries are leased later, and a call that waits for other stores is not woken for
// it repeatedly.
func fairWithout(p *probe) {
	p.stored(of(1, 10)...)
	p.stored(of(2, 1)...)
	q := webhook.LeaseQuery{Limit: 5, Without: []client.ID{1, 99}, Term: held}
	for _, want := range []int{1, 0} {
		leases, err := p.inbox.Lease(p.Context(), q)
		if err != nil || len(leases) != want || want == 1 && leases[0].StoreID != 2 {
			p.Fatalf("leases %v, %v; want %d, of store 2", leases, err, want)
		}
	}
	returned := 0
	for start := time.Now(); time.Since(start) < 10*brief; returned++ {
		if err := p.inbox.Wait(p.Context(), q, brief); err != nil {
			p.Fatal(err)
		}
	}
	if returned > 20 {
		p.Errorf("Wait returned %d times within %v, want about 10", returned, 10*brief)
	}
	defer p.soon(func() error {
		_, err := p.inbox.Accept(p.Context(), of(3, 1)...)
		return err
	})()
	p.until("an entry of a store that is not left out is leased", func() bool {
		if err := p.inbox.Wait(p.Context(), q, held); err != nil {
			p.Fatal(err)
		}
		leases, err := p.inbox.Lease(p.Context(), q)
		if err != nil {
			p.Fatal(err)
		}
		return len(leases) == 1 && leases[0].StoreID == 3
	})
	if n := len(p.takeAll(10, held)); n != 10 {
		p.Errorf("%d entries of the store that was left out, want 10", n)
	}
}

// fairShared has several processes, which share one order of turns.
func fairShared(p *probe) {
	handles := []*probe{p, p.through(p.engine.Share(p.T, p.inbox)), p.through(p.engine.Share(p.T, p.inbox))}
	const stores = 5
	for store := range client.ID(stores) {
		handles[int(store)%3].stored(of(100+store, 20)...)
	}
	for n := range 7 {
		handles[n%3].one()
	}
	handles[1].stored(of(quiet, 1)...)
	var got []client.ID
	for n := range stores + 1 {
		got = append(got, handles[n%3].one())
	}
	if !slices.Contains(got, quiet) {
		p.Errorf("leases of three processes for stores %d, want one for %d among them", got, quiet)
	}
}

// fairReopened checks that the order of turns survives when the inbox is opened again.
func fairReopened(p *probe) {
	p.stored(of(1, 20)...)
	p.stored(of(2, 20)...)
	for range 4 {
		p.one()
	}
	p.stored(of(quiet, 1)...)
	p.inbox = p.engine.Reopen(p.T, p.inbox)
	p.soonQuiet(3, "opened again")
}
