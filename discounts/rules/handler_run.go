package rules

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// function returns the function for a request; nil if it is not set.
func (h *Handler) function(r *Request) func(context.Context, *Request) (*command, error) {
	switch r.Domain() {
	case client.RuleDomainPayments:
		return adapt(h.Payments, func(hide []PaymentOption) (*command, error) {
			return filter(filterPayments, hide, PaymentOption.texts)
		})
	case client.RuleDomainShipping:
		return adapt(h.Shipping, func(hide []ShippingOption) (*command, error) {
			return filter(filterShipping, hide, ShippingOption.texts)
		})
	case client.RuleDomainLocation:
		return adapt(h.Locations, func(o LocationOrder) (*command, error) { return o.command(r) })
	case client.RuleDomainCart:
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

// rule is the result of a function.
type rule struct {
	command string
	body    []byte // empty if there is no rule
}

// run answers a request with the rule of its function, at the latest when the answer is due.
func (h *Handler) run(ctx context.Context, in *received, due time.Time) callback.Reply {
	f := h.function(in.request)
	if f == nil {
		return callback.Reply{Status: http.StatusNoContent}
	}
	whose := &received{answer: in.answer}
	out, err := callback.Fly(ctx, h.server.Runs, callback.Work[rule]{
		Party: callback.Party{Store: in.answer.StoreID}, Due: due,
		Do: func(ctx context.Context) (rule, error) {
			c, err := f(ctx, in.request)
			if err != nil || c == nil {
				return rule{}, err
			}
			body, err := c.body()
			return rule{c.Command, body}, err
		},
		Failed: func(ctx context.Context, err error, late bool) {
			if !late || !errors.Is(err, ErrBusy) {
				h.server.Fail(ctx, whose, callback.Failed{Err: err})
			}
		},
	})
	in.answer.Ran = !errors.Is(err, ErrBusy)
	if in.answer.Command = out.command; len(out.body) == 0 {
		return callback.Reply{Status: http.StatusNoContent, Err: err}
	}
	return callback.Reply{Status: http.StatusOK, Body: out.body}
}
