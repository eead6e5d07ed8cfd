package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// longest is what a key or a lane may have, in bytes: both are in indexes.
const longest = 1000

// Accept stores all entries or none. Calls at the same time share a transaction; one that
// cannot be stored does not fail the others. An error that is not of the entries themselves leaves open whether they
// were stored, or are still to be: leave them and their bodies unchanged.
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
		return c.outcomes, c.err
	case <-ctx.Done():
		return nil, failed("accept", ctx.Err())
	case <-in.ctx.Done():
		return nil, failed("accept", errClosed)
	}
}

func check(e *webhook.Entry) error {
	switch {
	case e.Key == "" || len(e.Key) > longest || !storable(e.Key):
		return fmt.Errorf("entry of lane %.80q: Key %.80q: want 1 to %d bytes of UTF-8 without NUL", e.Lane, e.Key, longest)
	case e.Lane == "" || len(e.Lane) > longest || !storable(e.Lane):
		return fmt.Errorf("entry %q: Lane %.80q: want 1 to %d bytes of UTF-8 without NUL", e.Key, e.Lane, longest)
	case e.Kind != webhook.KindSignal && e.Kind != webhook.KindFact:
		return fmt.Errorf("entry %q: Kind %q: want %q or %q", e.Key, e.Kind, webhook.KindSignal, webhook.KindFact)
	case !storable(string(e.Event)):
		return fmt.Errorf("entry %q: Event %.80q: want UTF-8 without NUL", e.Key, e.Event)
	case !storable(e.Unhandled):
		return fmt.Errorf("entry %q: Unhandled %.80q: want UTF-8 without NUL", e.Key, e.Unhandled)
	case e.Settle < 0 || e.Settle > mostTime:
		return fmt.Errorf("entry %q: Settle %v: want 0 to %v", e.Key, e.Settle, mostTime)
	case e.Window > mostTime:
		return fmt.Errorf("entry %q: Window %v: want at most %v, or below 0 for ever", e.Key, e.Window, mostTime)
	}
	for _, name := range e.Clears {
		if name == "" || !storable(string(name)) || strings.Contains(string(name), "\n") {
			return fmt.Errorf("entry %q: Clears %.80q: want UTF-8 without NUL and newlines", e.Key, name)
		}
	}
	return nil
}

// mostTime is the longest time that is added to the clock of the engine.
const mostTime = 200 * 365 * 24 * time.Hour
