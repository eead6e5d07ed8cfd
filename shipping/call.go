package shipping

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// mostLate is how many calls of a key may be in progress that are late for their requests, next to one that is not.
const mostLate = 1

// outcome is the result of a call of the function.
type outcome struct {
	entry     *entry
	unmatched []string
	dropped   error // rates were omitted
	partial   error // rates are missing; do not cache
}

// AnswerBy returns the time at which the answer of a call to Handler.Rates is due. The context of the call ends
// later: see Handler.Linger. A function that has a fast fallback for a slow source should return it before that time.
// The result ok is false if ctx is not from a call by a Handler.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) { return callback.AnswerBy(ctx) }

// ask calls the function, or waits for a call in progress with the same key.
func (h *Handler) ask(ctx context.Context, e *serving, in *quoted, old *entry, due time.Time) reply {
	c := h.circuit(ctx, in.account)
	if h.look(c).State == HealthStateProbing {
		// The platform evaluates few requests now, so none of them should be slow.
		due = time.Now().Add(time.Until(due) / 2)
		limited := callback.WithDeadline(ctx, due)
		defer limited.End()
		ctx = limited
	}
	f, joined := e.flights.Join(in.id, nil)
	if f == nil {
		err := fmt.Errorf("%w: %d of them have the same key", ErrBusy, mostLate+1)
		h.fail(ctx, in.account, err)
		return h.without(old, err)
	}
	source := SourceShared
	if !joined {
		source = SourceCalled
		h.start(ctx, e, in, f, c, due)
	}
	in.request = nil // while requests wait, they hold only this
	o, err := f.Wait(ctx)
	if err == context.Canceled { // the client has disconnected
		err = callback.Ended(ctx)
		if !joined { // the call may still be late
			go func() {
				waiting := callback.WithDeadline(context.WithoutCancel(ctx), due)
				defer waiting.End()
				_, _ = f.Wait(waiting)
			}()
		}
	}
	if err != nil {
		return h.without(old, err)
	}
	a := o.entry.reply(source, o.partial)
	a.unmatched = o.unmatched
	return a
}

// start calls the function, unless it failed too often or there is no place.
func (h *Handler) start(ctx context.Context, e *serving, in *quoted, f *callback.Flight[outcome], c *circuit, due time.Time) {
	decided, err := c.breaker.Allow()
	if err != nil {
		f.Settle(outcome{}, ErrUpstream)
		return
	}
	a, id, quote, facts, began := in.account, in.id, in.request.Quote(), in.request.facts(), time.Now()
	if h.Volatile {
		quote.Volatile = new(*in.request)
	}
	err = f.Start(ctx, e.server.Runs, callback.Work[outcome]{
		Party: callback.Party{Store: a.store, Part: string(a.carrier)}, Due: due, Linger: e.linger, Decided: decided,
		Do: func(ctx context.Context) (outcome, error) {
			o, err := h.call(ctx, quote, facts)
			for _, err := range []error{o.partial, o.dropped} {
				if err != nil {
					h.fail(ctx, a, err)
				}
			}
			if o.entry != nil && o.partial == nil && a.carrier != "" {
				o.entry.id, o.entry.began = id, began // even if it is late, for requests that arrive after the call
				if e.cache.put(o.entry); h.Shared != nil {
					go h.share(context.WithoutCancel(ctx), e, a, o.entry)
				}
			}
			return o, err
		},
		Failed: func(ctx context.Context, err error, _ bool) {
			if !refused(err) {
				h.fail(ctx, a, err)
			}
		},
	})
	if err != nil {
		h.fail(ctx, a, err)
	}
}

// call calls the function and encodes its result.
func (h *Handler) call(ctx context.Context, q Quote, f *facts) (outcome, error) {
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
	body, kept, dropped := f.encode(rates)
	if body == nil {
		return outcome{}, dropped
	}
	if err := f.validate(body); err != nil {
		return outcome{}, err
	}
	return outcome{
		entry:     &entry{status: http.StatusOK, body: body, rates: kept, at: time.Now()},
		unmatched: f.unmatched(rates), dropped: dropped, partial: partial,
	}, nil
}

// refusedEntry returns the outcome of an error, with a cache entry if it is a lasting refusal.
func refusedEntry(err error) (o outcome, _ error) {
	if !refused(err) {
		return o, fmt.Errorf("rates: %w", err)
	}
	if a := refusal(err); a.Status == http.StatusUnprocessableEntity {
		o.entry = &entry{status: a.Status, body: a.Body, at: time.Now()}
	}
	return o, err
}
