package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// end checks the state, exchanges the code, stores the token and answers the browser, in this order.
func (h *Handler) end(w http.ResponseWriter, r *http.Request, c callback) {
	if h.Tokens == nil {
		h.fail(w, r, fmt.Errorf("%w: Handler.Tokens is nil: want the store of the tokens", errConfig))
		return
	}
	p, err := h.admit(r, c)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	in, err := h.install(r.Context(), c.code)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if h.Installed != nil {
		if err := h.Installed(context.WithoutCancel(r.Context()), in); err != nil {
			h.fail(w, r, fmt.Errorf("oauth: Handler.Installed: %w", err))
			return
		}
	}
	switch {
	case p.ReturnTo != "":
		redirect(w, p.ReturnTo)
	case h.Success != nil:
		guard(w)
		h.Success(w, r, in)
	default:
		successPage(w)
	}
}

// admit decides whether the code may be sent, and uses up what allows it: the state, and the code itself.
func (h *Handler) admit(r *http.Request, c callback) (Pending, error) {
	var p Pending
	switch {
	case c.state != "":
		var err error
		if p, err = h.take(r, c.state); err != nil {
			return Pending{}, err
		}
	case !h.AllowUnsolicited:
		return Pending{}, ErrUnsolicited
	default:
		p.ReturnTo = h.ReturnTo
	}
	if c.code == "" {
		return Pending{}, fmt.Errorf("%w: state without code", errQuery)
	}
	// The path comes from a store that others may write to, or from a field.
	if p.ReturnTo != "" {
		if err := checkTarget(p.ReturnTo); err != nil {
			return Pending{}, err
		}
	}
	sum := sha256.Sum256([]byte(c.code))
	if !h.codes.put(hex.EncodeToString(sum[:]), struct{}{}, time.Now().Add(stateLifetime), defaultMax) {
		return Pending{}, fmt.Errorf("%w: the code was sent already", ErrState)
	}
	return p, nil
}

func (h *Handler) take(r *http.Request, text string) (Pending, error) {
	state, ok := parseNonce(text)
	if !ok {
		return Pending{}, ErrState
	}
	browser, ok := knownBrowser(r)
	if !ok {
		return Pending{}, fmt.Errorf("%w: no cookie", ErrState)
	}
	p, ok, err := h.states().Take(r.Context(), stateKey(h.App.ID, state, browser))
	switch {
	case err != nil:
		return Pending{}, fmt.Errorf("oauth: take state: %w", err)
	case !ok:
		return Pending{}, ErrState
	case time.Now().After(p.Expires):
		return Pending{}, fmt.Errorf("%w: expired", ErrState)
	}
	return p, nil
}

// install makes a token of the code and stores it. Once the request is on its way a browser that goes away changes
// nothing: a token that is issued and not stored would leave the store without any.
func (h *Handler) install(ctx context.Context, code string) (Install, error) {
	if h.Verify == nil {
		h.setup.Do(func() { h.lane = make(lane, 1) })
		leave, err := h.lane.enter(ctx, h.App.timeout())
		if err != nil {
			return Install{}, err
		}
		defer leave()
	}
	ctx = context.WithoutCancel(ctx)
	in, err := h.App.Exchange(ctx, code)
	if err != nil {
		return Install{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, h.App.timeout())
	defer cancel()
	return h.save(ctx, in)
}

const maxSwaps = 100 // lost races in a row, before we take the TokenStore for broken

// save stores a new token so that the last one issued stays.
//
// With Verify: whoever swaps has seen his own token alive after he read the generation he replaces. If a later token had
// been stored in between, the swap would fail; if it is stored afterwards, it replaces ours. So a token that was dead
// cannot come out on top. Without Verify the lane has put the installs of this process in order.
func (h *Handler) save(ctx context.Context, in Install) (Install, error) {
	for range maxSwaps {
		held, err := h.Tokens.Load(ctx, in.StoreID)
		if errors.Is(err, ErrNotInstalled) {
			held, err = Install{}, nil
		}
		if err != nil {
			return Install{}, fmt.Errorf("oauth: load install: %w", err)
		}
		if h.Verify != nil {
			alive, err := h.Verify(ctx, in)
			if err != nil {
				// The token is new, so most likely alive; to drop it would be certain damage.
				h.report(ctx, fmt.Errorf("oauth: Handler.Verify: %w", err))
			} else if !alive {
				return Install{}, ErrSuperseded
			}
		}
		in.Generation = newGeneration()
		swapped, err := h.Tokens.Swap(ctx, in.StoreID, held.Generation, &in)
		if err != nil {
			return Install{}, fmt.Errorf("oauth: store install: %w", err)
		}
		if swapped {
			return in, nil
		}
	}
	return Install{}, fmt.Errorf("oauth: store install: lost %d races for store %d", maxSwaps, in.StoreID)
}

// Uninstall deletes the token of a store: call it for the event app/uninstalled. It does nothing if there is none, so it
// may be called again. Events come late and more than once: with Verify, a token that is alive belongs to a newer
// install and stays; an error of Verify is returned, and nothing is deleted. Without Verify a late event deletes the
// token of a newer install.
func (h *Handler) Uninstall(ctx context.Context, storeID int64) error {
	for range maxSwaps {
		held, err := h.Tokens.Load(ctx, storeID)
		if errors.Is(err, ErrNotInstalled) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("oauth: load install: %w", err)
		}
		if h.Verify != nil {
			alive, err := h.Verify(ctx, held)
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

// newGeneration is random, not a count: after a deletion a count would start again, and an old number would fit a new
// record.
func newGeneration() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1
}

// lane lets one install pass at a time. Which store a code is for is known only from the answer, so the lane is for all.
type lane chan struct{}

func (l lane) enter(ctx context.Context, patience time.Duration) (leave func(), err error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNotSent, ctx.Err())
	case <-timer.C:
		return nil, fmt.Errorf("%w: %w", ErrNotSent, errBusy)
	}
}
