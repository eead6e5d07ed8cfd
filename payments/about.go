package payments

import (
	"cmp"
	"log/slog"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// About holds the ids in a call, from its body or its URL. It is filled in before the call is decoded, so that it
// also identifies a malformed call. Missing or unreadable ids are zero. A cancellation contains only the attempt, and
// a refund contains no order.
type About struct {
	StoreID          client.ID   // the store
	OrderID          client.ID   // the order
	PaymentAttemptID client.Code // the attempt to pay the order
	TransactionID    uuid.UUID   // the transaction
	ClientID         string      // the client of a RefreshRequest, not verified
}

// or fills missing ids of a from b.
func (a About) or(b About) About {
	return About{
		cmp.Or(a.StoreID, b.StoreID), cmp.Or(a.OrderID, b.OrderID), cmp.Or(a.PaymentAttemptID, b.PaymentAttemptID),
		cmp.Or(a.TransactionID, b.TransactionID), cmp.Or(a.ClientID, b.ClientID),
	}
}

// String returns the known ids, such as "attempt a1, order 7 of store 123".
func (a About) String() string {
	var known []string
	store := ""
	for _, id := range a.attributes() {
		text := strings.TrimPrefix(strings.TrimSuffix(id.Key, "_id"), "payment_") + " " + id.Value.String()
		if id.Key == "store_id" {
			store = " of " + text
			continue
		}
		known = append(known, text)
	}
	return strings.TrimPrefix(strings.Join(known, ", ")+store, " of ")
}

// attributes returns the known ids for a log.
func (a About) attributes() (all []slog.Attr) {
	add := func(name string, known bool, value slog.Value) {
		if known {
			all = append(all, slog.Attr{Key: name, Value: value})
		}
	}
	text := func(s string) slog.Value { return slog.StringValue(callback.Printable(s, callback.MostShown)) }
	add("store_id", a.StoreID != 0, slog.Int64Value(int64(a.StoreID)))
	add("payment_attempt_id", a.PaymentAttemptID != "", text(string(a.PaymentAttemptID)))
	add("order_id", a.OrderID != 0, slog.Int64Value(int64(a.OrderID)))
	add("transaction_id", a.TransactionID != uuid.Nil, text(a.TransactionID.String()))
	add("client_id", a.ClientID != "", text(a.ClientID))
	return all
}
