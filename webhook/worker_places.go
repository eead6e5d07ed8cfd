package webhook

import (
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// places counts the places of a worker by store. A lease cannot be taken back, so some places stay free for stores that
// hold none.
type places struct {
	all  int // Worker.Concurrency
	most int // Worker.PerStore

	mu    sync.Mutex
	taken int
	held  map[value.ID]int
	ahead ahead
}

func newPlaces(all, most int, term time.Duration) *places {
	if most == 0 {
		most = max(1, all-max(1, all/8))
	}
	return &places{all: all, most: min(most, all), held: make(map[value.ID]int), ahead: newAhead(all, term)}
}

// take takes a place for a lease. If there is none for its store, a lease that was taken ahead waits for one, and take
// returns false.
func (p *places) take(l *leased, ahead bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ahead && (p.taken == p.all || p.room(p.held[l.StoreID]) <= 0) {
		p.ahead.add(l)
		return false
	}
	p.add(l.StoreID)
	return true
}

func (p *places) add(store value.ID) {
	p.taken++
	p.held[store]++
}

// free frees the place of a lease, whose run took this long. It returns a lease that has the place now, or nil.
func (p *places) free(store value.ID, took time.Duration) *leased {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.held[store]--; p.held[store] == 0 {
		delete(p.held, store)
	}
	p.ahead.ran(took)
	next := p.ahead.first(func(store value.ID) bool { return p.room(p.held[store]) > 0 })
	if next != nil {
		p.add(next.StoreID)
	}
	return next
}

// query returns the query for the next leases, and whether it is for more leases than there are places.
func (p *places) query() (q LeaseQuery, ahead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	more := p.ahead.room()
	q = LeaseQuery{Limit: p.all - p.taken + more, PerStore: p.room(0) + more}
	for store, n := range p.held {
		if room := p.room(n) + more; room > 0 {
			q.PerStore = min(q.PerStore, room)
		} else {
			q.Without = append(q.Without, store)
		}
	}
	slices.Sort(q.Without)
	return q, more > 0
}

// more reports whether a store that has had PerStore leases of a call may have more. If not, the call has returned all
// entries that were due.
func (p *places) more(q LeaseQuery, leases []*leased) bool {
	had := make(map[value.ID]int)
	for _, l := range leases {
		had[l.StoreID]++
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for store, n := range had {
		if n >= q.PerStore && p.room(p.held[store])+p.ahead.room() > 0 {
			return true
		}
	}
	return false
}

// room is the number of further places for a store that holds n. The store may take the same fraction of the places
// that other stores leave as of all places. So several stores whose handlers hang do not take all places either.
func (p *places) room(n int) int {
	return max(1, (p.all-p.taken+n)*p.most/p.all) - n
}
