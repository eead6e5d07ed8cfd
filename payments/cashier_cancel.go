package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// Cancel is a function for CancelHandler. It returns nil if the attempt is cancelled, also for a repeated call. The
// effect depends on the state of the payment in any replica:
//
//	the payment is                          the cancellation
//	unknown, or Charge was not called yet   it is never charged: Process returns ErrCancelled
//	being charged                           waits for the outcome, then as below
//	declined, or refunded completely        has no effect
//	taken                                   Void releases the rest of the money, and the platform is notified
//
// The rest is what the platform's transaction shows: the captured amount less refunds or, if nothing was captured, the
// reserved amount.
//
// It returns nil if Void has succeeded, even if the report failed, because Run repeats the report. It returns
// ErrInProgress if the answer is due while the payment is being charged, or while a refund of the order is not
// reported. It also does so if the transaction cannot be read. Run then completes the cancellation, and the platform
// repeats the call until it is answered 200. A cancellation cannot be undone. A later refund is rejected with
// RefundRefusalRejected, unless Void returned an EventFailure.
//
// The platform sends only the attempt, so attempts of all stores must be unique [inferred]. If two stores have the
// same attempt, nothing is released, and Cancel returns an error. A payment that is not in the ledger, because it is
// older than the Cashier, is treated as never charged. Look it up in your records before you call Cancel.
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
	e, err := c.entry(ctx, CallCancel, about, providers.Amount{}, request, key("cancel", 0, attempt))
	if err != nil {
		return err
	}
	_, err = c.conclude(ctx, e, func(Entry) error { return nil }, c.cancel)
	return err
}

// cancel stops a payment, releases its money, stores the outcome and reports it.
func (c *Cashier) cancel(ctx context.Context, h *hold) error {
	var in providers.EventInput
	err := h.working(ctx, func(ctx context.Context) error {
		paid, err := c.stopWhenQuiet(ctx, h)
		if err == nil && paid.Transaction == nil && !h.current().Uncalled {
			err = errors.New("Void was called, and its payment is no longer in the ledger: restore the entry, or release the money by hand")
		}
		if err != nil || paid.Transaction == nil {
			return err
		}
		t, err := c.release(ctx, h, paid)
		if err != nil || h.current().Uncalled {
			return err
		}
		in, err = c.void(ctx, h.current(), paid, t)
		return err
	})
	request := map[string]client.Code{"payment_attempt_id": h.current().PaymentAttemptID}
	var done *shownError
	switch {
	case errors.As(err, &done):
		return h.outcome(ctx, StateReported, request, done.record)
	case err != nil:
		return h.failed(ctx, err)
	case h.current().Uncalled:
		return h.outcome(ctx, StateCancelled, request, unchanged)
	}
	return c.movedOut(ctx, h, request, in)
}

// release decides in the turn of the operation, by the platform's transaction, which amount Void releases. If there is
// none, the operation stays Uncalled. It returns the transaction, or nil if it is not reported yet. Then only its first
// event is known, and no refund of it can exist.
func (c *Cashier) release(ctx context.Context, h *hold, paid Entry) (*providers.Transaction, error) {
	if h.current().OrderID == 0 { // for operators, for Run and for the turn
		if err := h.write(ctx, func(e *Entry) { e.About = paid.About }); err != nil {
			return nil, err
		}
	}
	if err := c.turn(ctx, h); err != nil {
		return nil, err
	}
	t, err := c.shown(ctx, paid.About, paid.Transaction)
	if err != nil || !h.current().Uncalled {
		return t, cmp.Or(err, h.recount(ctx, t))
	}
	var ids []uuid.UUID
	left, about := paid.Transaction.FirstEvent.Amount, paid.About
	if t != nil {
		ids, about.TransactionID = idsOf(t), t.ID
		if left, err = leftOf(t); err != nil {
			return nil, err
		}
	} else if failed(paid.Transaction.FirstEvent) {
		return nil, nil
	}
	if left.Value.Cmp(client.Money{}) <= 0 {
		return t, nil
	}
	return t, h.calling(ctx, func(e *Entry) { e.About, e.Amount, e.Shown = about, left, ids })
}

// recount reduces the amount of a release whose outcome is unknown, if the app itself has reported since that it
// captured less, or returned a part. After a capture, the release is a refund. It returns a *shownError if the platform
// shows the release, because the ledger was restored or the app has reported it.
func (h *hold) recount(ctx context.Context, t *providers.Transaction) error {
	e := h.current()
	if t == nil || firstOf(t) == nil {
		return nil
	}
	for _, event := range t.Events {
		if event.Info.Operation() == e.Key && event.Status == providers.EventSuccess {
			return &shownError{event}
		}
	}
	later := eventsSince(t, append([]uuid.UUID{firstOf(t).ID}, e.Shown...))
	if !slices.ContainsFunc(later, func(e providers.Event) bool { return e.Info.Operation() == "" }) {
		return nil
	}
	left, err := leftOf(t)
	switch {
	case err != nil:
		return err
	case left.Value.Cmp(client.Money{}) <= 0:
		return errors.New("Void has failed, and the platform shows that nothing is left to release")
	case left.Value.Cmp(e.Amount.Value) >= 0:
		return nil
	}
	return h.write(ctx, func(e *Entry) { e.Amount = left })
}

// void calls Void.
func (c *Cashier) void(ctx context.Context, e, paid Entry, t *providers.Transaction) (providers.EventInput, error) {
	in, err := c.Void(ctx, Cancellation{
		About: e.About, Key: e.Key, Try: e.Tries, BegunAt: e.BegunAt, Amount: e.Amount, Payment: *paid.Transaction,
		PaymentKey: paid.Key, Transaction: t,
	})
	if err != nil {
		return in, err
	}
	in.HappenedAt = c.happened(in)
	return in, rejected("Void", in.CheckLater())
}

// waits reports whether an operation must wait for another one: a cancellation for a payment in progress, and its
// report for the report of the payment. Any other failure occurs again in the next try, and is stored there.
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

// errUnreported means that the platform does not have the transaction of a cancellation yet.
var errUnreported = errors.New("the payment is not reported yet")

// ofPayment fills in the transaction of a cancellation, if the payment is reported.
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
