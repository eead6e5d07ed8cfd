package payments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

// readTime is the timeout for reading a transaction before money moves out.
const readTime = 5 * time.Second

// shown reads the transaction of an operation as the platform shows it. Without an id it is the transaction with the
// ExternalID of the payment; nil if the platform has none. Any failure is ErrInProgress, because nothing may be
// assumed about a transaction that cannot be read.
func (c *Cashier) shown(ctx context.Context, about About, paid *providers.TransactionInput) (*providers.Transaction, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	api, err := c.service(ctx, about.StoreID)
	var t *providers.Transaction
	switch {
	case err != nil:
	case about.TransactionID != uuid.Nil:
		t, err = api.Get(ctx, about.OrderID, about.TransactionID)
	case paid != nil:
		t, err = api.Find(ctx, about.OrderID, *paid)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read the transaction before money moves: %w", ErrInProgress, err)
	}
	return t, nil
}

// service returns the service of a store.
func (c *Cashier) service(ctx context.Context, store client.ID) (*providers.TransactionService, error) {
	api, err := c.Transactions(ctx, store)
	if err == nil && api == nil {
		err = fmt.Errorf("Transactions returned no service for store %d", store)
	}
	return api, err
}

// decimalOf returns the value; 0 if it is nil.
func decimalOf(a *providers.Amount) decimal.Decimal {
	if a == nil {
		return decimal.Zero
	}
	return a.Value.Decimal()
}

// leftOf returns the amount that can be returned if money was taken, or otherwise released, without events of that kind
// in progress. It is zero or less if there is none. It fails if the transaction does not show the amounts of its state.
func leftOf(t *providers.Transaction) (providers.Amount, error) {
	first := firstOf(t)
	if first == nil {
		return providers.Amount{}, fmt.Errorf("transaction %s has no events", t.ID)
	}
	var rest decimal.Decimal
	switch t.Status {
	case providers.StatusPaid, providers.StatusPartiallyRefunded, providers.StatusRefunded:
		if t.CapturedAmount == nil || t.CapturedAmount.Currency != first.Amount.Currency {
			const text = "transaction %s is %s and shows no captured amount in %s"
			return providers.Amount{}, fmt.Errorf(text, t.ID, t.Status, first.Amount.Currency)
		}
		rest = decimalOf(t.CapturedAmount).Sub(decimalOf(t.RefundedAmount)).Sub(pendingOf(t, providers.EventTypeRefund))
	case providers.StatusAuthorized, providers.StatusPending, providers.StatusInFraudAnalysis, providers.StatusNeedsMerchantReview:
		rest = decimalOf(t.AuthorizedAmount)
		if rest.IsZero() {
			rest = first.Amount.Value.Decimal()
		}
		rest = rest.Sub(decimalOf(t.VoidedAmount)).Sub(pendingOf(t, providers.EventTypeVoid)).Sub(pendingOf(t, providers.EventTypeExpiration))
	case providers.StatusExpired, providers.StatusFailed, providers.StatusVoided:
	default:
		return providers.Amount{}, fmt.Errorf("transaction %s has the unknown status %.40q", t.ID, t.Status)
	}
	value, err := client.MoneyFrom(rest)
	return providers.Amount{Value: value, Currency: first.Amount.Currency}, err
}

// firstOf returns the earliest event by the clock of the platform, or nil. The app's times can be those of its bank.
func firstOf(t *providers.Transaction) *providers.Event {
	if len(t.Events) == 0 {
		return nil
	}
	first := slices.MinFunc(t.Events, func(a, b providers.Event) int {
		if a.CreatedAt.IsZero() || b.CreatedAt.IsZero() {
			return a.HappenedAt.Compare(b.HappenedAt.Time)
		}
		return a.CreatedAt.Compare(b.CreatedAt.Time)
	})
	return &first
}

// pendingOf returns the sum of the pending events of a type, without events that ended with another one of
// the same amount.
func pendingOf(t *providers.Transaction, kind providers.EventType) (sum decimal.Decimal) {
	open := map[string]int{} // by amount
	for _, e := range t.Events {
		switch amount := e.Amount.Value.Decimal().String(); {
		case e.Type != kind:
		case e.Status == providers.EventPending:
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

// idsOf returns the ids of the events, which Entry.Shown stores.
func idsOf(t *providers.Transaction) []uuid.UUID {
	all := make([]uuid.UUID, len(t.Events))
	for i, e := range t.Events {
		all[i] = e.ID
	}
	return all
}

// eventsSince returns the events that are not among the ids in before. An event without an id is counted by its
// position.
func eventsSince(t *providers.Transaction, before []uuid.UUID) []providers.Event {
	before = slices.Clone(before)
	return slices.DeleteFunc(slices.Clone(t.Events), func(e providers.Event) bool {
		i := slices.Index(before, e.ID)
		if i >= 0 {
			before = slices.Delete(before, i, i+1)
		}
		return i >= 0
	})
}

// isKeyed reports whether a Cashier has reported an event of the transaction. The platform then returns messages, so an
// event without a key is not one of a Cashier.
func isKeyed(t *providers.Transaction) bool {
	for _, e := range t.Events {
		if e.Info.Operation() != "" {
			return true
		}
	}
	return false
}

// hasOperation reports whether the transaction has an event of the operation with the key.
func hasOperation(t *providers.Transaction, key string) bool {
	for _, e := range t.Events {
		if e.Info.Operation() == key {
			return true
		}
	}
	return false
}

// refundsOf returns the number of refunds by a Cashier; of all refunds if none of the events is by a Cashier.
func refundsOf(t *providers.Transaction) (n int) {
	keyed := isKeyed(t)
	for _, e := range t.Events {
		if e.Type == providers.EventTypeRefund && (!keyed || e.Info.Operation() != "") {
			n++
		}
	}
	return n
}

// isOutcome reports whether an event has the type, the status and the amount of an input.
func isOutcome(in providers.EventInput, e *providers.Event) bool {
	return e.Type == in.Type && e.Status == in.Status && e.Amount.Equal(in.Amount)
}
