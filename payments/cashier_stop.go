package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// cancelled reports whether an attempt has a cancellation that has not failed. Before money moves, it is called after
// the operation's own entry was stored. Cancel looks for that entry after its own was stored, so one sees the other.
func (c *Cashier) cancelled(ctx context.Context, attempt client.Code) (bool, error) {
	entries, err := c.ofAttempt(ctx, attempt, CallCancel)
	return len(entries) > 0 && !entries[0].futile(), err
}

// futile reports whether a refund or a cancellation has ended without moving money.
func (e Entry) futile() bool { return e.Event != nil && failed(*e.Event) }

// failed reports whether an event has moved no money and never will.
func failed(in EventInput) bool { return in.Status == EventFailure || in.Status == EventError }

// ofAttempt returns the entries of an attempt for a kind of call.
func (c *Cashier) ofAttempt(ctx context.Context, attempt client.Code, call Call) ([]Entry, error) {
	entries, err := c.ledger().Find(ctx, About{PaymentAttemptID: attempt}) // none if the attempt is empty
	if err != nil {
		return nil, fmt.Errorf("payments: find the attempt: %w", err)
	}
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Call != call }), nil
}

// errBusy means that money of the payment to be cancelled is moving at this time.
var errBusy = errors.New("the payment is being charged or refunded")

// stopped is the state of an attempt whose money does not move any more.
type stopped struct {
	paid    Entry   // the payment; zero if there is none
	refunds []Entry // refunds of the payment
	left    Amount  // the rest to release; zero if none
}

// stop ends the operations of a cancelled attempt that have not moved money. It returns errBusy while money is
// moving.
func (c *Cashier) stop(ctx context.Context, owner string, attempt client.Code) (s stopped, err error) {
	all, err := c.ofAttempt(ctx, attempt, CallProcess)
	if err != nil || len(all) == 0 {
		return s, err
	}
	if len(all) > 1 {
		return s, fmt.Errorf("payments: attempt %.40q is of store %d and of store %d, and the call does not contain the store",
			attempt, all[0].StoreID, all[1].StoreID)
	}
	s.paid = all[0]
	if s.paid.State == StateBegun {
		return s, c.stopPayment(ctx, owner, s.paid)
	}
	t := s.paid.Transaction
	switch {
	case s.paid.State == StateClosed && t == nil:
		return s, fmt.Errorf("payments: the outcome of the payment is unknown: %w", ErrClosed)
	case t == nil || failed(t.FirstEvent):
		return s, nil
	case s.paid.TransactionID != uuid.Nil: // before that, the platform requests no refund
		of := RefundRequest{StoreID: s.paid.StoreID, TransactionID: s.paid.TransactionID}
		if s.refunds, err = c.refunds(ctx, of); err != nil {
			return s, err
		}
	}
	left := t.FirstEvent.Amount.Value.Decimal()
	for _, r := range s.refunds {
		if r.State == StateBegun {
			if err := c.stopRefund(ctx, owner, r); err != nil {
				return s, err
			}
		} else if r.Event != nil && !r.futile() {
			left = left.Sub(r.Event.Amount.Value.Decimal())
		}
	}
	if left.GreaterThan(decimal.Zero) {
		s.left.Currency = t.FirstEvent.Amount.Currency
		s.left.Value, err = client.MoneyFrom(left)
	}
	return s, err
}

// stopPayment ends a payment that has begun, unless it is being charged.
func (c *Cashier) stopPayment(ctx context.Context, owner string, e Entry) error {
	var r ProcessRequest
	if err := wire.UnmarshalExact(e.Request, &r); err != nil {
		return err
	}
	return c.end(ctx, owner, e, StateCancelled, r.stripped(), unchanged)
}

// stopRefund ends a refund that has begun, unless it is being made.
func (c *Cashier) stopRefund(ctx context.Context, owner string, e Entry) error {
	var r RefundRequest
	if err := wire.UnmarshalExact(e.Request, &r); err != nil {
		return err
	}
	return c.end(ctx, owner, e, StateRefused, r.stripped(), refusedAsCancelled)
}

// end ends an operation whose money has not moved, whatever replica processes it.
func (c *Cashier) end(
	ctx context.Context, owner string, e Entry, state State, request any, change func(*Entry),
) error {
	if !e.Uncalled {
		return errBusy
	}
	h := &hold{c: c, owner: owner, entry: e}
	err := h.outcome(ctx, state, request, change)
	if errors.Is(err, errLost) { // it moves now, or has ended otherwise, so read it again
		return errBusy
	}
	return err
}

// stopWhenQuiet calls stop, and waits while money is moving.
func (c *Cashier) stopWhenQuiet(ctx context.Context, h *hold) (stopped, error) {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		s, err := c.stop(ctx, h.owner, h.current().PaymentAttemptID)
		if !errors.Is(err, errBusy) {
			return s, err
		}
		if err := c.wait(ctx, pause); err != nil {
			return s, err
		}
	}
}

// known stores the ids of the payment in the entry of its cancellation.
func (s stopped) known(e *Entry) {
	e.Uncalled, e.Amount = false, s.left
	if s.paid.Key != "" {
		e.About = s.paid.About
	}
}
