package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// Refund is a function for RefundHandler. It returns nil if the money was refunded, and otherwise the RefundRefusal,
// also for a repeated call. It also returns nil if the report failed, because Run repeats the report.
//
// The platform's transaction decides whether money moves. The refusal is RefundRefusalRejected if the amount is more
// than the captured amount less refunds, if it is in another currency, or if the payment was cancelled. The error is
// ErrInProgress if the transaction cannot be read, or if another refund or cancellation of the order is not reported
// yet. No money has moved then.
//
// The platform gives refunds no id. A call is assigned to an earlier refund of the transaction by this table. Earlier
// refunds are in the ledger, or the platform shows them, such as refunds that the app reports itself. A call is never a
// repeated call of a refund of the app, so it is answered RefundRefusalAlreadyInProcess instead:
//
//	the earlier refund is                same amount                    other amount
//	not reported yet                     repeated call, same answer     RefundRefusalAlreadyInProcess
//	reported after the call was signed   repeated call, same answer     RefundRefusalAlreadyInProcess
//	reported less than a Window before   RefundRefusalAlreadyInProcess  a new refund
//	reported earlier than that           a new refund                   a new refund
//	rejected, and the call is identical  the same refusal               a new refund
//
// The times of the signature and of the report are from the platform's clock. A merchant who refunds the same amount
// twice must wait for Window between the refunds. See SignedAt.
//
// Any other error means that money may have moved: see Process. With ErrNotInLedger, no money has moved.
func (c *Cashier) Refund(ctx context.Context, r RefundRequest) error {
	if err := c.Check(); err != nil {
		return err
	}
	if c.Repay == nil {
		return fmt.Errorf("Repay is nil: %w", RefundRefusalRejected)
	}
	order, err := c.orderOf(ctx, r)
	if err != nil {
		return err
	}
	about := About{StoreID: r.StoreID, OrderID: order, TransactionID: r.TransactionID}
	for {
		e, err := c.entry(ctx, CallRefund, about, r.Amount, r, "")
		if err != nil {
			return err
		}
		if e.Key, err = c.refundKey(ctx, r, e); err != nil {
			return err
		}
		e, err = c.conclude(ctx, e, r.differs, func(ctx context.Context, h *hold) error { return c.repay(ctx, h, r) })
		switch {
		case errors.Is(err, errOther):
			continue // it was begun a moment ago, so decide again
		case err != nil:
			return err
		case e.State == StateRefused:
			return e.Refusal
		case e.Event == nil:
			return ErrClosed
		}
		return nil
	}
}

// refundKey returns the key of a refund. If the call belongs to an earlier refund in the ledger, it is the key of that
// refund. Otherwise it is derived from the number of refunds by a Cashier that the platform shows, and of refunds in
// the ledger that were refused since. It does not depend on refunds of the app, and is never the key of an event.
// Replicas that begin a refund concurrently get the same key.
func (c *Cashier) refundKey(ctx context.Context, r RefundRequest, asked Entry) (string, error) {
	earlier, err := c.refunds(ctx, r)
	if err != nil {
		return "", err
	}
	byKey := map[string]Entry{}
	for _, e := range earlier {
		switch byKey[e.Key] = e; c.relation(e, asked) {
		case sameRefund:
			return e.Key, nil
		case anotherInProcess:
			return "", fmt.Errorf("refund %s: %w", e.Key, RefundRefusalAlreadyInProcess)
		case laterRefund:
		}
	}
	t, err := c.shown(ctx, asked.About, nil)
	if err != nil {
		return "", err
	}
	for n := 0; ; n++ {
		k := key("refund", r.StoreID, fmt.Sprintf("%s/%d/%d", r.TransactionID, refundsOf(t), n))
		if e, ok := byKey[k]; (!ok || e.State.Open()) && !hasOperation(t, k) {
			return k, nil
		}
	}
}

// errOther means that a refund of another amount has the key.
var errOther = errors.New("another refund of the transaction was begun at the same time")

func (r RefundRequest) differs(e Entry) error {
	if e.Amount.Equal(r.Amount) {
		return nil
	}
	return errOther
}

// relation is the relation of an earlier refund to a call.
type relation int

const (
	laterRefund      relation = iota // the call is another refund
	sameRefund                       // the call repeats it
	anotherInProcess                 // the call arrived too soon after it
)

// relation compares an earlier refund with a requested one.
func (c *Cashier) relation(earlier, asked Entry) relation {
	same := earlier.Amount.Equal(asked.Amount)
	again := !asked.SignedAt.After(earlier.ReportedAt)
	switch {
	case earlier.State.Open(), earlier.State == StateReported && again:
		if same {
			return sameRefund
		}
		return anotherInProcess
	case earlier.State == StateReported && same && asked.SignedAt.Sub(earlier.ReportedAt) < c.window():
		return anotherInProcess
	case earlier.State != StateReported && same && asked.SignedAt.Equal(earlier.SignedAt):
		return sameRefund
	}
	return laterRefund
}

