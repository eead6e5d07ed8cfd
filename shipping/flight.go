package shipping

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// flight is one call of the app's function, shared by all requests with the same key that arrive before it ends.
type flight struct {
	id   identity
	done chan struct{} // closed when the outcome is known

	// Guarded by serving.mu until done is closed.
	settled bool
	outcome outcome
	told    func(error) // reports the outcome to the breaker
}

// outcome is the result of a call: an entry or an error.
type outcome struct {
	entry     *entry
	unmatched []string
	dropped   error
	partial   error // rates are missing; do not cache
	err       error
}

// board returns the call in progress for the key, or starts one. The error wraps ErrBusy or ErrUpstream.
func (h *Handler) board(ctx context.Context, e *serving, req *Request, id identity, deadline time.Time) (*flight, Source, error) {
	a := req.account()
	c := h.circuit(ctx, req)
	if h.look(c).State == HealthStateProbing {
		// The platform evaluates few requests now, so none of them should be slow.
		deadline = time.Now().Add(time.Until(deadline) / 2)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if f, ok := e.flights[id]; ok {
		return f, SourceShared, nil
	}
	if n := e.running[id]; n >= runsPerKey {
		return nil, SourceNobody, fmt.Errorf("%w: %d of them have the same key", ErrBusy, n)
	}
	if !e.places.take(a) {
		return nil, SourceNobody, fmt.Errorf("%w: MaxRuns is %d", ErrBusy, e.places.most)
	}
	told, err := c.breaker.Allow()
	if err != nil {
		e.places.leave(a)
		return nil, SourceNobody, ErrUpstream
	}
	f := &flight{id: id, done: make(chan struct{}), told: told}
	e.flights[id] = f
	e.running[id]++
	h.start(ctx, e, f, req, deadline)
	return f, SourceCalled, nil
}

// AnswerBy returns the time at which the answer of a call to Handler.Rates is due. The context of the call ends
// later: see Handler.Linger. A function that has a fast fallback for a slow source should return it before that time.
// The result ok is false if ctx is not from a call by a Handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

// start calls the function in a new goroutine. The answer does not wait for it after the deadline. The function's
// context ends Linger later. A late result is cached for the next request with the key, unless a later call has
// returned.
func (h *Handler) start(ctx context.Context, e *serving, f *flight, req *Request, deadline time.Time) {
	ctx = context.WithoutCancel(ctx)
	limited, cancel := callback.Linger(ctx, deadline, e.linger)
	quote, facts, began := req.Quote(), req.facts(), time.Now()
	whose := &Request{StoreID: req.StoreID, Carrier: CarrierRef{ID: req.Carrier.ID}}
	if h.Volatile {
		quote.Volatile = new(*req)
	}
	settle := func(o outcome) bool {
		if !e.settle(f, o) {
			return false
		}
		if o.err != nil && !refused(o.err) {
			h.fail(ctx, whose, o.err)
		}
		return true
	}
	due := time.AfterFunc(time.Until(deadline), func() { settle(outcome{err: ErrLate}) })
	go func() {
		o := outcome{err: callback.ErrExit}
		defer func() {
			if v := recover(); v != nil {
				o = outcome{err: callback.Recovered(v)}
			}
			if limited.Err() != nil && errors.Is(o.err, limited.Err()) {
				o.err = ErrLate // the context made it stop
			}
			kept := o.entry != nil && o.partial == nil && whose.Carrier.ID != ""
			if kept {
				o.entry.id, o.entry.began = f.id, began
				e.cache.put(o.entry)
			}
			for _, err := range []error{o.partial, o.dropped} {
				if err != nil {
					h.fail(ctx, whose, err)
				}
			}
			if !settle(o) && o.err != nil && o.err != ErrLate && !refused(o.err) {
				h.fail(ctx, whose, o.err)
			}
			due.Stop()
			cancel()
			e.land(f.id)
			e.places.leave(whose.account())
			if kept {
				h.share(ctx, e, whose, o.entry)
			}
		}()
		o = h.call(limited, quote, facts)
	}()
}

// land removes an ended call from the calls in progress.
func (e *serving) land(id identity) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running[id]--; e.running[id] == 0 {
		delete(e.running, id)
	}
}

// settle sets the outcome of a call, unless it already has one.
func (e *serving) settle(f *flight, o outcome) bool {
	e.mu.Lock()
	if f.settled {
		e.mu.Unlock()
		return false
	}
	f.settled, f.outcome = true, o
	delete(e.flights, f.id)
	e.mu.Unlock()
	f.told(o.err)
	close(f.done)
	return true
}

// call calls the function and encodes its result.
func (h *Handler) call(ctx context.Context, q Quote, f *facts) outcome {
	rates, err := h.Rates(ctx, q)
	var partial error
	switch {
	case len(rates) > 0 && errors.Is(err, ErrPartial):
		partial = fmt.Errorf("rates: %w", err)
	case err == nil && len(rates) == 0:
		return refusedEntry(ErrNoCoverage)
	case err != nil:
		return refusedEntry(err)
	}
	body, dropped := f.encode(rates)
	if body == nil {
		return outcome{err: dropped}
	}
	if err := f.validate(body); err != nil {
		return outcome{err: err}
	}
	return outcome{
		entry:     &entry{status: http.StatusOK, body: body, rates: len(rates) - count(dropped), at: time.Now()},
		unmatched: f.unmatched(rates), dropped: dropped, partial: partial,
	}
}

// refusedEntry returns the outcome of an error, with a cache entry if the refusal is lasting.
func refusedEntry(err error) outcome {
	if !refused(err) {
		return outcome{err: fmt.Errorf("rates: %w", err)}
	}
	o := outcome{err: err}
	if a := refusal(err); a.status == http.StatusUnprocessableEntity {
		o.entry = &entry{status: a.status, body: a.body, at: time.Now()}
	}
	return o
}

// count returns the number of joined errors.
func count(err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return len(joined.Unwrap())
	}
	return 0
}
