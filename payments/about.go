package payments

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
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

// about returns the ids in a call. The ids of a call without a body that is read are in its URL.
func (k kind) about(raw []byte, query url.Values) About {
	body, address := aboutOfBody(raw), aboutOfAddress(query)
	if k.read == nil {
		return address.or(body)
	}
	return body.or(address)
}

func aboutOfBody(raw []byte) (a About) {
	var members client.Extra
	_ = wire.Unmarshal(raw, &members) // if the body is truncated, the members before that are read
	a.StoreID, _ = valueOf[client.ID](members["store_id"])
	a.OrderID, _ = valueOf[client.ID](members["order_id"])
	a.PaymentAttemptID, _ = valueOf[client.Code](members["payment_attempt_id"])
	a.TransactionID, _ = valueOf[uuid.UUID](members["transaction_id"])
	a.ClientID, _ = valueOf[string](members["client_id"])
	return a
}

func aboutOfAddress(query url.Values) (a About) {
	a.StoreID, _ = client.ParseID(query.Get("store_id"))
	a.OrderID, _ = client.ParseID(query.Get("order_id"))
	a.PaymentAttemptID = client.Code(query.Get("payment_attempt_id"))
	a.TransactionID, _ = uuid.Parse(query.Get("transaction_id"))
	return a
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
	add := func(name, id string) {
		if id != "" {
			known = append(known, name+" "+callback.Printable(id, callback.MostShown))
		}
	}
	add("attempt", string(a.PaymentAttemptID))
	if a.OrderID != 0 {
		add("order", a.OrderID.String())
	}
	if a.TransactionID != uuid.Nil {
		add("transaction", a.TransactionID.String())
	}
	add("client", a.ClientID)
	text := strings.Join(known, ", ")
	if a.StoreID == 0 {
		return text
	}
	return strings.TrimPrefix(fmt.Sprintf("%s of store %d", text, a.StoreID), " of ")
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
	add("order_id", a.OrderID != 0, slog.Int64Value(int64(a.OrderID)))
	add("payment_attempt_id", a.PaymentAttemptID != "", text(string(a.PaymentAttemptID)))
	add("transaction_id", a.TransactionID != uuid.Nil, text(a.TransactionID.String()))
	add("client_id", a.ClientID != "", text(a.ClientID))
	return all
}
