package delivery

import (
	"context"
	"fmt"
	"net/url"
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

// Resend makes one more attempt now, whatever became of the delivery. It returns
// before the attempt is made.
func (w *Worker) Resend(id int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.deliveries {
		if d.ID != id {
			continue
		}
		resent := w.work.Go(func() {
			a := w.attempt(d, 0)
			a.Resent = true
			w.mu.Lock()
			defer w.mu.Unlock()
			w.record(d, a)
		})
		if resent {
			return nil
		}
	}
	return fmt.Errorf("delivery: there is no delivery %d", id)
}

// Settle waits until nothing is being sent. Deliveries that wait for the clock
// do not count.
func (w *Worker) Settle(ctx context.Context) error { return w.work.Settle(ctx) }

// Close gives up what is under way and waits for its goroutines.
func (w *Worker) Close() { w.work.Close() }

// Routed reports whether the address leads somewhere without the network.
func (w *Worker) Routed(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	_, ok := w.Routes.find(u.Hostname())
	return ok
}
