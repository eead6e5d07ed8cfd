package oauth

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

const (
	// RetiredFor is how long Revive keeps a retired token before it erases it. Erase does so earlier. A token that
	// cannot be verified then is kept for twice that time.
	RetiredFor = 30 * 24 * time.Hour

	// ReviveEvery is the pause of KeepRetired between two calls of Revive.
	ReviveEvery = time.Hour

	revivePlaces = 8 // stores at a time
)

// Uninstall retires the token of a store, so that Load returns ErrNotInstalled. Call it for the event app/uninstalled.
// It does nothing if there is no token, so it may be called again. A new installation replaces a retired token, Revive
// makes it valid again if the platform accepts it, and Erase deletes it. If Tokens is no Retirer, the token is deleted.
//
// The event can arrive late and more than once. With Verify, Uninstall keeps a token that is alive, because it belongs
// to a newer installation. If Verify fails, its error is returned and nothing changes. With Judge, one refusal retires
// nothing either. Until there is the evidence of client.ActErase, the error wraps client.ErrDoubtful; call Uninstall
// again later. Without Verify, a late event retires the token of a newer installation.
func (h *Handler) Uninstall(ctx context.Context, storeID client.ID) error {
	for range maxSwaps {
		held, err := h.tokens().Load(ctx, storeID)
		if errors.Is(err, ErrNotInstalled) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("oauth: load installation: %w", err)
		}
		since, err := h.refusedSince(ctx, held)
		if err != nil || since.IsZero() {
			return err
		}
		ended, err := h.retire(ctx, held, since)
		if err != nil {
			return fmt.Errorf("oauth: retire installation: %w", err)
		}
		if ended {
			return nil
		}
	}
	return fmt.Errorf("oauth: retire installation: lost %d races for store %d", maxSwaps, storeID)
}

// refusedSince returns the time of the first refusal of a token, zero if it is alive.
func (h *Handler) refusedSince(ctx context.Context, in Install) (time.Time, error) {
	if h.Verify == nil {
		return time.Now(), nil
	}
	alive, err := h.verify(ctx, in)
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("oauth: Handler.Verify: %w", err)
	case alive && h.Judge != nil:
		h.Judge.Observe(ctx, in.StoreID, nil)
		fallthrough
	case alive:
		return time.Time{}, nil
	case h.Judge == nil:
		return time.Now(), nil
	}
	h.Judge.Observe(ctx, in.StoreID, client.ErrUnauthorized)
	v := h.Judge.Verdict(ctx, in.StoreID, client.ActErase)
	return v.Since, v.Err()
}

// retire marks the record of a token, with the zero time as valid, or deletes it if Tokens is no Retirer.
func (h *Handler) retire(ctx context.Context, in Install, since time.Time) (bool, error) {
	if r, ok := h.Tokens.(Retirer); ok {
		h.prepare()
		return callback.Guarded(ctx, h.guard, "Retirer.Retire", func(ctx context.Context) (bool, error) {
			return r.Retire(ctx, in.StoreID, in.Generation, since)
		})
	}
	return h.tokens().Swap(ctx, in.StoreID, in.Generation, nil)
}

// Erase deletes the retired token of a store. Call it for the event store/redact. A token that is not retired is first
// treated as by Uninstall, whose errors Erase returns, so a token that is alive stays.
func (h *Handler) Erase(ctx context.Context, storeID client.ID) error {
	if err := h.Uninstall(ctx, storeID); err != nil {
		return err
	}
	held, err := h.tokens().Load(ctx, storeID)
	switch {
	case errors.Is(err, ErrNotInstalled) && held.Generation != 0:
		_, err = h.tokens().Swap(ctx, storeID, held.Generation, nil)
	case errors.Is(err, ErrNotInstalled):
		return nil
	}
	if err != nil {
		return fmt.Errorf("oauth: erase installation: %w", err)
	}
	return nil
}

