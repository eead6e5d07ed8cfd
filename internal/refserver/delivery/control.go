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
		if d.ID != id || w.closed {
			continue
		}
		w.begin()
		go func() {
			defer w.end()
			a := w.attempt(d, 0)
			a.Resent = true
			w.mu.Lock()
			defer w.mu.Unlock()
			w.record(d, a)
		}()
		return nil
	}
	return fmt.Errorf("delivery: there is no delivery %d", id)
}

// Settle waits until nothing is being sent. Deliveries that wait for the clock
// do not count.
func (w *Worker) Settle(ctx context.Context) error {
	for {
		w.mu.Lock()
		idle := w.idle
		busy := w.busy
		w.mu.Unlock()
		if busy == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close gives up what is under way and waits for its goroutines.
func (w *Worker) Close() error {
	w.mu.Lock()
	w.closed = true
	for t := range w.timers {
		t.Stop()
	}
	clear(w.timers)
	w.mu.Unlock()
	w.cancel()
	return w.Settle(context.Background())
}

// Routed reports whether the address leads somewhere without the network.
func (w *Worker) Routed(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	_, ok := w.Routes.find(u.Hostname())
	return ok
}

// begin counts work that has started. The lock is held.
func (w *Worker) begin() {
	if w.busy == 0 {
		w.idle = make(chan struct{})
	}
	w.busy++
}

func (w *Worker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy--; w.busy == 0 {
		close(w.idle)
	}
}
