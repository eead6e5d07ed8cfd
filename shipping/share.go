package shipping

import (
	"sync"

	"github.com/commerceplatform/commerce-go/client"
)

// account identifies a carrier of a store.
type account struct {
	store   client.ID
	carrier client.Code
}

// places is a semaphore shared by stores and their carriers. A new store or carrier always finds a place, even if all
// calls of others hang. There is no queue, because a call that hangs returns its place after the answer is due.
//
//   - A store holds no more places than remain free. Alone it can have half of them, and a quarter if another store has
//     its half.
//   - A carrier holds at most three times the places that its store may still take. Alone it has 3/7 of all places, so
//     that another carrier of the store finds one too.
type places struct {
	most int

	mu       sync.Mutex
	used     int
	stores   map[client.ID]int // number of places of each store that has any
	carriers map[account]int
}

func newPlaces(most int) *places {
	return &places{most: most, stores: map[client.ID]int{}, carriers: map[account]int{}}
}

// take takes a place. It returns false if there is none for the account.
func (p *places) take(a account) bool {
	const siblings = 3
	p.mu.Lock()
	defer p.mu.Unlock()
	store, carrier, free := p.stores[a.store]+1, p.carriers[a]+1, p.most-p.used-1
	switch {
	case free < 0,
		store > 1 && store > free,
		carrier > 1 && carrier > siblings*(free-store):
		return false
	}
	p.used++
	p.stores[a.store], p.carriers[a] = store, carrier
	return true
}

// leave returns a place.
func (p *places) leave(a account) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used--
	if p.stores[a.store]--; p.stores[a.store] == 0 {
		delete(p.stores, a.store)
	}
	if p.carriers[a]--; p.carriers[a] == 0 {
		delete(p.carriers, a)
	}
}

// taken returns the number of places in use.
func (p *places) taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}
