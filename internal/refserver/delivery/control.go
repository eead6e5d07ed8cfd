package delivery

import (
	"fmt"
	"slices"

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

// Unsent returns the last events that nobody was told of, oldest first.
func (w *Worker) Unsent() []world.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.unsent)
}

// Since returns the deliveries with a change after that of the number.
func (w *Worker) Since(rev int64) []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Delivery
	for _, d := range w.deliveries {
		if d.Rev > rev {
			out = append(out, d.copy())
		}
	}
	return out
}

// Delivery returns the one with the id.
func (w *Worker) Delivery(id int64) (Delivery, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.deliveries {
		if d.ID == id {
			return d.copy(), true
		}
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
	for _, d := range w.deliveries {
		if d.ID != id {
			continue
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
	return fmt.Errorf("delivery: there is no delivery %d", id)
}
