package res

import (
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// beWithinTotal is what amounts and discounts of an order come to at most. The text is assumed.
const beWithinTotal = "must not exceed the total of the order, together with the amounts that were paid"

// discountFaults are the refusals of what a provider took off.
func discountFaults() []api.ErrCase {
	return unprocessable(
		"first_event.discount_amount.value: "+body.BeNumber,
		"first_event.discount_amount: "+beOrderCurrency,
		"first_event.discount_amount: "+body.BeCents,
		"first_event.discount_amount: "+beWithinTotal,
	)
}

// given is what a provider took off at its own checkout, and the member that says so.
type given struct {
	amount decimal.Decimal
	refuse func(text string)
}

// readDiscount reads discount_amount; null is none.
func readDiscount(b body.Members, currency string) *given {
	if !b.Set("discount_amount") {
		b.Ignore("discount_amount")
		return nil
	}
	g := &given{refuse: func(text string) { b.Refuse("discount_amount", text) }}
	var in string
	numbered := false
	b.Object("discount_amount", func(b body.Members) {
		if !b.Has("value") {
			b.Refuse("value", body.BeNumber)
		}
		b.Number("value", &g.amount)
		b.Text("currency", &in)
		numbered = !b.Refused("value")
	})
	switch {
	case !numbered:
	case in != currency:
		g.refuse(beOrderCurrency)
	case g.amount.IsNegative() || !g.amount.Equal(g.amount.Truncate(2)):
		g.refuse(body.BeCents)
	}
	return g
}

// check refuses a discount that, with the amount that it comes with and with what the other transactions of the order
// hold and took off, is more than the order costs. A payment that has failed takes nothing off.
func (g *given) check(tx *world.Tx, o world.Order, e world.TransactionEvent) {
	if g == nil || !g.amount.IsPositive() || e.Status == failure || e.Status == "error" {
		return
	}
	sum := e.Amount.Add(g.amount)
	for _, t := range transactionsOf(tx, o.ID) {
		if held := heldBy(t); held.IsPositive() {
			sum = sum.Add(held).Add(t.Discounted)
		}
	}
	if sum.GreaterThan(o.Total) {
		g.refuse(beWithinTotal)
	}
}

// heldBy is the money of a transaction that was not given back.
func heldBy(t world.Transaction) decimal.Decimal {
	if t.Captured.IsPositive() {
		return t.Captured.Sub(t.Refunded)
	}
	if t.Status == world.TransactionAuthorized {
		return t.Authorized.Sub(t.Voided)
	}
	return decimal.Decimal{}
}
