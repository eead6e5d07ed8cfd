package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// Cancel is a CancelHandler's function. It returns nil when the attempt is cancelled, the same for a repeated call.
// What that means depends on how far the payment is, whichever replica has it:
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
// refused with RefundRefusalRejected, unless Void returned an EventFailure.
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
	return in, rejected("Void", in.checkLater())
}

// mistakenFor reports whether the platform's record of another event would be taken for that of in: see AppliedTo.
func (in EventInput) mistakenFor(other EventInput) bool {
	return in.Type == other.Type && in.Status == other.Status && in.Amount.equal(other.Amount) &&
		in.HappenedAt.Sub(other.HappenedAt.Time).Abs() < time.Second
}

// waits reports whether an operation must wait for another one: a cancellation for money that is moving, and its report
// for that of the payment. Any other failure is found again, and written down, by the try that follows.
func (c *Cashier) waits(ctx context.Context, owner string, e Entry) bool {
	switch {
	case e.Call != CallCancel:
		return false
	case e.State == StateBegun:
		_, err := c.stop(ctx, owner, e.PaymentAttemptID)
		return errors.Is(err, errBusy)
	}
	_, err := c.ofPayment(ctx, e)
	return errors.Is(err, errUnreported)
}

// errUnreported: the platform has no transaction yet that a cancellation could be reported to.
var errUnreported = errors.New("the payment is not reported yet")

// ofPayment fills in the transaction of a cancellation, once the payment is reported.
func (c *Cashier) ofPayment(ctx context.Context, e Entry) (Entry, error) {
	if e.Call != CallCancel || e.TransactionID != uuid.Nil {
		return e, nil
	}
	all, err := c.ofAttempt(ctx, e.PaymentAttemptID, CallProcess)
	if err != nil {
		return e, err
	}
	for _, paid := range all {
		if paid.State.Open() {
			return e, errUnreported
		}
		e.TransactionID = paid.TransactionID
	}
	if e.TransactionID == uuid.Nil {
		return e, fmt.Errorf("the payment was not reported: %w", ErrClosed)
	}
	return e, nil
}
