package delivery

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Deliveries returns what was sent, or is to be, oldest first.
func (w *Worker) Deliveries() []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]Delivery, len(w.deliveries))
	for i, d := range w.deliveries {
		out[i] = d.copy()
	}
	return out
}

// Len is how many deliveries are remembered.
func (w *Worker) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.deliveries)
}

// Part returns a part of the deliveries, by their ids. Their pointers are those of the worker, so nobody may change the
// values. It locks the worker for no longer than it takes to copy the part.
func (w *Worker) Part(p work.Part) []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return work.Of(p, len(w.deliveries), func(i int) int64 { return w.deliveries[i].ID },
		func(i int) Delivery { return *w.deliveries[i] })
}

// Unsent returns a part of the last events that were sent to nobody, by their ids.
func (w *Worker) Unsent(p work.Part) []world.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return work.Of(p, len(w.unsent), func(i int) int64 { return w.unsent[i].ID },
		func(i int) world.Event { return w.unsent[i] })
}

// Since returns the deliveries with a change after that of the number, most at most, in the order of their changes.
func (w *Worker) Since(rev int64, most int) []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Delivery
	for _, c := range w.changes.Since(rev) {
		if len(out) == most {
			break
		}
		if w.holds(c) {
			out = append(out, w.find(c.ID).copy())
		}
	}
	return out
}

// Changes is how many changes there were so far: of deliveries, and events that were sent to nobody.
func (w *Worker) Changes() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changes.Last() + w.lastUnsent
}

// find returns the delivery with the id, nil if there is none. The lock is held.
func (w *Worker) find(id int64) *Delivery {
	if len(w.deliveries) == 0 {
		return nil
	}
	if i := id - w.deliveries[0].ID; i >= 0 && i < int64(len(w.deliveries)) { // ids have no gaps
		return w.deliveries[i]
	}
	return nil
}

// Delivery returns the one with the id.
func (w *Worker) Delivery(id int64) (Delivery, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if d := w.find(id); d != nil {
		return d.copy(), true
	}
	return Delivery{}, false
}

// Order reports whether deliveries are made twice and in another order.
func (w *Worker) Order() (duplicate, reorder bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.options.Duplicate, w.options.Reorder
}

// SetOrder changes Duplicate and Reorder for the events from now on.
func (w *Worker) SetOrder(duplicate, reorder bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.options.Duplicate, w.options.Reorder = duplicate, reorder
}

// Abandon ends the deliveries that wait for an attempt, and returns how many those were. The last attempt says why.
func (w *Worker) Abandon(why string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, d := range w.deliveries {
		if d.State == Pending {
			w.drop(d, why)
			n++
		}
	}
	return n
}

// Resend makes one more attempt now, whatever became of the delivery. It returns
// before the attempt is made.
func (w *Worker) Resend(id int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.find(id)
	if d == nil {
		return fmt.Errorf("delivery: there is no delivery %d", id)
	}
	begun := w.work.Go(func() {
		a := w.attempt(d, 0)
		a.Resent = true
		w.mu.Lock()
		defer w.mu.Unlock()
		w.record(d, a)
	})
	if !begun {
		return fmt.Errorf("delivery: %d is not sent again: the server is closed", id)
	}
	return nil
}
