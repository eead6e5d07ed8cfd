package payments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// errLost means that another replica has taken over the entry, or an operator has closed it.
var errLost = errors.New("the operation was taken over or closed")

const (
	firstPause = 25 * time.Millisecond // between reads of the ledger, or tries of a write
	mostPause  = time.Second / 2
	writeTime  = 10 * time.Second // timeout for an outcome, also after the context of the function has ended
)

// hold is an entry that this process owns until another one writes to it.
type hold struct {
	c     *Cashier
	owner string
	// patient means that a call waits for other operations. Run tries again later instead.
	patient bool

	mu    sync.Mutex
	entry Entry // as it is in the ledger
	lost  bool
}

// sighting records since when an entry was seen unchanged.
type sighting struct {
	version int64
	since   time.Time // monotonic, because clocks of replicas are not compared
}

// unchanged returns how long an entry was seen at its version.
func (s *sighting) unchanged(e Entry) time.Duration {
	if s.version != e.Version {
		*s = sighting{e.Version, time.Now()}
	}
	return time.Since(s.since)
}

// conclude begins an operation, or waits for the replica that processes it, and takes over from a crashed one. It
// returns the entry as soon as the outcome is known.
func (c *Cashier) conclude(
	ctx context.Context, e Entry, differs func(Entry) error, act func(context.Context, *hold) error,
) (Entry, error) {
	var seen sighting
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		stored, created, err := c.ledger().Begin(ctx, e)
		if err != nil {
			return Entry{}, fmt.Errorf("payments: begin in the ledger: %w", err)
		}
		if err := differs(stored); err != nil || stored.State != StateBegun {
			return stored, err
		}
		if stored.unknown() && c.rests(stored) {
			return stored, fmt.Errorf("%w: a person must complete the operation: see Stuck", ErrInProgress)
		}
		if created || stored.Owner == "" || seen.unchanged(stored) >= c.lease() {
			h := &hold{c: c, owner: e.Owner, entry: stored, patient: true}
			if !created {
				err = h.write(ctx, func(e *Entry) { e.Tries++ })
			}
			if err == nil {
				err = act(ctx, h)
			}
			if !errors.Is(err, errLost) {
				return h.current(), err
			}
		}
		if err := c.wait(ctx, pause); err != nil {
			return stored, err
		}
	}
}

// wait waits before the next read of another replica's operation, unless the answer is due.
func (c *Cashier) wait(ctx context.Context, pause time.Duration) error {
	if due, ok := AnswerBy(ctx); ok && time.Until(due) < 2*mostPause {
		return ErrInProgress
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrInProgress, context.Cause(ctx))
	case <-time.After(pause):
		return nil
	}
}

// current returns this process's copy of the entry.
func (h *hold) current() Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.entry
}

// write changes the entry. It retries failed writes until ctx ends. It returns errLost if another replica has
// written.
func (h *hold) write(ctx context.Context, change func(*Entry)) error {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		err := h.swap(ctx, change)
		if err == nil || errors.Is(err, errLost) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("payments: write to the ledger: %w", err)
		case <-time.After(pause):
		}
	}
}

// swap writes the entry once.
func (h *hold) swap(ctx context.Context, change func(*Entry)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lost {
		return errLost
	}
	next := h.entry
	next.Owner, next.ChangedAt = h.owner, h.c.now()
	change(&next)
	swapped, err := h.c.ledger().Swap(ctx, next)
	if err != nil {
		return err
	}
	if swapped {
		next.Version++
		h.entry = next
		return nil
	}
	stored, _, err := h.c.ledger().Begin(ctx, h.entry) // it exists, so this reads it
	if err != nil {
		return err
	}
	switch {
	case stored.Owner == h.owner && stored.equal(next):
		h.entry = stored // this write was applied
		return nil
	case stored.Owner == h.owner && stored.State == h.entry.State:
		h.entry.Version = stored.Version // an earlier try was applied, but its result was lost
		return errors.New("the answer to a write was lost")
	}
	h.lost = true // taken over by another replica, or closed by an operator
	return errLost
}

// equal compares two entries except for the time and the number of their last change.
func (e Entry) equal(other Entry) bool {
	e.ChangedAt, e.Version = other.ChangedAt, other.Version
	one, err := wire.Marshal(e)
	if err != nil {
		return false
	}
	two, err := wire.Marshal(other)
	return err == nil && bytes.Equal(one, two)
}

// working calls a function of the app, and meanwhile changes the entry periodically so that no replica takes it over.
// The function's context ends if a replica has taken it over.
func (h *hold) working(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(h.c.lease() / 3):
			}
			if err := h.write(ctx, func(*Entry) {}); errors.Is(err, errLost) {
				cancel(errLost)
			}
		}
	}()
	defer func() {
		cancel(nil)
		<-stopped
	}()
	return f(ctx)
}

// calling records that a function of the app is about to be called, so that money may move.
func (h *hold) calling(ctx context.Context, change func(*Entry)) error {
	if !h.current().Uncalled {
		return nil
	}
	return h.write(ctx, func(e *Entry) {
		e.Uncalled, e.Queued = false, false
		change(e)
	})
}

// concluded stores an outcome, even if ctx has ended.
func (h *hold) concluded(ctx context.Context, change func(*Entry)) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
	defer cancel()
	return h.write(ctx, change)
}

// failed stores the error of a try, and returns it, or errLost.
func (h *hold) failed(ctx context.Context, err error) error {
	lost := h.concluded(ctx, func(e *Entry) {
		e.LastError = callback.Reason(err)
		if e.Queued = false; errors.Is(err, ErrInProgress) {
			e.Owner = "" // so that a repeated call need not wait for the lease
		}
	})
	if errors.Is(lost, errLost) {
		return errLost
	}
	return errors.Join(err, lost)
}
