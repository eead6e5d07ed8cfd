package clienttest

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Charge is a paid transaction, the subject of a dispute.
type Charge struct {
	OrderID       client.ID    // the order that was paid
	TransactionID uuid.UUID    // the sale that paid it
	Amount        client.Money // the paid amount
	Currency      string       // the main currency of the store
}

// Charge creates all records that a chargeback requires: an order of the amount, and a successful sale by card that has
// paid it. The amount must be above 0 and have at most two decimals.
//
// Each charge is a new order, so each may have the three disputes that the platform allows for a transaction. Charge
// makes the calls of an app, and the platform sends webhooks such as order/created and order/paid. The log of Requests
// omits these calls. The transaction belongs to the app of Client(), but each app with the scope write_payments can use
// its disputes. Refund sends its request to https://pay.example/refunds, where a test can put a handler. Partial
// refunds are allowed.
func (s *Server) Charge(amount client.Money) (Charge, error) {
	d := amount.Decimal()
	if !d.IsPositive() || !d.Equal(d.Truncate(2)) {
		return Charge{}, fmt.Errorf("clienttest: charge of %s: amount must be above 0 and have at most two decimals", amount)
	}
	store, _ := reference(s).World().Store(s.store)
	t, err := seed.Charge(reference(s), s.app, store, d)
	if err != nil {
		return Charge{}, fmt.Errorf("clienttest: charge of %s: %w", amount, err)
	}
	return charge(t)
}

// Pay pays the total of an order by a successful sale by card, for example an order of Basket.Buy by a known customer.
// The platform sends order/paid. Like Charge, Pay makes the call of an app, so the payment app that a test examines is
// not asked; see ProcessPayment for that. It fails if the store has no such order.
func (s *Server) Pay(order client.ID) (Charge, error) {
	store, _ := reference(s).World().Store(s.store)
	t, err := seed.Pay(reference(s), s.app, store, int64(order))
	if err != nil {
		return Charge{}, fmt.Errorf("clienttest: payment of order %d: %w", order, err)
	}
	return charge(t)
}

func charge(t world.Transaction) (Charge, error) {
	made, err := uuid.Parse(t.ID)
	if err != nil {
		return Charge{}, fmt.Errorf("clienttest: transaction %q: %w", t.ID, err)
	}
	return Charge{OrderID: client.ID(t.OrderID), TransactionID: made, Amount: amount(t.Captured), Currency: t.Currency}, nil
}
