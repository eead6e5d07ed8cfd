package payments

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// charge moves the money of a payment, stores the outcome and reports it.
func (c *Cashier) charge(ctx context.Context, h *hold, r ProcessRequest) error {
	e := h.current()
	cancelled, err := c.cancelled(ctx, r.PaymentAttemptID)
	switch {
	case err != nil:
		return h.failed(ctx, err)
	case cancelled && e.Uncalled:
		return h.outcome(ctx, StateCancelled, r.stripped(), unchanged)
	}
	if err := h.calling(ctx, unchanged); err != nil {
		return err
	}
	var t providers.TransactionInput
	var body json.RawMessage
	err = h.working(ctx, func(ctx context.Context) error {
		got, answer, err := c.Charge(ctx, Payment{r, e.Key, e.Tries, e.BegunAt, cancelled})
		if err != nil {
			return err
		}
		body, err = encoded(answer)
		t = c.completed(got, r, e)
		return errors.Join(rejected("Charge", t.Check()), err)
	})
	switch {
	case cancelled && errors.Is(err, ErrNotCharged):
		return h.outcome(ctx, StateCancelled, r.stripped(), unchanged)
	case err != nil:
		return h.failed(ctx, err)
	}
	return c.moved(ctx, h, r.stripped(), func(e *Entry) { e.Transaction, e.Answer = &t, body })
}

// stripped returns a request without members that could be secrets of a card.
func (r ProcessRequest) stripped() ProcessRequest {
	r.Extra, r.PaymentMethod.Extra = nil, nil
	return r
}

// unchanged is an outcome that changes only the state.
func unchanged(*Entry) {}

// completed fills in members of a transaction that the cashier knows.
func (c *Cashier) completed(t providers.TransactionInput, r ProcessRequest, e Entry) providers.TransactionInput {
	t.PaymentAttemptID = string(r.PaymentAttemptID)
	t.PaymentProviderID = cmp.Or(t.PaymentProviderID, r.PaymentProviderID)
	if t.Info.ExternalID == "" {
		t.Info.ExternalID = e.Key
	}
	t.FirstEvent.HappenedAt = c.happened(t.FirstEvent)
	t.FirstEvent = t.FirstEvent.Of(e.Key)
	return t
}

// happened returns the time of an event. The default of the platform would be the time of the report.
func (c *Cashier) happened(in providers.EventInput) client.Time {
	if in.HappenedAt.IsZero() {
		return client.At(c.now())
	}
	return in.HappenedAt
}

// rejected returns the error for an outcome that cannot be reported. The operation stays begun, so that the function
// is called again after the app was fixed.
func rejected(function string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s returned an outcome that the platform would reject: %w", function, err)
}

// repay makes a refund, stores the outcome and reports it.
func (c *Cashier) repay(ctx context.Context, h *hold, r RefundRequest) error {
	var paid Entry
	var in providers.EventInput
	err := h.working(ctx, func(ctx context.Context) (err error) {
		if paid, err = c.payment(ctx, r); err != nil {
			return err
		}
		if h.current().Uncalled {
			if err := c.permit(ctx, h, &paid); err != nil {
				return err
			}
		}
		e := h.current()
		in, err = c.Repay(ctx, Repayment{r, e.Key, e.Tries, e.BegunAt, e.OrderID, paid.Transaction})
		if err != nil {
			return err
		}
		in.HappenedAt = c.happened(in)
		return rejected("Repay", in.CheckLater())
	})
	if refusal, ok := errors.AsType[RefundRefusal](err); ok && refusal.Known() {
		return h.outcome(ctx, StateRefused, r.stripped(), func(e *Entry) { e.Refusal = refusal })
	}
	if done, ok := errors.AsType[*shownError](err); ok {
		return h.outcome(ctx, StateReported, r.stripped(), done.record)
	}
	if err != nil {
		return h.failed(ctx, err)
	}
	return c.movedOut(ctx, h, r.stripped(), in)
}

func (r RefundRequest) stripped() RefundRequest {
	r.Extra = nil
	return r
}

// movedOut stores the event of a refund or a cancellation, and reports it as moved does.
func (c *Cashier) movedOut(ctx context.Context, h *hold, request any, in providers.EventInput) error {
	in = in.Of(h.current().Key)
	return c.moved(ctx, h, request, func(e *Entry) { e.Event = &in })
}

// moved stores that money has moved, and reports it if there is time before the answer.
func (c *Cashier) moved(ctx context.Context, h *hold, request any, change func(*Entry)) error {
	if err := h.outcome(ctx, StateMoved, request, change); err != nil {
		return err
	}
	c.reportBeforeAnswer(ctx, h)
	return nil
}

// outcome stores an outcome, and removes unnecessary members from the stored request.
func (h *hold) outcome(ctx context.Context, state State, request any, change func(*Entry)) error {
	raw, err := wire.Marshal(request)
	if err != nil {
		return err
	}
	return h.concluded(ctx, func(e *Entry) {
		e.State, e.Request, e.Tries, e.LastError = state, raw, 1, ""
		change(e)
	})
}
