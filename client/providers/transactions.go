package providers

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// TransactionService reads and reports transactions. Reads require the scope read_payments, and writes
// write_payments. All versions have it. Only payment apps may use it.
type TransactionService engine.Service

// Create reports a payment of an order with its first event and returns the transaction. It is not retried after a
// failure that may have happened after the platform applied it. CreateOrGet is.
//
//api:endpoint POST /orders/{order_id}/transactions
func (s *TransactionService) Create(ctx context.Context, orderID client.ID, in TransactionInput) (*Transaction, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	return engine.Result[Transaction](ctx, s, engine.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions",
		Args: []any{orderID}, Body: in})
}

// CreateOrGet returns the transaction of the order with the provider and the Info.ExternalID of in, or creates it. An
// existing transaction is returned whatever its other members are. So the app must choose a different ExternalID for
// each attempt, before the money moves. Made reports whether the transaction was created, as in client.CreateOrGet.
// If it is false, in.Differences(t) returns the names of members that differ. If the amount is among them, an
// ExternalID was used twice, and the payment of in is not recorded.
//
// It sends the transaction at most once. If the response is lost, it looks for the transaction after 2, 5 and 15
// seconds. If the transaction is not found, the error is client.ErrProbablyNotCreated. The request can still take
// effect, and the platform does not reject a second transaction with the same ExternalID. Repeat the call at least a
// minute later, from your records. If two programs call it concurrently, they can create two transactions.
func (s *TransactionService) CreateOrGet(
	ctx context.Context, orderID client.ID, in TransactionInput,
) (t *Transaction, made bool, err error) {
	if err := in.Check(); err != nil {
		return nil, false, err
	}
	return client.CreateOrGet(ctx, func(ctx context.Context) (*Transaction, error) {
		return s.Find(ctx, orderID, in)
	}, func(ctx context.Context) (*Transaction, error) {
		return s.Create(ctx, orderID, in)
	})
}

// Find returns the transaction of the order with the provider and the ExternalID of in, or nil.
func (s *TransactionService) Find(ctx context.Context, orderID client.ID, in TransactionInput) (*Transaction, error) {
	for t, err := range s.List(orderID).All(ctx) {
		if err != nil || in.AppliedTo(t) {
			return t, err
		}
	}
	return nil, nil
}

// AppliedTo reports whether t has the provider and the ExternalID of in.
func (in TransactionInput) AppliedTo(t *Transaction) bool {
	return t.PaymentProviderID == in.PaymentProviderID && t.Info.ExternalID == in.Info.ExternalID
}

// List returns a query for the transactions of an order.
//
//api:endpoint GET /orders/{order_id}/transactions
func (s *TransactionService) List(orderID client.ID) client.List[Transaction] {
	return client.List[Transaction](engine.List(s, engine.ListSpec{Path: "/orders/{order_id}/transactions", Args: []any{orderID}, Whole: true}))
}

// Get returns a transaction.
//
//api:endpoint GET /orders/{order_id}/transactions/{id}
func (s *TransactionService) Get(ctx context.Context, orderID client.ID, id uuid.UUID) (*Transaction, error) {
	return engine.Result[Transaction](ctx, s, engine.Request{Path: "/orders/{order_id}/transactions/{id}", Args: []any{orderID, id}})
}

// CreateEvent reports an event of a transaction. It is not retried after a failure that may have happened after the
// platform applied it. CreateEventOrGet is.
//
//api:endpoint POST /orders/{order_id}/transactions/{id}/events
func (s *TransactionService) CreateEvent(ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput) (*Event, error) {
	if err := in.CheckLater(); err != nil {
		return nil, err
	}
	return engine.Result[Event](ctx, s, engine.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions/{id}/events",
		Args: []any{orderID, id}, Body: in})
}

// CreateEventOrGet returns the event of the transaction that matches in, or reports it. It sends the event at most
// once and may be repeated, as CreateOrGet. Made reports whether the event was created. HappenedAt is required and
// must be equal in each call, because it distinguishes a repeated call from another event of the same amount. See
// EventInput.AppliedTo.
//
// A matching event has the type, the status and the amount of in. Events have no id of the app, so an event of
// another amount is reported as an additional event. An operation of an app must not change its amount after the
// first report.
func (s *TransactionService) CreateEventOrGet(
	ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput,
) (e *Event, made bool, err error) {
	if in.HappenedAt.IsZero() {
		return nil, false, engine.Invalid("happened_at", "", "the time of the event, equal in each repetition")
	}
	if err := in.CheckLater(); err != nil {
		return nil, false, err
	}
	return client.CreateOrGet(ctx, func(ctx context.Context) (*Event, error) {
		t, err := s.Get(ctx, orderID, id)
		if err != nil {
			return nil, err
		}
		return in.in(t), nil
	}, func(ctx context.Context) (*Event, error) {
		return s.CreateEvent(ctx, orderID, id, in)
	})
}
