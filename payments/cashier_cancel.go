package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Cancel is a CancelHandler's function. It returns nil when the attempt is cancelled, the same for a repeated call. What
// that means depends on how far the payment is, whichever replica has it:
//
//	the payment is                          the cancellation
//	unknown, or Charge was not called yet   it is never charged: Process returns ErrCancelled
//	being charged                           waits for the outcome, then as below
//	declined, or refunded as a whole        has nothing to do
//	taken                                   Void releases what was not refunded, and the platform is notified
//
// It returns nil when Void has succeeded, also if the report failed: Run repeats it. It returns ErrInProgress when the
// answer is due while the payment is being charged, or refunded; then Run completes the cancellation, and the platform
// asks again until it is answered 200. A cancellation cannot be taken back. A refund that is asked for after it is
// refused with RefundRefusalRejected, unless Void has failed for good.
//
// The platform names the attempt alone, so attempts of all stores must differ [inferred]; of an attempt that two stores
// have nothing is released, and that is an error. A payment that is not in the ledger, because it is older than the
// Cashier, is taken for one that was never charged: look it up in your records before you call Cancel.
func (c *Cashier) Cancel(ctx context.Context, attempt string) error {
	if err := c.Check(); err != nil {
		return err
	}
	switch {
	case c.Void == nil:
		return errors.New("payments: Cashier: no Void: Cancel requires it")
	case attempt == "":
		return fmt.Errorf("%w: payment_attempt_id is missing", ErrMalformed)
	}
	about := About{PaymentAttemptID: client.Code(attempt)}
	request := map[string]string{"payment_attempt_id": attempt}
	e, err := c.entry(ctx, CallCancel, about, Amount{}, request, key("cancel", 0, attempt))
	if err != nil {
		return err
	}
	_, err = c.conclude(ctx, e, func(Entry) error { return nil }, c.cancel)
	return err
}

// cancelled reports whether an attempt has a cancellation that has not failed. Whoever is about to move money asks
// after its own entry was stored, and Cancel looks for that entry after its own, so that one sees the other.
func (c *Cashier) cancelled(ctx context.Context, attempt client.Code) (bool, error) {
	entries, err := c.ofAttempt(ctx, attempt, CallCancel)
	return len(entries) > 0 && !entries[0].futile(), err
}

// futile reports whether a refund or a cancellation has ended without moving money.
func (e Entry) futile() bool { return e.Event != nil && failed(*e.Event) }

// failed reports whether an event has moved no money and will not.
func failed(in EventInput) bool { return in.Status == EventFailure || in.Status == EventError }

// ofAttempt returns the entries of an attempt for a kind of call.
func (c *Cashier) ofAttempt(ctx context.Context, attempt client.Code, call Call) ([]Entry, error) {
	entries, err := c.ledger().Find(ctx, About{PaymentAttemptID: attempt}) // of no attempt, there are none
	if err != nil {
		return nil, fmt.Errorf("payments: find the attempt: %w", err)
	}
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Call != call }), nil
}

// errBusy: the money of a payment that is to be cancelled is moving at this time.
var errBusy = errors.New("the payment is being charged or refunded")

// stopped is what an attempt is once nothing moves its money any more.
type stopped struct {
	paid    Entry   // the payment; zero if there is none
	refunds []Entry // of it
	left    Amount  // what there is to release; zero if there is nothing
}