// Revive verifies each token that is retired or Due once, eight at a time. A token that the platform accepts becomes
// valid again, and OnInstalled is called. If that fails, the token stays Due. A token that was retired RetiredFor ago
// and is refused is erased; if it cannot be verified, it is erased RetiredFor later. A store whose token cannot be
// verified or read, or whose OnInstalled hangs, costs only itself. The errors are joined. Without Verify, no
// retired token comes back.
func (h *Handler) Revive(ctx context.Context) error {
	r, ok := h.Tokens.(Retirer)
	if !ok {
		return nil
	}
	var failed []error
	h.each(ctx, h.revivals(ctx, r), func(err error) { failed = append(failed, err) })
	return errors.Join(failed...)
}

// ReviveStore does what Revive does for the token of one store, if it is retired. It reports whether there is such a
// token. Call it before a missing token is evidence that the app is not installed, because the platform can refuse a
// token for so long that it was retired.
func (h *Handler) ReviveStore(ctx context.Context, storeID client.ID) (retired bool, err error) {
	r, ok := h.Tokens.(Retirer)
	if !ok {
		return false, nil
	}
	held, err := h.tokens().Load(ctx, storeID)
	switch {
	case err == nil, errors.Is(err, ErrNotInstalled) && held.Generation == 0:
		return false, nil
	case !errors.Is(err, ErrNotInstalled):
		return false, fmt.Errorf("oauth: load installation: %w", err)
	}
	for in, err := range r.Retired(ctx) {
		switch {
		case in.StoreID != storeID:
		case errors.Is(err, ErrUnreadable) && time.Since(in.RetiredAt) >= ReviveEvery:
			return false, nil // its key is lost, and a privacy request must not wait for it
		default:
			return true, h.review(ctx, in, err)
		}
	}
	return false, nil
}

// revivals iterates over the work of Revive.
func (h *Handler) revivals(ctx context.Context, r Retirer) iter.Seq2[client.ID, func(context.Context) error] {
	return func(yield func(client.ID, func(context.Context) error) bool) {
		for in, err := range r.Retired(ctx) {
			visit := func(ctx context.Context) error { return h.review(ctx, in, err) }
			if in.Due && in.RetiredAt.IsZero() {
				visit = func(ctx context.Context) error { return h.attend(ctx, in.StoreID) }
			}
			if !yield(in.StoreID, visit) {
				return
			}
		}
	}
}

// review revives a retired token, or erases it after its time. The clock of this machine may be wrong, so the platform
// decides first. Without its decision, the token stays for RetiredFor longer. Unread is the error of its record.
func (h *Handler) review(ctx context.Context, in Install, unread error) error {
	err := unread
	if unread == nil && h.Verify != nil {
		var alive bool
		if alive, err = h.revive(ctx, in); alive {
			return err
		}
	}
	over := time.Since(in.RetiredAt) - RetiredFor
	if in.Generation == 0 || over < 0 || unread == nil && err != nil && over < RetiredFor {
		return err
	}
	_, err = h.tokens().Swap(ctx, in.StoreID, in.Generation, nil)
	return err
}

func (h *Handler) revive(ctx context.Context, in Install) (alive bool, err error) {
	if alive, err = h.verify(ctx, in); err != nil || !alive {
		return false, err
	}
	if revived, err := h.retire(ctx, in, time.Time{}); err != nil || !revived {
		return true, err
	}
	h.judge().Observe(ctx, in.StoreID, nil)
	in.RetiredAt = time.Time{}
	h.dues.note(in, true)
	return true, h.complete(ctx, in)
}

// KeepRetired calls Revive at once and then every ReviveEvery until ctx ends. In between it verifies the Due tokens of
// this process, at growing intervals. It reports errors to OnError and returns nil.
func (h *Handler) KeepRetired(ctx context.Context) error {
	h.prepare()
	for ctx.Err() == nil {
		if err := h.Revive(ctx); err != nil && ctx.Err() == nil {
			h.report(ctx, err)
		}
		h.attendUntil(ctx, time.Now().Add(ReviveEvery))
	}
	return nil
}
