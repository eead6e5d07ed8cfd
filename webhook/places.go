package webhook

import (
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
)

// places counts which stores the places of a worker are taken by. A lease cannot be taken back, so some places stay free
// for stores that hold none.
type places struct {
	all  int // Worker.Concurrency
	most int // Worker.PerStore

	mu    sync.Mutex
	taken int
	held  map[client.ID]int
}

func newPlaces(all, most int) *places {
	if most == 0 {
		most = max(1, all-max(1, all/8))
	}
	return &places{all: all, most: min(most, all), held: make(map[client.ID]int)}
}

func (p *places) take(store client.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
	p.held[store]++
}

func (p *places) free(store client.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.held[store]--; p.held[store] == 0 {
		delete(p.held, store)
	}
}

// query says what may be leased now.
func (p *places) query() LeaseQuery {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := LeaseQuery{Limit: p.all - p.taken, PerStore: p.room(0)}
	for store, n := range p.held {
		if room := p.room(n); room > 0 {
			q.PerStore = min(q.PerStore, room)
		} else {
			q.Without = append(q.Without, store)
		}
	}
	slices.Sort(q.Without)
	return q
}

// more reports whether a store that has had PerStore leases of a call may have more. If not, the call has handed out what
// there was.
func (p *places) more(q LeaseQuery, leases []Lease) bool {
	had := make(map[client.ID]int)
	for _, l := range leases {
		had[l.StoreID]++
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for store, n := range had {
		if n >= q.PerStore && p.room(p.held[store]) > 0 {
			return true
		}
	}
	return false
}

// room is how many more places a store may take that holds n. It may hold the same part of those that other stores do
// not hold as it may of all, so that several stores whose handlers hang do not take all places either.
func (p *places) room(n int) int {
	return max(1, (p.all-p.taken+n)*p.most/p.all) - n
}
