package inboxmem

import (
	"container/heap"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// store holds the lanes of a store that wait for a lease.
type store struct {
	id     value.ID
	lanes  queue[*lane] // by their first due entry
	served time.Time    // when it last had a lease, while it waits
	seq    uint64       // of that lease
	place  int          // in Inbox.waiting
}

// turn returns when the store may have a lease, and its rank among stores that may have one since the same time.
func (s *store) turn() (at time.Time, seq uint64) {
	first := s.lanes[0].rows[0]
	if at = first.due; at.Before(s.served) {
		at = s.served
	}
	return at, max(first.seq, s.seq)
}

func (s *store) before(t *store) bool {
	at, seq := s.turn()
	other, otherSeq := t.turn()
	return at.Before(other) || at.Equal(other) && seq < otherSeq
}

func (s *store) move(place int) { s.place = place }

// wait adds a lane that is not leased to the waiting ones, or moves it to its place there.
func (b *Inbox) wait(l *lane) {
	s := b.stores[l.store]
	if s == nil {
		s = &store{id: l.store}
		b.stores[s.id] = s
		heap.Push(&s.lanes, l)
		heap.Push(&b.waiting, s)
		return
	}
	if l.place < 0 {
		heap.Push(&s.lanes, l)
	} else {
		heap.Fix(&s.lanes, l.place)
	}
	heap.Fix(&b.waiting, s.place)
}

// leave removes a lane from the waiting ones. Its first entry must be the one that it waited with.
func (b *Inbox) leave(l *lane) {
	s := b.stores[l.store]
	if len(s.lanes) == 1 {
		b.waiting.remove(s.place)
		delete(b.stores, s.id)
	}
	s.lanes.remove(l.place)
	l.place = -1
	if len(s.lanes) > 0 {
		heap.Fix(&b.waiting, s.place)
	}
}

// serve notes that a store had a lease.
func (b *Inbox) serve(s *store, now time.Time) {
	b.seq++
	s.served, s.seq = now, b.seq
	if len(s.lanes) > 0 {
		heap.Fix(&b.waiting, s.place)
	}
}

// aside runs f while the given stores do not wait.
func (b *Inbox) aside(ids []value.ID, f func(aside func(*store))) {
	var put []*store
	aside := func(s *store) {
		b.waiting.remove(s.place)
		put = append(put, s)
	}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if s := b.stores[id]; s != nil {
			aside(s)
		}
	}
	f(aside)
	for _, s := range put {
		heap.Push(&b.waiting, s)
	}
}
