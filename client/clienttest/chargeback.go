package clienttest

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// Charge is a paid transaction, which is what a dispute is about.
type Charge struct {
	OrderID       client.ID    // the order that was paid
	TransactionID uuid.UUID    // the sale that paid it
	Amount        client.Money // what was paid
	Currency      string       // the main currency of the store
}

// Charge makes, in one call, all that a chargeback needs: an order that costs the
// amount and a successful sale of the app, by card, that has paid it. The amount has
// at most two decimals and is above 0.
//
// Each charge is a new order, so that each may have the three disputes that the
// platform allows for a transaction. The calls an app would make are made, and
// webhooks such as order/created and order/paid are sent; only the log of Requests
// does not have them. The transaction belongs to the app of Client(), but the
// disputes of a transaction are open to every app that has the scope
// write_payments. Refund asks for it back at https://pay.example/refunds, where a test
// puts its handler; parts of it may be asked for.
func (s *Server) Charge(amount client.Money) (Charge, error) {
	d := amount.Decimal()
	if !d.IsPositive() || !d.Equal(d.Truncate(2)) {
		return Charge{}, fmt.Errorf("clienttest: charge of %s: want an amount above 0 with at most two decimals", amount)
	}
	store, _ := reference(s).World().Store(s.store)
	t, err := seed.Charge(reference(s), s.app, store, d)
	if err != nil {
		return Charge{}, fmt.Errorf("clienttest: charge of %s: %w", amount, err)
	}
	made, err := uuid.Parse(t.ID)
	if err != nil {
		return Charge{}, fmt.Errorf("clienttest: transaction %q: %w", t.ID, err)
	}
	return Charge{OrderID: client.ID(t.OrderID), TransactionID: made, Amount: amount, Currency: t.Currency}, nil
}
