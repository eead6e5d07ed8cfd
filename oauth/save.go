package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

const (
	maxSwaps = 100 // lost races in a row, after which the TokenStore counts as broken

	firstPause = 50 * time.Millisecond // between two tries to store a token, then twice as long each time
	mostPause  = 2 * time.Second

	// unknownFor is how long a browser waits for a new token that the platform refuses. Its servers may not know it.
	unknownFor = 5 * time.Second

	// clockSkew is how far the clocks of two replicas may differ.
	clockSkew = time.Second
)

// save stores a new token, whose request was sent at a time. The exchange has ended the previous token, so a failure of
// the store is not the end: save repeats it for App.Timeout. A Swap whose answer was lost is found by its generation. A
// token that the platform refuses for unknownFor is stored as Due.
func (h *Handler) save(ctx context.Context, in Install, sent time.Time) (Install, error) {
	in.Generation = newGeneration()
	began, first := time.Now(), int64(-1) // the generation of the record before
	end := began.Add(h.App.timeout())
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		saved, err := h.trySave(ctx, in, sent, &first)
		switch {
		case err == nil:
			h.saved(ctx, saved)
			return saved, nil
		case errors.Is(err, ErrSuperseded):
			return saved, err
		case errors.Is(err, errNotKnown) && (time.Since(began) >= unknownFor || time.Until(end) < pause):
			in.Due = true
			continue
		case time.Until(end) < pause:
			return Install{}, err
		}
		time.Sleep(pause)
	}
}

// saved begins the time of the judge for a new token.
func (h *Handler) saved(ctx context.Context, in Install) {
	h.judge().Installed(in.StoreID)
	if in.Due {
		h.dues.note(in, true)
		h.judge().Observe(ctx, in.StoreID, client.ErrUnauthorized)
	}
}

// trySave stores a new token so that the token issued last remains. It sets first, if it is below 0, to the generation
// of the stored record. A token that the platform refuses is stored only if it is Due; otherwise the error is
// errNotKnown.
//
// With Verify, a process swaps only after it has read the old generation and then seen its own token alive. If a later
// token is stored in between, the swap fails; if it is stored afterwards, it replaces this one. So a dead token never
// remains. Without Verify, the lane has ordered the installs of this process.
func (h *Handler) trySave(ctx context.Context, in Install, sent time.Time, first *int64) (Install, error) {
	for range maxSwaps {
		held, err := h.load(ctx, in.StoreID)
		var replaced error
		switch {
		case errors.Is(err, ErrNotInstalled):
			held = Install{}
		case errors.Is(err, ErrUnreadable) && held.Generation != 0:
			replaced = fmt.Errorf("oauth: a new install replaces a record: %w", err)
		case err != nil:
			return Install{}, fmt.Errorf("oauth: load install: %w", err)
		}
		in.Installation = cmp.Or(held.installation(), in.Generation) // its own if it is the first
		if held.Generation == in.Generation {
			in.Due = held.Due
			return in, nil // an earlier Swap was applied
		}
		if *first < 0 {
			*first = held.Generation
		}
		if in, err = h.examine(ctx, in, held, sent, held.Generation != *first); err != nil {
			return Install{}, err
		}
		swapped, err := h.swap(ctx, in.StoreID, held.Generation, &in)
		if err != nil {
			return Install{}, fmt.Errorf("oauth: store install: %w", err)
		}
		if swapped {
			if replaced != nil {
				h.report(ctx, replaced)
			}
			return in, nil
		}
	}
	return Install{}, fmt.Errorf("oauth: store install: lost %d races for store %d", maxSwaps, in.StoreID)
}

// examine decides whether a new token can replace the stored record, which is another one than before if changed is
// true. It returns the token as it should be stored.
func (h *Handler) examine(ctx context.Context, in, held Install, sent time.Time, changed bool) (Install, error) {
	if h.Verify == nil {
		return in, nil
	}
	alive, err := h.verify(ctx, in)
	switch {
	case err != nil:
		// The token is new and most likely alive, and dropping it would certainly do damage.
		h.report(ctx, fmt.Errorf("oauth: Handler.Verify: %w", err))
		return in, nil
	case alive:
		in.Due = false
		return in, nil
	case (in.Due || changed) && h.supersedes(ctx, held, in, sent):
		return in, ErrSuperseded
	case in.Due:
		return in, nil
	}
	return in, errNotKnown
}

// supersedes reports whether the stored token is the later one of two, although the other is new and refused. A token
// that arrived before the request for the other is not, although the platform may still accept it. Otherwise the later
// arrival decides. If a clock must be wrong, or the answers arrived in another order, the platform decides.
func (h *Handler) supersedes(ctx context.Context, held, in Install, sent time.Time) bool {
	if held.Generation == 0 || held.InstalledAt.Before(sent.Add(-clockSkew)) {
		return false
	}
	if held.InstalledAt.After(in.InstalledAt) && held.InstalledAt.Before(time.Now().Add(clockSkew)) {
		return true
	}
	alive, err := h.verify(ctx, held)
	return err == nil && alive
}

// newGeneration is random. A count would restart after a deletion, and an old number would then match a new record.
func newGeneration() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1
}

func (h *Handler) load(ctx context.Context, storeID client.ID) (Install, error) {
	return h.tokens().Load(context.WithoutCancel(ctx), storeID)
}

func (h *Handler) swap(ctx context.Context, storeID client.ID, old int64, next *Install) (bool, error) {
	return h.tokens().Swap(context.WithoutCancel(ctx), storeID, old, next)
}

// verify calls Verify, and waits no longer than its context lives.
func (h *Handler) verify(ctx context.Context, in Install) (bool, error) {
	h.prepare()
	return callback.Guarded(ctx, h.guard, "Handler.Verify", func(ctx context.Context) (bool, error) { return h.Verify(ctx, in) })
}
