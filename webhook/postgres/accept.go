package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// longest is the largest size of a key or a lane in bytes, because both are in indexes.
const longest = 1000

// Accept stores all entries or none. Concurrent calls share a transaction; a call that cannot be stored does not fail
// the others. After an error that is not about the entries, they may be stored already or later, so do not change them
// or their bodies.
func (in *Inbox) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	for i := range entries {
		if err := check(&entries[i]); err != nil {
			return nil, fmt.Errorf("postgres: %w", err)
		}
	}
	if err := ctx.Err(); err != nil || len(entries) == 0 {
		return nil, err
	}
	if err := in.durability.refusal(); err != nil {
		return nil, failed("accept", err)
	}
	c := &call{ctx: ctx, entries: entries, done: make(chan struct{})}
	in.arrivals.add(c)
	select {
	case <-c.done:
		if c.err == nil {
			in.accepted.Add(int64(len(entries)))
		}
		return c.outcomes, c.err
	case <-ctx.Done():
		return nil, failed("accept", ctx.Err())
	case <-in.ctx.Done():
		return nil, failed("accept", errClosed)
	}
}

// InTime implements webhook.InTime.
func (in *Inbox) InTime(of webhook.Inbox) bool { return of == webhook.Inbox(in) }

func check(e *webhook.Entry) error {
	switch {
	case e.Key == "" || len(e.Key) > longest || !storable(e.Key):
		return fmt.Errorf("entry of lane %.80q: Key %.80q: must be 1 to %d bytes of UTF-8 without NUL", e.Lane, e.Key, longest)
	case e.Lane == "" || len(e.Lane) > longest || !storable(e.Lane):
		return fmt.Errorf("entry %q: Lane %.80q: must be 1 to %d bytes of UTF-8 without NUL", e.Key, e.Lane, longest)
	case e.Kind != webhook.KindSignal && e.Kind != webhook.KindFact:
		return fmt.Errorf("entry %q: Kind %q: must be %q or %q", e.Key, e.Kind, webhook.KindSignal, webhook.KindFact)
	case !storable(string(e.Event)):
		return fmt.Errorf("entry %q: Event %.80q: must be UTF-8 without NUL", e.Key, e.Event)
	case !storable(e.Unhandled):
		return fmt.Errorf("entry %q: Unhandled %.80q: must be UTF-8 without NUL", e.Key, e.Unhandled)
	case e.Settle < 0 || e.Settle > mostTime:
		return fmt.Errorf("entry %q: Settle %v: must be 0 to %v", e.Key, e.Settle, mostTime)
	case e.Window > mostTime:
		return fmt.Errorf("entry %q: Window %v: must be at most %v, or below 0 for forever", e.Key, e.Window, mostTime)
	}
	for _, name := range e.Clears {
		if name == "" || !storable(string(name)) || strings.Contains(string(name), "\n") {
			return fmt.Errorf("entry %q: Clears %.80q: must be UTF-8 without NUL and newlines", e.Key, name)
		}
	}
	return nil
}

// mostTime is the longest time that is added to the clock of the engine.
const mostTime = 200 * 365 * 24 * time.Hour