// permit decides in the turn of a refund, by the platform's transaction, whether its money may move. It returns nil
// after it has recorded that Repay is about to be called, a RefundRefusal, or a *shownError.
func (c *Cashier) permit(ctx context.Context, h *hold, paid *Entry) error {
	if err := c.turn(ctx, h); err != nil {
		return err
	}
	e := h.current()
	t, err := c.shown(ctx, e.About, nil)
	if err != nil {
		return err
	}
	if paid.Transaction == nil { // it moved, and is not reported as far as the ledger knows
		if *paid, err = c.unreported(ctx, e.About, t); err != nil {
			return err
		}
	}
	cancelled, err := c.cancelled(ctx, paid.PaymentAttemptID)
	switch {
	case err != nil:
		return err
	case cancelled: // its money is returned by the cancellation
		return fmt.Errorf("the payment was cancelled: %w", RefundRefusalRejected)
	}
	if err := c.repeated(ctx, e, t); err != nil {
		return err
	}
	left, err := leftOf(t)
	switch {
	case err != nil:
		return err
	case !decimalOf(t.CapturedAmount).IsPositive(), left.Currency != e.Amount.Currency, left.Value.Cmp(e.Amount.Value) < 0:
		return fmt.Errorf("%s of %s %s is left: %w", left.Value, left.Currency, t.Status, RefundRefusalRejected)
	}
	return h.calling(ctx, func(e *Entry) { e.Shown = idsOf(t) })
}

// shownError means that the platform shows the refund or the release of a call already.
type shownError struct{ event providers.Event }

func (e *shownError) Error() string {
	return fmt.Sprintf("event %s is that of the operation", e.event.ID)
}

// record stores the event in the entry of the refund.
func (e *shownError) record(entry *Entry) {
	entry.Event = &providers.EventInput{
		Amount: e.event.Amount, Type: e.event.Type, Status: e.event.Status, HappenedAt: e.event.HappenedAt,
		Info: e.event.Info,
	}
	entry.ReportedAt = e.event.CreatedAt.UTC()
}

// repeated returns an error if the refunds that the platform shows do not permit another one. It is a *shownError if
// one of them is the refund of the same call, whose entry was lost. It also fails if the platform shows fewer refunds
// than the ledger.
func (c *Cashier) repeated(ctx context.Context, e Entry, t *providers.Transaction) error {
	for _, shown := range t.Events {
		if shown.Type != providers.EventTypeRefund || failed(providers.EventInput{Status: shown.Status}) || shown.CreatedAt.IsZero() {
			continue
		}
		earlier := Entry{State: StateReported, Amount: shown.Amount, ReportedAt: shown.CreatedAt.UTC()}
		switch relation := c.relation(earlier, e); {
		case relation == sameRefund && shown.Info.Operation() != "":
			return &shownError{shown}
		case relation != laterRefund: // a refund of the app itself is never that of a call
			return fmt.Errorf("refund event %s: %w", shown.ID, RefundRefusalAlreadyInProcess)
		}
	}
	all, err := c.refunds(ctx, RefundRequest{StoreID: e.StoreID, TransactionID: e.TransactionID})
	known := 0
	for _, other := range all {
		if other.State == StateReported {
			known++
		}
	}
	if err == nil && known > refundsOf(t) {
		err = fmt.Errorf("%w: the platform shows %d refunds, and the ledger has %d", ErrInProgress, refundsOf(t), known)
	}
	return err
}

// unreported returns the payment of a transaction that the ledger has without the transaction's id, because its report
// was applied and not answered; a zero Entry if there is none.
func (c *Cashier) unreported(ctx context.Context, about About, t *providers.Transaction) (Entry, error) {
	all, err := c.ledger().Find(ctx, About{StoreID: about.StoreID, OrderID: about.OrderID})
	for _, e := range all {
		if e.Call == CallProcess && e.Transaction != nil && e.Transaction.AppliedTo(t) {
			return e, err
		}
	}
	return Entry{}, err
}

// payment returns the entry of the refunded payment; a zero Entry if the ledger does not have it, or not any more.
func (c *Cashier) payment(ctx context.Context, r RefundRequest) (Entry, error) {
	entries, err := c.ledger().Find(ctx, About{StoreID: r.StoreID, TransactionID: r.TransactionID})
	if err != nil {
		return Entry{}, fmt.Errorf("payments: find the payment: %w", err)
	}
	for _, e := range entries {
		if e.Call == CallProcess {
			return e, nil
		}
	}
	return Entry{}, nil
}

// orderOf returns the order of the refunded payment, by the ledger or by OrderOf.
func (c *Cashier) orderOf(ctx context.Context, r RefundRequest) (client.ID, error) {
	paid, err := c.payment(ctx, r)
	if err != nil || paid.OrderID != 0 {
		return paid.OrderID, err
	}
	if c.OrderOf == nil {
		return 0, fmt.Errorf("%w: transaction %s of store %d", ErrNotInLedger, r.TransactionID, r.StoreID)
	}
	order, err := c.OrderOf(ctx, r.StoreID, r.TransactionID)
	if err == nil && order <= 0 {
		err = fmt.Errorf("%w: OrderOf returned %d for transaction %s of store %d",
			ErrNotInLedger, order, r.TransactionID, r.StoreID)
	}
	return order, err
}

// refunds returns the refunds of a transaction in the ledger.
func (c *Cashier) refunds(ctx context.Context, r RefundRequest) ([]Entry, error) {
	entries, err := c.ledger().Find(ctx, About{StoreID: r.StoreID, TransactionID: r.TransactionID})
	if err != nil {
		return nil, fmt.Errorf("payments: find the refunds: %w", err)
	}
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Call != CallRefund }), nil
}
