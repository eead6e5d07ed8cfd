package world

import (
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// searches are the indexes by text of all stores. They are not part of the state: an
// index is built by the first search, and updated to the tables of each later one by
// the records that differ. So a View of an older state, a Snapshot that was restored and
// an Update that fails later are searched correctly too.
type searches struct {
	mu     sync.Mutex
	stores map[int64]*storeSearches
}

type storeSearches struct{ products, customers, coupons, orders textIndex }

// ProductsWith lists, in ascending order, the ids of the products that have the part
// in a name, their tags or the SKU of a variant, in any case. As in the searches
// below, the part must not be empty.
func (tx *Tx) ProductsWith(part string) []int64 {
	return tx.searches.of(tx.store.ID).products.find(&tx.Tables, followProducts, part)
}

// CustomersWith lists the ids of the customers that have the part in their name,
// email or identification.
func (tx *Tx) CustomersWith(part string) []int64 {
	return tx.searches.of(tx.store.ID).customers.find(&tx.Tables, followCustomers, part)
}

// CouponsWith lists the ids of the coupons that exist and have the part in their code.
func (tx *Tx) CouponsWith(part string) []int64 {
	return tx.searches.of(tx.store.ID).coupons.find(&tx.Tables, followCoupons, part)
}

// OrdersWith lists the ids of the orders that have the part in the name or email of
// their contact or of their customer as it is now.
func (tx *Tx) OrdersWith(part string) []int64 {
	return tx.searches.of(tx.store.ID).orders.find(&tx.Tables, followOrders, part)
}

// of returns the indexes of a store.
func (s *searches) of(store int64) *storeSearches {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores == nil {
		s.stores = make(map[int64]*storeSearches)
	}
	if s.stores[store] == nil {
		s.stores[store] = new(storeSearches)
	}
	return s.stores[store]
}

// follow updates the indexes that a store has to committed tables. Without it, an
// index that is never searched again would keep every record of its tables in memory.
func (s *searches) follow(store int64, now *Tables) {
	s.mu.Lock()
	of := s.stores[store]
	s.mu.Unlock()
	if of != nil {
		of.products.follow(now, followProducts)
		of.customers.follow(now, followCustomers)
		of.coupons.follow(now, followCoupons)
		of.orders.follow(now, followOrders)
	}
}

// forget drops all indexes.
func (s *searches) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stores = nil
}

// textIndex finds the records of a list by their texts.
type textIndex struct {
	mu sync.Mutex
	// at are the tables that the index is built from; nil before the first search.
	at    *Tables
	index table.TextIndex
}

// follower calls put for each record whose texts differ between two versions of the
// tables. A record that was deleted has no texts.
type follower func(was, now *Tables, put func(id int64, texts ...string))

// find returns the ids of the records that have the part in a text.
func (x *textIndex) find(now *Tables, f follower, part string) []int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.at == nil {
		x.at = new(Tables)
	}
	x.update(now, f)
	return x.index.Find(part)
}

// follow updates an index that was searched before, unless a search is using it: a
// commit must not wait for a search, and the next commit or search updates it as well.
func (x *textIndex) follow(now *Tables, f follower) {
	if !x.mu.TryLock() {
		return
	}
	defer x.mu.Unlock()
	if x.at != nil {
		x.update(now, f)
	}
}

func (x *textIndex) update(now *Tables, f follower) {
	f(x.at, now, x.index.Put)
	at := *now
	x.at = &at
}
