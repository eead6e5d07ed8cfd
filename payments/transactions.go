package payments

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// TransactionService reads transactions with the scope read_payments and writes
// them with write_payments. All versions have it. Only payment apps may use it.
type TransactionService engine.Service

// Create reports a payment of an order with its first event and returns the transaction. It is not repeated
// after a failure that may have come too late: CreateOrGet is.
//
//api:endpoint POST /orders/{order_id}/transactions
func (s *TransactionService) Create(ctx context.Context, orderID client.ID, in TransactionInput) (*Transaction, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Result[Transaction](ctx, s, engine.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions",
		Args: []any{orderID}, Body: in})
}

// CreateOrGet returns the transaction of the order with the provider and the Info.ExternalID of in, whatever its other
// members, or else creates it. So the ExternalID must be one that the app chose before the money moved, and must be
// another one for each attempt. Made reports which, as that of client.CreateOrGet. Where it is false, in.Differences(t)
// names the members in which the transaction is another one: if the amount is among them, an ExternalID was used twice,
// and the payment of in is not recorded.
//
// It sends the transaction at most once. If the answer is lost, it looks for the transaction after 2, 5 and 15 seconds.
// If that is not there, the error is client.ErrProbablyNotCreated: the request may still take effect, and the platform
// does not refuse a second transaction with the same ExternalID. Repeat the call a minute later or more, from your
// records. Nothing prevents a second transaction if two programs call it at the same time.
func (s *TransactionService) CreateOrGet(
	ctx context.Context, orderID client.ID, in TransactionInput,
) (t *Transaction, made bool, err error) {
	return s.createIf(ctx, orderID, in, always)
}

// always is a create that nothing prevents.
func always() error { return nil }

// createIf is CreateOrGet, and sends the transaction only if may returns nil right before.
func (s *TransactionService) createIf(
	ctx context.Context, orderID client.ID, in TransactionInput, may func() error,
) (t *Transaction, made bool, err error) {
	if err := in.check(); err != nil {
		return nil, false, err
	}
	return client.CreateOrGet(ctx, func(ctx context.Context) (*Transaction, error) {
		for t, err := range s.List(orderID).All(ctx) {
			if err != nil || t.PaymentProviderID == in.PaymentProviderID && t.Info.ExternalID == in.Info.ExternalID {
				return t, err
			}
		}
		return nil, nil
	}, func(ctx context.Context) (*Transaction, error) {
		if err := may(); err != nil {
			return nil, err
		}
		return s.Create(ctx, orderID, in)
	})
}

// List selects the transactions of an order.
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

// CreateEvent reports what happened to a transaction. It is not repeated after a
// failure that may have come too late: CreateEventOrGet is.
//
//api:endpoint POST /orders/{order_id}/transactions/{id}/events
func (s *TransactionService) CreateEvent(ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput) (*Event, error) {
	if err := in.checkLater(); err != nil {
		return nil, err
	}
	return engine.Result[Event](ctx, s, engine.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions/{id}/events",
		Args: []any{orderID, id}, Body: in})
}

// CreateEventOrGet returns the event of the transaction that in describes, or else reports it: at most once, and may be
// repeated, as CreateOrGet, and made reports which. HappenedAt is required and must be the same each time, because it
// distinguishes a repetition from another event of the same amount. See EventInput.AppliedTo.
//
// An event that is found has the type, the status and the amount of in: events have no id of the app, so an event of
// another amount is another event, and is reported beside the first. An operation of an app must not change its amount
// after it was reported for the first time.
func (s *TransactionService) CreateEventOrGet(
	ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput,
) (e *Event, made bool, err error) {
	return s.createEventIf(ctx, orderID, id, in, always)
}

// createEventIf is CreateEventOrGet, and sends the event only if may returns nil right before.
func (s *TransactionService) createEventIf(
	ctx context.Context, orderID client.ID, id uuid.UUID, in EventInput, may func() error,
) (e *Event, made bool, err error) {
	if in.HappenedAt.IsZero() {
		return nil, false, engine.Invalid("happened_at", "", "when it happened, the same in each repetition")
	}
	if err := in.checkLater(); err != nil {
		return nil, false, err
	}
	return client.CreateOrGet(ctx, func(ctx context.Context) (*Event, error) {
		t, err := s.Get(ctx, orderID, id)
		if err != nil {
			return nil, err
		}
		return in.in(t), nil
	}, func(ctx context.Context) (*Event, error) {
		if err := may(); err != nil {
			return nil, err
		}
		return s.CreateEvent(ctx, orderID, id, in)
	})
}
