package payments

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// TransactionService reads transactions with the scope read_payments and writes
// them with write_payments. All versions have it. Only payment apps may use it.
type TransactionService struct{ view client.View }

// NewTransactionService returns the service at the version of v.
func NewTransactionService(v client.View) *TransactionService { return &TransactionService{v} }

// Create reports a payment of an order with its first event. It is not repeated
// after a failure that may have come too late: on client.ErrOutcomeUnknown look for
// Info.ExternalID in List before you repeat it.
//
//api:endpoint POST /orders/{order_id}/transactions
func (s *TransactionService) Create(ctx context.Context, orderID client.ID, in TransactionInput) (*Transaction, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return client.Result[Transaction](ctx, s.view, client.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions",
		Args: []any{orderID}, Body: in})
}

// List selects the transactions of an order.
//
//api:endpoint GET /orders/{order_id}/transactions
func (s *TransactionService) List(orderID client.ID) client.List[Transaction] {
	return client.NewList[Transaction](s.view.Listing("/orders/{order_id}/transactions", nil, orderID).WithoutPages())
}

// Get returns a transaction.
//
//api:endpoint GET /orders/{order_id}/transactions/{id}
func (s *TransactionService) Get(ctx context.Context, orderID client.ID, id uuid.UUID) (*Transaction, error) {
	return client.Result[Transaction](ctx, s.view, client.Request{Path: "/orders/{order_id}/transactions/{id}", Args: []any{orderID, id}})
}

// CreateEvent reports what happened to a transaction. It is not repeated after a
// failure that may have come too late: read the transaction first.
//
//api:endpoint POST /orders/{order_id}/transactions/{id}/events
func (s *TransactionService) CreateEvent(ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput) (*Event, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return client.Result[Event](ctx, s.view, client.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions/{id}/events",
		Args: []any{orderID, id}, Body: in})
}
