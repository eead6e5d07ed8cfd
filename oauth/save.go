package oauth

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
)

const maxSwaps = 100 // lost races in a row, after which the TokenStore counts as broken

// save stores a new token so that the token issued last remains.
//
// With Verify, a process swaps only after it has read the old generation and then seen its own token alive. If a later
// token is stored in between, the swap fails; if it is stored afterwards, it replaces this one. So a dead token never
// remains. Without Verify, the lane has ordered the installs of this process.
func (h *Handler) save(ctx context.Context, in Install) (Install, error) {
	for range maxSwaps {
		held, err := h.load(ctx, in.StoreID)
		if errors.Is(err, ErrNotInstalled) {
			held, err = Install{}, nil
		}
		if err != nil {
			return Install{}, fmt.Errorf("oauth: load install: %w", err)
		}
		if h.Verify != nil {
			alive, err := h.verify(ctx, in)
			if err != nil {
				// The token is new and most likely alive, and dropping it would certainly do damage.
				h.report(ctx, fmt.Errorf("oauth: Handler.Verify: %w", err))
			} else if !alive {
				return Install{}, ErrSuperseded
			}
		}
		in.Generation = newGeneration()
		swapped, err := h.swap(ctx, in.StoreID, held.Generation, &in)
		if err != nil {
			return Install{}, fmt.Errorf("oauth: store install: %w", err)
		}
		if swapped {
			return in, nil
		}
	}
	return Install{}, fmt.Errorf("oauth: store install: lost %d races for store %d", maxSwaps, in.StoreID)
}

// Uninstall deletes the token of a store. Call it for the event app/uninstalled. It does nothing if there is no token,
// so it may be called again. The event can arrive late and more than once. With Verify, Uninstall keeps a token that is
// alive, because it belongs to a newer install. If Verify fails, its error is returned and nothing is deleted. Without
// Verify, a late event deletes the token of a newer install.
func (h *Handler) Uninstall(ctx context.Context, storeID client.ID) error {
	for range maxSwaps {
		held, err := h.Tokens.Load(ctx, storeID)
		if errors.Is(err, ErrNotInstalled) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("oauth: load install: %w", err)
		}
		if h.Verify != nil {
			alive, err := h.verify(ctx, held)
			if err != nil {
				return fmt.Errorf("oauth: Handler.Verify: %w", err)
			}
			if alive {
				return nil
			}
		}
		swapped, err := h.Tokens.Swap(ctx, storeID, held.Generation, nil)
		if err != nil {
			return fmt.Errorf("oauth: delete install: %w", err)
		}
		if swapped {
			return nil
		}
	}
	return fmt.Errorf("oauth: delete install: lost %d races for store %d", maxSwaps, storeID)
}

// newGeneration is random. A count would restart after a deletion, and an old number would then match a new record.
func newGeneration() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1
}

// bound returns a context that outlives the browser and times out. Each step has its own, so a slow step leaves time
// for the next.
func (h *Handler) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), h.App.timeout())
}

func (h *Handler) load(ctx context.Context, storeID client.ID) (Install, error) {
	ctx, cancel := h.bound(ctx)
	defer cancel()
	return h.Tokens.Load(ctx, storeID)
}

func (h *Handler) swap(ctx context.Context, storeID client.ID, old int64, next *Install) (bool, error) {
	ctx, cancel := h.bound(ctx)
	defer cancel()
	return h.Tokens.Swap(ctx, storeID, old, next)
}

// verify calls Verify and waits no longer than its context lives. A panic of Verify becomes a panic of verify.
func (h *Handler) verify(ctx context.Context, in Install) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, h.App.timeout())
	defer cancel()
	type verdict struct {
		alive    bool
		err      error
		panicked any
	}
	done := make(chan verdict, 1)
	go func() {
		v := verdict{err: errors.New("no answer")} // if Verify ends the goroutine
		defer func() {
			v.panicked = recover()
			done <- v
		}()
		v.alive, v.err = h.Verify(ctx, in)
	}()
	select {
	case v := <-done:
		if v.panicked != nil {
			panic(v.panicked)
		}
		return v.alive, v.err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
