package rules

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// reply is the answer to a request.
type reply struct {
	body    []byte // nil if there is no rule
	command string // of the body
	ran     bool   // the function was called
	err     error  // why it is not the function's result
}

// function returns the function for a request; nil if it is not set.
func (h *Handler) function(r *Request) func(context.Context, *Request) (*command, error) {
	switch r.Domain() {
	case DomainPayments:
		return adapt(h.Payments, func(hide []PaymentOption) (*command, error) {
			return filter(filterPayments, hide, PaymentOption.texts)
		})
	case DomainShipping:
		return adapt(h.Shipping, func(hide []ShippingOption) (*command, error) {
			return filter(filterShipping, hide, ShippingOption.texts)
		})
	case DomainLocation:
		return adapt(h.Locations, func(o LocationOrder) (*command, error) { return o.command(r) })
	case DomainCart:
		return adapt(h.Cart, Verdict.command)
	}
	return nil
}

// adapt converts a function of the app to one that returns a command; nil for nil.
func adapt[T any](
	f func(context.Context, *Request) (T, error), of func(T) (*command, error),
) func(context.Context, *Request) (*command, error) {
	if f == nil {
		return nil
	}
	return func(ctx context.Context, r *Request) (*command, error) {
		v, err := f(ctx, r)
		if err != nil {
			return nil, err
		}
		return of(v)
	}
}

// run calls the function in a new goroutine. The answer does not wait for it after it is due. Reports are about
// whose.
func (h *Handler) run(ctx context.Context, e *serving, r, whose *Request) reply {
	f := h.function(r)
	if f == nil {
		return reply{}
	}
	if !e.gate.Take(ctx, callback.Party{Store: r.StoreID}) {
		return reply{err: fmt.Errorf("%w: MaxRuns is %d", ErrBusy, e.gate.Most())}
	}
	done := make(chan reply, 1)
	var settled atomic.Bool // whether the answer was decided
	go func() {
		out := reply{ran: true, err: callback.ErrExit}
		defer func() {
			if v := recover(); v != nil {
				out = reply{ran: true, err: callback.Recovered(v)}
			}
			if ctx.Err() != nil && errors.Is(out.err, ctx.Err()) {
				out.err = ErrLate // it stopped because its context ended
			}
			switch {
			case settled.CompareAndSwap(false, true):
				done <- out
			case out.err != nil && !errors.Is(out.err, ErrLate) && !errors.Is(out.err, ErrBusy):
				h.fail(ctx, whose, out.err)
			}
		}()
		defer e.gate.Give(callback.Party{Store: whose.StoreID})
		if !e.processors.Begin() {
			out = reply{err: fmt.Errorf("%w: no processor was free for %v", ErrBusy, callback.MostQueued)}
			return
		}
		defer e.processors.End()
		out = called(f(ctx, r))
	}()
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
	}
	if !settled.CompareAndSwap(false, true) {
		return <-done
	}
	return reply{ran: true, err: ErrLate}
}

// called returns the reply for a function that returned.
func called(c *command, err error) reply {
	out := reply{ran: true, err: err}
	if err == nil {
		out.body, out.err = c.body()
	}
	if out.body != nil {
		out.command = c.Command
	}
	return out
}
