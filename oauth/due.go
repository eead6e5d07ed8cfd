package oauth

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// OnInstalled is due for each new token and for one that came back, until it has succeeded. The record says so
// (Install.Due). The process of the installation calls it, if the platform accepts the token. Otherwise a process that
// sees the token accepted claims the call by another generation of the record, which only one process can set. The
// claim of a process that was killed ends when another process has seen the generation for claimTime, so no clock of
// another machine matters.

const (
	firstLook = 5 * time.Second // pause before a Due token is verified again, then twice as long each time

	// claimTime is how long a claim lasts. It is longer than OnInstalled may take.
	claimTime = installTime + time.Minute
)

// dues are the Due tokens that a process knows. The zero value is empty.
type dues struct {
	mu   sync.Mutex
	of   map[client.ID]*due
	news chan struct{}
}

type due struct {
	generation int64
	seen       time.Time     // when this process first saw the generation
	ours       bool          // this process has stored the token or claimed the call
	called     bool          // OnInstalled has succeeded, which the record does not say yet
	next       time.Time     // when to look again
	pause      time.Duration // after that
}

// note adds a Due record, and returns what is known of it.
func (d *dues) note(in Install, ours bool) due {
	d.mu.Lock()
	defer d.mu.Unlock()
	known, now := d.of[in.StoreID], time.Now()
	if known == nil || known.generation != in.Generation {
		if d.of == nil {
			d.of = map[client.ID]*due{}
		}
		known = &due{generation: in.Generation, seen: now, next: now.Add(firstLook), pause: firstLook}
		d.of[in.StoreID] = known
		select {
		case d.news <- struct{}{}:
		default:
		}
	}
	known.ours = known.ours || ours
	return *known
}

// claimed replaces the generation of a record that this process has claimed.
func (d *dues) claimed(storeID client.ID, generation int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.of[storeID]; known != nil {
		known.generation, known.ours = generation, true
	}
}

// called records that OnInstalled has succeeded.
func (d *dues) called(storeID client.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.of[storeID]; known != nil {
		known.called = true
	}
}

func (d *dues) drop(storeID client.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.of, storeID)
}

// now returns the stores to look at now, and the time of the next look, at the latest the given time.
func (d *dues) now(latest time.Time) (stores []client.ID, next time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	for storeID, known := range d.of {
		if !known.next.After(now) {
			stores = append(stores, storeID)
			known.pause = min(2*known.pause, ReviveEvery)
			known.next = now.Add(known.pause)
		}
		if known.next.Before(latest) {
			latest = known.next
		}
	}
	return stores, latest
}

// attendUntil looks at the Due tokens of this process until a time, or until ctx ends.
func (h *Handler) attendUntil(ctx context.Context, end time.Time) {
	for ctx.Err() == nil && time.Now().Before(end) {
		stores, next := h.dues.now(end)
		if len(stores) > 0 {
			h.each(ctx, func(yield func(client.ID, func(context.Context) error) bool) {
				for _, storeID := range stores {
					if !yield(storeID, func(ctx context.Context) error { return h.attend(ctx, storeID) }) {
						return
					}
				}
			}, func(err error) { h.report(ctx, err) })
			continue
		}
		timer := time.NewTimer(time.Until(next))
		select {
		case <-ctx.Done():
		case <-h.dues.news:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// each does work for stores, a few at a time.
func (h *Handler) each(ctx context.Context, all iter.Seq2[client.ID, func(context.Context) error], failed func(error)) {
	rounds.Each(ctx, revivePlaces, installTime+2*h.App.timeout(), all, func(store client.ID, err error) {
		if ctx.Err() == nil {
			failed(fmt.Errorf("oauth: token of store %d: %w", store, err))
		}
	})
}

// attend verifies a Due token, unless another process may be calling OnInstalled for it. A token that is accepted is
// completed. One that is refused for as long as client.ActRetire requires is retired.
func (h *Handler) attend(ctx context.Context, storeID client.ID) error {
	in, err := h.tokens().Load(ctx, storeID)
	switch {
	case errors.Is(err, ErrNotInstalled), err == nil && !in.Due:
		h.dues.drop(storeID)
		return nil
	case err != nil:
		return err
	}
	known := h.dues.note(in, false)
	switch {
	case known.called:
		return h.completed(ctx, in)
	case !known.ours && time.Since(known.seen) < claimTime:
		return nil
	case h.Verify == nil:
		return h.complete(ctx, in)
	}
	alive, err := h.verify(ctx, in)
	switch {
	case err != nil:
		return fmt.Errorf("oauth: Handler.Verify: %w", err)
	case alive:
		h.judge().Observe(ctx, storeID, nil)
		return h.complete(ctx, in)
	}
	h.judge().Observe(ctx, storeID, client.ErrUnauthorized)
	v := h.judge().Verdict(ctx, storeID, client.ActRetire)
	if v.Access != client.AccessGone {
		return nil
	}
	if _, err := h.retire(ctx, in, v.Since); err != nil {
		return fmt.Errorf("oauth: retire installation: %w", err)
	}
	return fmt.Errorf("%w: it is retired after %d refusals since %s", errNotKnown, v.Refusals, v.Since.UTC().Format(time.RFC3339))
}

// complete claims the call of OnInstalled for an accepted token and calls it, unless the record has changed.
func (h *Handler) complete(ctx context.Context, in Install) error {
	claim := in
	claim.Generation, claim.Installation, claim.Due = newGeneration(), in.installation(), true
	swapped, err := h.swap(ctx, in.StoreID, in.Generation, &claim)
	if err != nil || !swapped {
		return err
	}
	h.dues.claimed(in.StoreID, claim.Generation)
	if err := h.installed(ctx, claim); err != nil {
		return err
	}
	h.dues.called(in.StoreID)
	return h.completed(ctx, claim)
}

// completed records in the store that OnInstalled has succeeded.
func (h *Handler) completed(ctx context.Context, in Install) error {
	in.Due = false
	_, err := h.swap(ctx, in.StoreID, in.Generation, &in)
	if err != nil {
		return fmt.Errorf("oauth: store installation: %w", err)
	}
	h.dues.drop(in.StoreID)
	return nil
}

// judge returns the Judge of Due tokens.
func (h *Handler) judge() *client.Judge {
	if h.Judge != nil {
		return h.Judge
	}
	return &h.own
}
