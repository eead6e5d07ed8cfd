package payments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
)

// readTime is the timeout for reading a transaction before money moves out.
const readTime = 5 * time.Second

// shown reads the transaction of an operation as the platform shows it. Without an id it is the transaction with the
// ExternalID of the payment; nil if the platform has none. Any failure is ErrInProgress, because nothing may be
// assumed about a transaction that cannot be read.
func (c *Cashier) shown(ctx context.Context, about About, paid *TransactionInput) (*Transaction, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	api, err := c.service(ctx, about.StoreID)
	var t *Transaction
	switch {
	case err != nil:
	case about.TransactionID != uuid.Nil:
		t, err = api.Get(ctx, about.OrderID, about.TransactionID)
	case paid != nil:
		t, err = api.find(ctx, about.OrderID, *paid)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read the transaction before money moves: %w", ErrInProgress, err)
	}
	return t, nil
}

// service returns the service of a store.
func (c *Cashier) service(ctx context.Context, store client.ID) (*TransactionService, error) {
	api, err := c.Transactions(ctx, store)
	if err == nil && api == nil {
		err = fmt.Errorf("Transactions returned no service for store %d", store)
	}
	return api, err
}

// decimal returns the value; 0 if it is nil.
func (a *Amount) decimal() decimal.Decimal {
	if a == nil {
		return decimal.Zero
	}
	return a.Value.Decimal()
}

// left returns the amount that can be returned if money was taken, or otherwise released, without events of that kind
// in progress. It is zero or less if there is none. It fails if the transaction does not show the amounts of its state.
func (t *Transaction) left() (Amount, error) {
	first := t.first()
	if first == nil {
		return Amount{}, fmt.Errorf("transaction %s has no events", t.ID)
	}
	var rest decimal.Decimal
	switch t.Status {
	case StatusPaid, StatusPartiallyRefunded, StatusRefunded:
		if t.CapturedAmount == nil || t.CapturedAmount.Currency != first.Amount.Currency {
			const text = "transaction %s is %s and shows no captured amount in %s"
			return Amount{}, fmt.Errorf(text, t.ID, t.Status, first.Amount.Currency)
		}
		rest = t.CapturedAmount.decimal().Sub(t.RefundedAmount.decimal()).Sub(t.pending(EventTypeRefund))
	case StatusAuthorized, StatusPending, StatusInFraudAnalysis, StatusNeedsMerchantReview:
		rest = t.AuthorizedAmount.decimal()
		if rest.IsZero() {
			rest = first.Amount.Value.Decimal()
		}
		rest = rest.Sub(t.VoidedAmount.decimal()).Sub(t.pending(EventTypeVoid)).Sub(t.pending(EventTypeExpiration))
	case StatusExpired, StatusFailed, StatusVoided:
	default:
		return Amount{}, fmt.Errorf("transaction %s has the unknown status %.40q", t.ID, t.Status)
	}
	value, err := client.MoneyFrom(rest)
	return Amount{value, first.Amount.Currency}, err
}

// first returns the earliest event by the clock of the platform, or nil. The app's times can be those of its bank.
func (t *Transaction) first() *Event {
	if len(t.Events) == 0 {
		return nil
	}
	first := slices.MinFunc(t.Events, func(a, b Event) int {
		if a.CreatedAt.IsZero() || b.CreatedAt.IsZero() {
			return a.HappenedAt.Compare(b.HappenedAt.Time)
		}
		return a.CreatedAt.Compare(b.CreatedAt.Time)
	})
	return &first
}

// pending returns the sum of the pending events of a type, without events that ended with another one of
// the same amount.
func (t *Transaction) pending(kind EventType) (sum decimal.Decimal) {
	open := map[string]int{} // by amount
	for _, e := range t.Events {
		switch amount := e.Amount.Value.Decimal().String(); {
		case e.Type != kind:
		case e.Status == EventPending:
			open[amount]++
		default:
			open[amount]--
		}
	}
	for amount, n := range open {
		sum = sum.Add(decimal.RequireFromString(amount).Mul(decimal.NewFromInt(int64(max(n, 0)))))
	}
	return sum
}

// ids returns the ids of the events, which Entry.Shown stores.
func (t *Transaction) ids() []uuid.UUID {
	all := make([]uuid.UUID, len(t.Events))
	for i, e := range t.Events {
		all[i] = e.ID
	}
	return all
}

// since returns the events that are not among the ids in before. An event without an id is counted by its position.
func (t *Transaction) since(before []uuid.UUID) []Event {
	before = slices.Clone(before)
	return slices.DeleteFunc(slices.Clone(t.Events), func(e Event) bool {
		i := slices.Index(before, e.ID)
		if i >= 0 {
			before = slices.Delete(before, i, i+1)
		}
		return i >= 0
	})
}
