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

// newToken is a token that is not stored yet.
type newToken struct {
	Install
	sent    time.Time // of the request for it
	first   int64     // the generation of the record before; below 0 if it is not known yet
	refused bool      // the platform refuses it, and it must be stored anyway
}

// save stores a new token, whose request was sent at a time. The exchange has ended the previous token, so a failure of
// the store is not the end: save repeats it for App.Timeout. A Swap whose answer was lost is found by its generation. A
// token that the platform refuses for unknownFor is stored too; the error is then errNotKnown.
func (h *Handler) save(ctx context.Context, in Install, sent time.Time) (Install, error) {
	in.Generation, in.Due = newGeneration(), h.OnInstalled != nil
	n, began := &newToken{Install: in, sent: sent, first: -1}, time.Now()
	end := began.Add(h.App.timeout())
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		err := h.trySave(ctx, n)
		switch {
		case err == nil:
			return n.Install, h.saved(ctx, n)
		case errors.Is(err, ErrSuperseded):
			return Install{}, err
		case errors.Is(err, errNotKnown) && (time.Since(began) >= unknownFor || time.Until(end) < pause):
			n.refused = true
			continue
		case time.Until(end) < pause:
			return Install{}, err
		}
		time.Sleep(pause)
	}
}

// saved begins the time of the judge for a new token.
func (h *Handler) saved(ctx context.Context, n *newToken) error {
	h.judge().Installed(n.StoreID)
	if !n.refused {
		return nil
	}
	h.dues.note(n.Install, true)
	h.judge().Observe(ctx, n.StoreID, client.ErrUnauthorized)
	return errNotKnown
}

// trySave stores a new token so that the token issued last remains. If the platform refuses the token, the error is
// errNotKnown, unless it must be stored anyway.
//
// With Verify, a process swaps only after it has read the old generation and then seen its own token alive. If a later
// token is stored in between, the swap fails; if it is stored afterwards, it replaces this one. So a dead token never
// remains. Without Verify, the lane has ordered the installations of this process.
func (h *Handler) trySave(ctx context.Context, n *newToken) error {
	for range maxSwaps {
		held, err := h.load(ctx, n.StoreID)
		var replaced error
		switch {
		case errors.Is(err, ErrNotInstalled):
			held = Install{}
		case errors.Is(err, ErrUnreadable) && held.Generation != 0:
			replaced = fmt.Errorf("oauth: a new installation replaces a record: %w", err)
		case err != nil:
			return fmt.Errorf("oauth: load installation: %w", err)
		}
		if held.Generation == n.Generation {
			n.Installation = held.Installation
			return nil // an earlier Swap was applied
		}
		n.Installation = cmp.Or(held.installation(), n.Generation) // its own if it is the first
		if n.first < 0 {
			n.first = held.Generation
		}
		if err := h.examine(ctx, n, held); err != nil {
			return err
		}
		next := n.Install
		next.Due = next.Due || n.refused
		swapped, err := h.swap(ctx, n.StoreID, held.Generation, &next)
		if err != nil {
			return fmt.Errorf("oauth: store installation: %w", err)
		}
		if swapped {
			if replaced != nil {
				h.report(ctx, replaced)
			}
			return nil
		}
	}
	return fmt.Errorf("oauth: store installation: lost %d races for store %d", maxSwaps, n.StoreID)
}

// examine returns an error unless a new token can replace the stored record.
func (h *Handler) examine(ctx context.Context, n *newToken, held Install) error {
	if h.Verify == nil {
		return nil
	}
	alive, err := h.verify(ctx, n.Install)
	switch {
	case err != nil:
		// The token is new and most likely alive, and dropping it would certainly do damage.
		h.report(ctx, fmt.Errorf("oauth: Handler.Verify: %w", err))
	case alive:
		n.refused = false
	case (n.refused || held.Generation != n.first) && h.supersedes(ctx, held, n):
		return ErrSuperseded
	case !n.refused:
		return errNotKnown
	}
	return nil
}

// supersedes reports whether the stored token is the later one of two, although the other is new and refused. A token
// that arrived before the request for the other is not, although the platform may still accept it. Otherwise the later
// arrival decides. If a clock must be wrong, or the answers arrived in another order, the platform decides.
func (h *Handler) supersedes(ctx context.Context, held Install, n *newToken) bool {
	if held.Generation == 0 || held.InstalledAt.Before(n.sent.Add(-clockSkew)) {
		return false
	}
	if held.InstalledAt.After(n.InstalledAt) && held.InstalledAt.Before(time.Now().Add(clockSkew)) {
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
