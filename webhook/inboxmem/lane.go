package inboxmem

import (
	"container/heap"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// lane holds pending entries of which only one may be handled at a time.
type lane struct {
	name  string
	store value.ID    // of the entry that made it
	rows  queue[*row] // without held
	room  [1]*row     // of rows, while there is one
	held  *row        // the leased entry, or nil
	token uint64
	until time.Time
	place int // in Inbox.held or store.lanes; -1 if in neither
}

func (l *lane) before(m *lane) bool {
	if l.held != nil {
		return l.until.Before(m.until)
	}
	return l.rows[0].before(m.rows[0])
}

func (l *lane) move(place int) { l.place = place }

// put adds a row to its lane, where it waits for a lease. If there is no such lane, it is made in fresh.
func (b *Inbox) put(r *row, fresh *lane) {
	l := b.lanes[r.entry.Lane]
	if l == nil {
		l = fresh
		*l = lane{name: r.entry.Lane, store: r.entry.StoreID, place: -1}
		l.rows = l.room[:0]
		b.lanes[l.name] = l
	}
	heap.Push(&l.rows, r)
	b.settle(l)
	b.wake()
}

// take removes a waiting row from its lane.
func (b *Inbox) take(r *row) {
	l := b.lanes[r.entry.Lane]
	if l.held == nil { // before the first entry, which orders the lane, changes
		b.leave(l)
	}
	l.rows.remove(r.place)
	b.settle(l)
}

// settle moves a waiting lane to its place after its rows changed.
func (b *Inbox) settle(l *lane) {
	switch {
	case l.held != nil:
	case len(l.rows) == 0:
		delete(b.lanes, l.name)
	default:
		b.wait(l)
	}
}

// hold leases the first entry of a waiting lane until the given time.
func (b *Inbox) hold(l *lane, until time.Time) {
	b.leave(l)
	l.held = heap.Pop(&l.rows).(*row)
	b.token++
	l.token, l.until = b.token, until
	heap.Push(&b.held, l)
}

// free ends the lease of a lane without putting its entry back.
func (b *Inbox) free(l *lane) {
	b.held.remove(l.place)
	l.place = -1
	l.held = nil
	b.settle(l)
	b.wake()
}

// release ends the lease of a lane; its entry waits again.
func (b *Inbox) release(l *lane) {
	r := l.held
	b.held.remove(l.place)
	l.place = -1
	l.held = nil
	heap.Push(&l.rows, r)
	b.settle(l)
	b.wake()
}

// queued is an element of a queue, which stores its place.
type queued[T any] interface {
	before(T) bool
	move(place int)
}

var (
	_ queued[*store] = (*store)(nil)
	_ queued[*lane]  = (*lane)(nil)
	_ queued[*row]   = (*row)(nil)
)

// queue is a heap.
type queue[T queued[T]] []T

func (q queue[T]) Len() int           { return len(q) }
func (q queue[T]) Less(i, j int) bool { return q[i].before(q[j]) }
func (q queue[T]) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].move(i)
	q[j].move(j)
}

func (q *queue[T]) Push(x any) {
	x.(T).move(len(*q))
	*q = append(*q, x.(T))
}

func (q *queue[T]) Pop() any {
	old := *q
	last := old[len(old)-1]
	var none T
	old[len(old)-1] = none
	*q = old[:len(old)-1]
	return last
}

func (q *queue[T]) remove(place int) { heap.Remove(q, place) }
