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

	// unknownFor is how long the platform may refuse a token that it has just issued. Its servers may not all know it.
	unknownFor = 5 * time.Second
)

// save stores a new token. The exchange has ended the previous token, so a failure of the store is not the end: save
// repeats it for App.Timeout. A Swap whose answer was lost is found by its generation. A token that the platform
// refuses for unknownFor is not lost either; see keepRefused.
func (h *Handler) save(ctx context.Context, in Install) (Install, error) {
	in.Generation = newGeneration()
	began, first := time.Now(), int64(-1) // the generation of the record before
	end := began.Add(h.App.timeout())
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		saved, err := h.trySave(ctx, in, &first)
		switch {
		case err == nil, errors.Is(err, ErrSuperseded):
			return saved, err
		case errors.Is(err, errNotKnown) && (time.Since(began) >= unknownFor || time.Until(end) < pause):
			return Install{}, h.keepRefused(ctx, in)
		case time.Until(end) < pause:
			return Install{}, err
		}
		time.Sleep(pause)
	}
}

// errNotKnown means that the platform refuses a new token, which it may not know yet.
var errNotKnown = errors.New("oauth: the platform refuses the new token")

// trySave stores a new token so that the token issued last remains. It sets first, if it is below 0, to the generation
// of the stored record.
//
// With Verify, a process swaps only after it has read the old generation and then seen its own token alive. If a later
// token is stored in between, the swap fails; if it is stored afterwards, it replaces this one. So a dead token never
// remains. Without Verify, the lane has ordered the installs of this process.
func (h *Handler) trySave(ctx context.Context, in Install, first *int64) (Install, error) {
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
		if held.Generation == in.Generation {
			in.Installation = held.Installation
			return in, nil // an earlier Swap was applied
		}
		in.Installation = cmp.Or(held.installation(), in.Generation) // its own if it is the first
		if *first < 0 {
			*first = held.Generation
		}
		if h.Verify != nil {
			alive, err := h.verify(ctx, in)
			if err != nil {
				// The token is new and most likely alive, and dropping it would certainly do damage.
				h.report(ctx, fmt.Errorf("oauth: Handler.Verify: %w", err))
			} else if !alive {
				if held.Generation == *first {
					return Install{}, errNotKnown
				}
				return Install{}, h.keepRefused(ctx, in)
			}
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
