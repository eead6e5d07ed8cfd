package disputes

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// MaxPerTransaction is the maximum number of disputes of one transaction.
const MaxPerTransaction = 3

// Service creates, updates and reads disputes. All methods require the scope write_payments. Versions v1 and unstable
// have it. Only payment apps may use it, and an app can read only its own disputes.
type Service engine.Service

// Create opens a dispute about a transaction of an order and returns its id. A transaction can have at most
// MaxPerTransaction disputes.
//
// Store the id: no endpoint lists disputes. Create retries only a request that was never sent and, if
// client.Retry.Effects is set, one that was rejected by the rate limit. After client.ErrOutcomeUnknown, neither the
// existence of the dispute nor its id is known. Do not repeat the call then. Contact the platform's support, because
// a second dispute would withhold the merchant's money again.
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

// created is the response to Create.
type created struct {
	ID    string       `json:"id"`
	Extra client.Extra `json:",embed"`
}

// Update moves the dispute d, as returned by Get, to another state. It checks u against d.Timeline before it sends
// anything. The response has no body, so call Get again before the next update.
//
// Update is not retried after a failure that may have happened after the platform applied it. After
// client.ErrOutcomeUnknown, call Get and then u.AppliedTo.
//
//api:endpoint PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}
func (s *Service) Update(ctx context.Context, d *Dispute, u Update) error {
	if d == nil {
		return engine.Invalid("id", "", "a dispute returned by Get")
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

// Get returns a dispute that the app created.
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