// stop ends what has not moved money of an attempt that is cancelled. It returns errBusy while money is moving.
func (c *Cashier) stop(ctx context.Context, owner string, attempt client.Code) (s stopped, err error) {
	all, err := c.ofAttempt(ctx, attempt, CallProcess)
	if err != nil || len(all) == 0 {
		return s, err
	}
	if len(all) > 1 {
		return s, fmt.Errorf("payments: attempt %.40q is of store %d and of store %d, and the call does not say which",
			attempt, all[0].StoreID, all[1].StoreID)
	}
	s.paid = all[0]
	if s.paid.State == StateBegun {
		return s, c.stopPayment(ctx, owner, s.paid)
	}
	t := s.paid.Transaction
	switch {
	case s.paid.State == StateClosed && t == nil:
		return s, fmt.Errorf("payments: the outcome of the payment is not known: %w", ErrClosed)
	case t == nil || failed(t.FirstEvent):
		return s, nil
	case s.paid.TransactionID != uuid.Nil: // before that, the platform asks for no refund
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

// end ends an operation of which nothing has moved, whoever works on it.
func (c *Cashier) end(
	ctx context.Context, owner string, e Entry, state State, request any, change func(*Entry),
) error {
	if !e.Uncalled {
		return errBusy
	}
	h := &hold{c: c, owner: owner, entry: e}
	err := h.outcome(ctx, state, request, change)
	if errors.Is(err, errLost) { // it moves now, or has ended otherwise: look again
		return errBusy
	}
	return err
}

// cancel stops a payment, releases what it has taken, writes the outcome down and reports it.
func (c *Cashier) cancel(ctx context.Context, h *hold) error {
	var s stopped
	var in EventInput
	err := h.working(ctx, func(ctx context.Context) (err error) {
		if s, err = c.stopWhenQuiet(ctx, h); err != nil || s.left == (Amount{}) {
			return err
		}
		if err := h.write(ctx, s.known); err != nil { // the ids are for operators, and for Run
			return err
		}
		in, err = c.void(ctx, h.current(), s)
		return err
	})
	request := map[string]client.Code{"payment_attempt_id": h.current().PaymentAttemptID}
	switch {
	case errors.Is(err, ErrInProgress):
		lost := h.concluded(ctx, func(e *Entry) { e.Owner = "" }) // the platform asks again
		return errors.Join(err, lost)
	case err != nil:
		return h.failed(ctx, err)
	case s.left == (Amount{}):
		return h.outcome(ctx, StateCancelled, request, s.known)
	}
	return c.moved(ctx, h, request, func(e *Entry) { e.Event = &in })
}

// known writes the ids of the payment into the entry of its cancellation.
func (s stopped) known(e *Entry) {
	e.Uncalled, e.Amount = false, s.left
	if s.paid.Key != "" {
		e.About = s.paid.About
	}
}

// stopWhenQuiet is stop, and waits while money is moving.
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

// void calls Void.
func (c *Cashier) void(ctx context.Context, e Entry, s stopped) (EventInput, error) {
	in, err := c.Void(ctx, Cancellation{
		About: s.paid.About, Key: e.Key, Try: e.Tries, BegunAt: e.BegunAt, Amount: s.left, Payment: *s.paid.Transaction,
		PaymentKey: s.paid.Key,
	})
	if err != nil {
		return in, err
	}
	in.HappenedAt = c.happened(in)
	for slices.ContainsFunc(s.refunds, func(r Entry) bool { return r.Event != nil && in.mistakenFor(*r.Event) }) {
		in.HappenedAt = client.At(in.HappenedAt.Add(time.Second))
	}
	return in, rejected("Void", in.check())
}

// mistakenFor reports whether the platform's record of another event would be taken for that of in: see AppliedTo.
func (in EventInput) mistakenFor(other EventInput) bool {
	return in.Type == other.Type && in.Status == other.Status && in.Amount.equal(other.Amount) &&
		in.HappenedAt.Sub(other.HappenedAt.Time).Abs() < time.Second
}

// waits reports whether an operation must wait for another one: a cancellation for money that is moving, and its report
// for that of the payment.
func (c *Cashier) waits(ctx context.Context, owner string, e Entry) (bool, error) {
	switch {
	case e.Call != CallCancel:
		return false, nil
	case e.State == StateBegun:
		_, err := c.stop(ctx, owner, e.PaymentAttemptID)
		if errors.Is(err, errBusy) {
			return true, nil
		}
		return false, nil // what failed is written down by the next try
	}
	e, err := c.ofPayment(ctx, e)
	return e.TransactionID == uuid.Nil && err == nil, err
}

// ofPayment fills in the transaction of a cancellation, once the payment is reported.
func (c *Cashier) ofPayment(ctx context.Context, e Entry) (Entry, error) {
	if e.Call != CallCancel || e.TransactionID != uuid.Nil {
		return e, nil
	}
	all, err := c.ofAttempt(ctx, e.PaymentAttemptID, CallProcess)
	for _, paid := range all {
		e.TransactionID = paid.TransactionID
	}
	return e, err
}
