package delivery

import "fmt"

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
