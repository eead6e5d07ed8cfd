package payments

import (
	"context"
	"errors"
	"fmt"
)

// Refund is a function for RefundHandler. It returns nil if the money was refunded, and otherwise the RefundRefusal,
// also for a repeated call. It also returns nil if the report failed, because Run repeats the report.
//
// The platform gives refunds no id. A call is assigned to an earlier refund of the transaction by this table:
//
//	the earlier refund is                   same amount                 other amount
//	not reported yet                        repeated call, same answer   RefundRefusalAlreadyInProcess
//	reported after the call was signed      repeated call, same answer   RefundRefusalAlreadyInProcess
//	reported less than a Window before      RefundRefusalAlreadyInProcess   a new refund
//	reported earlier than that              a new refund                a new refund
//	rejected, and the call is identical     the same refusal            a new refund
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
	paid, err := c.payment(ctx, r)
	if err != nil {
		return err
	}
	about := About{StoreID: r.StoreID, OrderID: paid.OrderID, TransactionID: r.TransactionID}
	for {
		earlier, err := c.refunds(ctx, r)
		if err != nil {
			return err
		}
		e, err := c.entry(ctx, CallRefund, about, r.Amount, r, refundKey(r, len(earlier)))
		if err != nil {
			return err
		}
		if e.Key, err = c.among(earlier, e); err != nil {
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

// among returns the key of a refund. If the call belongs to an earlier refund, it is the key of that refund.
func (c *Cashier) among(earlier []Entry, asked Entry) (key string, err error) {
	for _, e := range earlier {
		switch c.relation(e, asked) {
		case sameRefund:
			return e.Key, nil
		case anotherInProcess:
			return "", fmt.Errorf("refund %s: %w", e.Key, RefundRefusalAlreadyInProcess)
		case laterRefund:
		}
	}
	return asked.Key, nil
}

// errOther means that a refund of another amount has the key.
var errOther = errors.New("another refund of the transaction was begun at the same time")

func (r RefundRequest) differs(e Entry) error {
	if e.Amount.equal(r.Amount) {
		return nil
	}
	return errOther
}

// refundKey returns the key of the nth refund of a transaction, from 0. Replicas that begin a refund concurrently get
// the same key.
func refundKey(r RefundRequest, n int) string {
	return key("refund", r.StoreID, fmt.Sprintf("%s/%d", r.TransactionID, n))
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
	same := earlier.Amount.equal(asked.Amount)
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

// payment returns the entry of the refunded payment. If only OrderOf knows it, only its order is set.
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
	if c.OrderOf == nil {
		return Entry{}, fmt.Errorf("%w: transaction %s of store %d", ErrNotInLedger, r.TransactionID, r.StoreID)
	}
	order, err := c.OrderOf(ctx, r.StoreID, r.TransactionID)
	if err != nil {
		return Entry{}, err
	}
	if order <= 0 {
		return Entry{}, fmt.Errorf("%w: OrderOf returned %d for transaction %s of store %d",
			ErrNotInLedger, order, r.TransactionID, r.StoreID)
	}
	return Entry{About: About{OrderID: order}}, nil
}

// refunds returns the refunds of a transaction in the order of their numbers.
func (c *Cashier) refunds(ctx context.Context, r RefundRequest) ([]Entry, error) {
	entries, err := c.ledger().Find(ctx, About{StoreID: r.StoreID, TransactionID: r.TransactionID})
	if err != nil {
		return nil, fmt.Errorf("payments: find the refunds: %w", err)
	}
	byKey := map[string]Entry{}
	for _, e := range entries {
		if e.Call == CallRefund {
			byKey[e.Key] = e
		}
	}
	var all []Entry
	for e, ok := byKey[refundKey(r, 0)]; ok; e, ok = byKey[refundKey(r, len(all))] {
		all = append(all, e)
	}
	return all, nil
}
