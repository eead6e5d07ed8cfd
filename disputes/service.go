package disputes

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// MaxPerTransaction is how many disputes a transaction of an order may have.
const MaxPerTransaction = 3

// Service creates, moves and reads disputes, all with the scope write_payments.
// Versions v1 and unstable have it. Only payment apps may use it, and an app sees
// its own disputes only.
type Service engine.Service

// Create opens a dispute about a transaction of an order and returns its id. A
// transaction has at most MaxPerTransaction disputes.
//
// Keep the id: no endpoint lists disputes. The request is not repeated, but for one
// that never left and, if client.Retry.Effects asks for it, one that met the
// rate limit. On client.ErrOutcomeUnknown nothing tells whether the dispute exists,
// nor its id. Do not repeat it blindly then: ask the platform's
// people, because the second dispute would withhold the merchant's money again.
//
//api:endpoint POST /orders/{order_id}/transactions/{transaction_id}/disputes
func (s *Service) Create(ctx context.Context, orderID client.ID, transactionID uuid.UUID, in Input) (string, error) {
	if err := checkPlace(orderID, transactionID); err != nil {
		return "", err
	}
	if err := in.Check(); err != nil {
		return "", err
	}
	created, err := engine.Result[created](ctx, s, engine.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions/{transaction_id}/disputes",
		Args: []any{orderID, transactionID}, Body: in.body()})
	if err != nil {
		return "", err
	}
	return created.ID, nil
}

// created is the answer to Create.
type created struct {
	ID    string       `json:"id"`
	Extra client.Extra `json:",embed"`
}

// Update moves the dispute d, as Get returned it, to another state. Before it sends
// anything it checks u against d.Timeline. The answer has no body: Get the
// dispute again before the next update.
//
// It is not repeated after a failure that may have come too late: on
// client.ErrOutcomeUnknown read the dispute and ask u.AppliedTo.
//
//api:endpoint PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}
func (s *Service) Update(ctx context.Context, d *Dispute, u Update) error {
	if d == nil {
		return engine.Invalid("id", "", "a dispute that was read")
	}
	if err := checkPlace(d.OrderID, d.TransactionID); err != nil {
		return err
	}
	if err := d.Timeline().Check(u); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPut, Path: "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}",
		Args: []any{d.OrderID, d.TransactionID, d.ID}, Body: u.body()}, nil)
}

// Get returns a dispute of the app.
//
//api:endpoint GET /orders/{order_id}/transactions/{transaction_id}/disputes/{id}
func (s *Service) Get(ctx context.Context, orderID client.ID, transactionID uuid.UUID, id string) (*Dispute, error) {
	if err := checkPlace(orderID, transactionID); err != nil {
		return nil, err
	}
	return engine.Result[Dispute](ctx, s, engine.Request{Path: "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}",
		Args: []any{orderID, transactionID, id}})
}

func checkPlace(orderID client.ID, transactionID uuid.UUID) error {
	switch {
	case orderID <= 0:
		return engine.Invalid("order_id", orderID, "the id of an order")
	case transactionID == uuid.Nil:
		return engine.Invalid("transaction_id", transactionID, "the id of a transaction")
	}
	return nil
}
