package oauthtest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/oauth"
)

// oneWins fails the test unless exactly one of the racers won, and returns its number.
func oneWins(p *tokens, swap func(store oauth.TokenStore, i int) (bool, error)) int {
	p.Helper()
	winners := p.race(func(store oauth.TokenStore, i int) bool {
		swapped, err := swap(store, i)
		if err != nil {
			p.Errorf("Swap number %d: %v", i, err)
		}
		return swapped
	})
	if len(winners) != 1 {
		p.Fatalf("%d of %d swaps from one generation won, want 1: numbers %v", len(winners), racers, winners)
	}
	return winners[0]
}

func raceInsert(p *tokens) {
	winner := oneWins(p, func(store oauth.TokenStore, i int) (bool, error) {
		return store.Swap(p.Context(), storeID, 0, made(storeID, int64(100+i)))
	})
	holds(p, storeID, made(storeID, int64(100+winner)))
}

func raceReplace(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	winner := oneWins(p, func(store oauth.TokenStore, i int) (bool, error) {
		return store.Swap(p.Context(), storeID, 5, made(storeID, int64(100+i)))
	})
	holds(p, storeID, made(storeID, int64(100+winner)))
}

// raceDelete makes half of the racers delete the record that the others replace.
func raceDelete(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	winner := oneWins(p, func(store oauth.TokenStore, i int) (bool, error) {
		if i%2 == 0 {
			return store.Swap(p.Context(), storeID, 5, nil)
		}
		return store.Swap(p.Context(), storeID, 5, made(storeID, int64(100+i)))
	})
	if winner%2 == 0 {
		holds(p, storeID, nil)
		return
	}
	holds(p, storeID, made(storeID, int64(100+winner)))
}

// raceChain makes each racer replace the present record until it has won. No generation is replaced twice.
func raceChain(p *tokens) {
	swap(p, storeID, 0, made(storeID, 1), true)
	var mu sync.Mutex
	replaced := map[int64]int{}
	p.race(func(store oauth.TokenStore, i int) bool {
		for range racers { // another racer won each lost race
			held, err := store.Load(p.Context(), storeID)
			if err != nil {
				p.Errorf("Load: %v", err)
				return false
			}
			swapped, err := store.Swap(p.Context(), storeID, held.Generation, made(storeID, int64(100+i)))
			if err != nil {
				p.Errorf("Swap: %v", err)
				return false
			}
			if swapped {
				mu.Lock()
				replaced[held.Generation]++
				mu.Unlock()
				return true
			}
		}
		p.Errorf("Swap number %d: lost %d races against %d others", i, racers, racers-1)
		return false
	})
	for generation, n := range replaced {
		if n != 1 {
			p.Errorf("generation %d was replaced %d times, want once", generation, n)
		}
	}
	if len(replaced) != racers {
		p.Errorf("%d generations were replaced, want %d", len(replaced), racers)
	}
}

// raceLoad loads while the record is replaced. Each loaded installation must be whole, and not older than an
// installation that the same handle loaded before.
func raceLoad(p *tokens) {
	const last = 40
	swap(p, storeID, 0, made(storeID, 1), true)
	var done atomic.Bool
	var all sync.WaitGroup
	for _, store := range p.handles {
		all.Go(func() {
			for before := int64(0); !done.Load(); {
				got, err := store.Load(p.Context(), storeID)
				if err != nil {
					p.Errorf("Load during a swap: %v", err)
					return
				}
				if wrong := differs(got, *made(storeID, got.Generation)); wrong != "" || got.Generation < before {
					p.Errorf("Load during a swap: after generation %d got a mix, %+v: %s", before, got, wrong)
					return
				}
				before = got.Generation
			}
		})
	}
	for generation := range int64(last) {
		swapped, err := p.next().Swap(p.Context(), storeID, generation+1, made(storeID, generation+2))
		if err != nil || !swapped {
			p.Errorf("Swap from generation %d: got %v, %v; want true", generation+1, swapped, err)
			break
		}
	}
	done.Store(true)
	all.Wait()
	holds(p, storeID, made(storeID, last+1))
}

// tokenContext makes calls with a context that has ended. A call may succeed or fail, but must not return a wrong
// result.
func tokenContext(p *tokens) {
	swap(p, storeID, 0, made(storeID, 5), true)
	held := int64(5)
	for i, store := range p.handles {
		got, err := store.Load(p.ended(), storeID)
		if errors.Is(err, oauth.ErrNotInstalled) || err == nil && differs(got, *made(storeID, held)) != "" {
			p.Fatalf("Load with a context that has ended: got %+v, %v; want the installation or another error", got, err)
		}
		later := int64(10 + i)
		swapped, err := store.Swap(p.ended(), storeID, held, made(storeID, later))
		if err == nil && !swapped || err != nil && !errors.Is(err, context.Canceled) {
			p.Fatalf("Swap with a context that has ended: got %v, %v; want true, or an error that matches "+
				"context.Canceled", swapped, err)
		}
		now, failed := store.Load(p.Context(), storeID)
		if failed != nil {
			p.Fatalf("Load after a context has ended: %v", failed)
		}
		if swapped && now.Generation != later || now.Generation != held && now.Generation != later {
			p.Fatalf("Swap with a context that has ended: got %v, and then generation %d is there", swapped, now.Generation)
		}
		held = now.Generation
		holds(p, storeID, made(storeID, held))
	}
}
