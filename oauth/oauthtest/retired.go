package oauthtest

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

var retiredAt = time.Unix(1_700_000_123, 0).UTC()

// retire fails the test unless Retire returns the expected result.
func retire(p *tokens, id client.ID, generation int64, at time.Time, want bool) {
	p.Helper()
	got, err := p.next().(oauth.Retirer).Retire(p.Context(), id, generation, at)
	if err != nil || got != want {
		p.Fatalf("Retire of store %d, generation %d, at %v: got %v, %v; want %v", id, generation, at, got, err, want)
	}
}

// holdsRetired fails the test unless exactly the given installation is retired; nil means none.
func holdsRetired(p *tokens, want *oauth.Install) {
	p.Helper()
	for i, store := range p.handles {
		n := 0
		for got, err := range store.(oauth.Retirer).Retired(p.Context()) {
			n++
			at := got.RetiredAt
			got.RetiredAt = time.Time{}
			if err != nil || want == nil || differs(got, *want) != "" || at.Sub(retiredAt).Abs() > time.Second {
				p.Fatalf("handle %d: Retired: got %+v at %v, %v; want %+v at %v", i, got, at, err, want, retiredAt)
			}
		}
		if want != nil && n != 1 {
			p.Fatalf("handle %d: Retired: got %d installations, want 1", i, n)
		}
		in, err := store.Load(p.Context(), storeID)
		if want != nil && (!errors.Is(err, oauth.ErrNotInstalled) || in.Generation != want.Generation || in.Token != "") {
			p.Fatalf("handle %d: Load: got %+v, %v; want ErrNotInstalled with the generation", i, in, err)
		}
	}
}

// retires follows a record of a store that is a Retirer. Other stores have nothing to prove.
func retires(p *tokens) {
	if _, ok := p.handles[0].(oauth.Retirer); !ok {
		return
	}
	swap(p, storeID+1, 0, made(storeID+1, 5), true)
	retire(p, storeID, 5, retiredAt, false)
	swap(p, storeID, 0, made(storeID, 5), true)
	retire(p, storeID, 4, retiredAt, false)
	retire(p, storeID, 5, time.Time{}, false)
	holdsRetired(p, nil)
	retire(p, storeID, 5, retiredAt, true)
	retire(p, storeID, 5, retiredAt.Add(time.Hour), false) // the time of the first refusal stays
	holdsRetired(p, made(storeID, 5))
	swap(p, storeID, 5, made(storeID, 6), false)
	retire(p, storeID, 4, time.Time{}, false)
	holdsRetired(p, made(storeID, 5))
	retire(p, storeID, 5, time.Time{}, true)
	holds(p, storeID, due(storeID, 5))
	retire(p, storeID, 5, retiredAt, true)
	holdsRetired(p, made(storeID, 5))
	swap(p, storeID, 0, made(storeID, 7), true) // a new installation
	swap(p, storeID, 0, made(storeID, 8), false)
	retire(p, storeID, 5, time.Time{}, false)
	holds(p, storeID, made(storeID, 7))
	holdsRetired(p, nil)
	retire(p, storeID, 7, retiredAt, true)
	swap(p, storeID, 5, nil, false)
	swap(p, storeID, 7, nil, true)
	holdsRetired(p, nil)
	swap(p, storeID, 7, made(storeID, 8), false)
	holds(p, storeID, nil)
	holds(p, storeID+1, made(storeID+1, 5))
}

// due returns a made installation that is Due.
func due(id client.ID, generation int64) *oauth.Install {
	in := made(id, generation)
	in.Due = true
	return in
}

// dueRecords follows a record that is Due. A store that is a Retirer lists it.
func dueRecords(p *tokens) {
	listed := func(want int) {
		p.Helper()
		r, ok := p.next().(oauth.Retirer)
		if !ok {
			return
		}
		n := 0
		for in, err := range r.Retired(p.Context()) {
			if n++; err != nil || !in.Due || in.Token == "" || !in.RetiredAt.IsZero() {
				p.Fatalf("Retired: got %+v, Due %v, %v; want the Due record", in, in.Due, err)
			}
		}
		if n != want {
			p.Fatalf("Retired: got %d installations, want %d", n, want)
		}
	}
	swap(p, storeID, 0, due(storeID, 5), true)
	holds(p, storeID, due(storeID, 5))
	listed(1)
	swap(p, storeID, 5, made(storeID, 5), true) // of the same generation
	holds(p, storeID, made(storeID, 5))
	listed(0)
	swap(p, storeID, 5, due(storeID, 6), true)
	holds(p, storeID, due(storeID, 6))
	listed(1)
	swap(p, storeID, 6, nil, true)
	swap(p, storeID, 0, made(storeID, 7), true)
	holds(p, storeID, made(storeID, 7))
	listed(0)
}

// raceRetire lets a new installation, a revival and a deletion of one retired record meet. One of them wins.
func raceRetire(p *tokens) {
	if _, ok := p.handles[0].(oauth.Retirer); !ok {
		return
	}
	for n := range client.ID(10) {
		id := storeID + n
		swap(p, id, 0, made(id, 5), true)
		retire(p, id, 5, retiredAt, true)
		var wins atomic.Int32
		var all sync.WaitGroup
		act := func(f func(store oauth.TokenStore) (bool, error)) {
			store := p.next()
			all.Go(func() {
				done, err := f(store)
				if err != nil {
					p.Error(err)
				}
				if done {
					wins.Add(1)
				}
			})
		}
		act(func(s oauth.TokenStore) (bool, error) { return s.Swap(p.Context(), id, 0, made(id, 6)) })
		act(func(s oauth.TokenStore) (bool, error) { return s.Swap(p.Context(), id, 0, made(id, 7)) })
		act(func(s oauth.TokenStore) (bool, error) {
			return s.(oauth.Retirer).Retire(p.Context(), id, 5, time.Time{})
		})
		all.Wait()
		if wins.Load() != 1 {
			p.Fatalf("store %d: %d of a revival and two installations succeeded, want 1", id, wins.Load())
		}
	}
}
