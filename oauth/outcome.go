package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// ending is the outcome of an installation, in a form that can be shown again.
type ending struct {
	returnTo string // path to return to; empty for the success page
	proof    string // of the success address; empty if the token was not stored
	err      error
	told     bool // another replica reported err
	repeated bool // an earlier request ended the installation
}

// location is the address at which a success may be reloaded.
func (e ending) location() string {
	if e.returnTo != "" {
		return e.returnTo
	}
	return "?installed=" + e.proof
}

// outcome is the outcome of an installation, or the wait for it.
type outcome struct {
	ending
	done    chan struct{} // closed at the end
	yielded bool          // nothing was done because the browser left; the next request takes over
}

var errPanicked = errors.New("oauth: a function of the handler panicked")

// once ends an installation, or waits for the request that is ending it, or returns its outcome.
func (h *Handler) once(r *http.Request, a attempt) ending {
	for {
		mine := &outcome{ending: ending{err: errPanicked}, done: make(chan struct{})}
		o, there := h.ends.getOrPut(a.key, mine, time.Now().Add(stateLifetime), defaultMax)
		if !there {
			return h.lead(r, a, mine)
		}
		select {
		case <-o.done:
			if !o.yielded {
				again := o.ending
				again.repeated = true
				return again
			}
		case <-r.Context().Done():
			return ending{err: errWaiting}
		}
	}
}

// lead ends the installation for all requests that wait for o.
func (h *Handler) lead(r *http.Request, a attempt, o *outcome) ending {
	remember := false
	defer func() {
		if !remember {
			h.ends.take(a.key)
		}
		close(o.done)
	}()
	o.ending, remember = h.finish(r.Context(), a)
	waiting := errors.Is(o.err, errWaiting)
	o.yielded = !remember && (waiting || errors.Is(o.err, ErrNotSent)) && r.Context().Err() != nil
	if o.err != nil && !o.told && !waiting {
		h.report(r.Context(), o.err)
	}
	return o.ending
}

const (
	installedEnd = "installed" // begins Pending.Ended after a success

	// pollEvery is how often a replica asks the store for the outcome of an installation that another replica is
	// ending.
	pollEvery = 250 * time.Millisecond
)

// share stores the outcome of an installation for the other replicas.
func (h *Handler) share(ctx context.Context, a attempt, e ending) {
	if h.States == nil {
		return
	}
	p := Pending{ReturnTo: e.returnTo, Expires: time.Now().Add(stateLifetime), Ended: installedEnd}
	if e.err != nil {
		p.Ended = rowOf(e.err).name
	}
	if e.proof != "" {
		p.Ended += ":" + e.proof
	}
	h.put(ctx, endedKey(a.key), p)
}

// put stores p even if the browser has left. A failure is reported and has no other effect.
func (h *Handler) put(ctx context.Context, key string, p Pending) {
	if err := h.states().Put(context.WithoutCancel(ctx), key, p); err != nil {
		h.report(ctx, fmt.Errorf("oauth: put state: %w", err))
	}
}

// take takes from the store even if the browser has left, so that the taken state is not lost.
func (h *Handler) take(ctx context.Context, key string) (Pending, bool, error) {
	p, ok, err := h.states().Take(context.WithoutCancel(ctx), key)
	if err != nil {
		return Pending{}, false, fmt.Errorf("oauth: take state: %w", err)
	}
	return p, ok, nil
}

// recall returns the outcome of an installation that another replica ended; nil if it is unknown.
func (h *Handler) recall(ctx context.Context, a attempt) *ending {
	if h.States == nil {
		return nil
	}
	p, ok, err := h.take(ctx, endedKey(a.key))
	if err != nil {
		h.report(ctx, err)
		return nil
	}
	if !ok || time.Now().After(p.Expires) {
		return nil
	}
	h.put(ctx, endedKey(a.key), p) // for the next reload
	e := &ending{told: p.Ended != "", repeated: true}
	if checkTarget(p.ReturnTo) == nil { // others may write to the store
		e.returnTo = p.ReturnTo
	}
	var name string
	if name, e.proof, _ = strings.Cut(p.Ended, ":"); name != installedEnd {
		e.err = recalled(name)
	}
	return e
}

// claim returns the pending installation of a callback, or its outcome at another replica. While another replica may be
// ending the installation, claim waits.
func (h *Handler) claim(ctx context.Context, a attempt) (Pending, *ending, error) {
	if !a.solicited {
		return Pending{ReturnTo: h.ReturnTo}, h.recall(ctx, a), nil
	}
	patience := time.NewTimer(h.App.timeout())
	defer patience.Stop()
	for {
		p, ok, err := h.take(ctx, a.key)
		switch {
		case err != nil:
			return Pending{}, nil, err
		case ok && time.Now().After(p.Expires):
			return Pending{}, nil, ErrExpired
		case ok:
			return p, nil, nil
		}
		if e := h.recall(ctx, a); e != nil {
			return Pending{}, e, nil
		}
		switch {
		case a.state.old():
			return Pending{}, nil, ErrExpired
		case h.States == nil:
			return Pending{}, nil, errUsed
		}
		if err := pause(ctx, patience.C); err != nil {
			return Pending{}, nil, err
		}
	}
}

// pause waits until the next query of the store.
func pause(ctx context.Context, patience <-chan time.Time) error {
	next := time.NewTimer(pollEvery)
	defer next.Stop()
	select {
	case <-next.C:
		return nil
	case <-patience:
		return errUsed
	case <-ctx.Done():
		return errWaiting
	}
}

// returnPath returns the path of an installation that is begun again.
func (h *Handler) returnPath(ctx context.Context, a attempt) string {
	if o, ok := h.ends.get(a.key); ok {
		select {
		case <-o.done:
			return o.returnTo
		default:
			return h.ReturnTo
		}
	}
	p, ok, err := h.take(ctx, a.key)
	switch {
	case err != nil:
		h.report(ctx, err)
	case ok:
		h.put(ctx, a.key, p) // the merchant may still go back and approve
		return p.ReturnTo
	}
	if e := h.recall(ctx, a); e != nil {
		return e.returnTo
	}
	return h.ReturnTo
}
