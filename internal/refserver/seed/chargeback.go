package seed

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Charge makes the records for a dispute. They are an order of one line that costs the amount, in the main currency of
// the store, and a transaction by card that has paid it. The app gets a provider if it has none. The events are those
// of an app's own calls.
func Charge(s *refserver.Server, app world.App, st world.Store, amount decimal.Decimal) (world.Transaction, error) {
	c := newCaller(s, st)
	c.app = app
	price := amount.StringFixed(2)
	product := c.call("products.create", nil, object{
		"name":     object{st.MainLanguage: "Charged item"},
		"variants": []object{{"price": price, "stock_management": false}},
	})
	order := c.call("orders.create", nil, object{
		"gateway": "not-provided", "products": []object{{"variant_id": firstVariant(product), "quantity": 1}},
		"customer": object{"name": "Elena Card", "email": "elena.card@mail.example"},
	})
	return c.pay(order)
}

// Pay makes a transaction by card that has paid the total of an order. The app gets a provider if it has none.
func Pay(s *refserver.Server, app world.App, st world.Store, order int64) (world.Transaction, error) {
	c := newCaller(s, st)
	c.app = app
	return c.pay(c.call("orders.get", map[string]string{"id": strconv.FormatInt(order, 10)}, nil))
}

// pay makes a transaction that has paid an order, by an answer that shows the order.
func (c *caller) pay(order object) (world.Transaction, error) {
	path := map[string]string{"order_id": strconv.FormatInt(id(order), 10)}
	made := c.call("transactions.create", path, object{
		"payment_provider_id": c.provider(),
		"payment_method":      object{"type": "credit_card", "id": "visa"},
		"first_event": object{
			"type": "sale", "status": "success", "authorization_code": "A1B2C3",
			"amount": object{"value": order["total"], "currency": order["currency"]},
		},
		"info": object{
			"external_id": "charge-" + path["order_id"], "installments": object{"quantity": 1, "interest": "0.00"},
			"refund_url": "https://pay.example/refunds", "supports_partial_refund": true,
		},
	})
	if c.err != nil {
		return world.Transaction{}, c.err
	}
	var t world.Transaction
	err := c.world.View(0, c.store.ID, func(tx *world.Tx) error {
		key, _ := made["id"].(string)
		t, _ = tx.Transactions.Get(key)
		return nil
	})
	return t, err
}

// firstVariant is the id of the variant of a product that was just made.
func firstVariant(product object) int64 {
	variants, _ := product["variants"].([]any)
	if len(variants) == 0 {
		return 0
	}
	v, _ := variants[0].(object)
	return id(v)
}

// provider is one of the app's payment providers, which is made if need be.
func (c *caller) provider() string {
	var found, option string
	c.put(func(tx *world.Tx) error {
		p, _ := tx.PaymentProviders.Find("app", strconv.FormatInt(c.app.ID, 10))
		found, option = p.ID, tx.NewUUID()
		return nil
	})
	if found != "" {
		return found
	}
	const cdn = "https://cdn.pay.example/"
	made := c.call("payment_providers.create", nil, object{
		"name": "Card payments", "description": "Pays by card",
		"logo_urls":                 object{"400x120": cdn + "400x120.png", "160x100": cdn + "160x100.png"},
		"supported_currencies":      []string{c.store.MainCurrency},
		"supported_payment_methods": []object{{"payment_method_type": "credit_card", "payment_methods": []string{"visa"}}},
		"checkout_js_url":           cdn + "checkout.js",
		"checkout_payment_options": []object{{
			"id": option, "name": "Card", "supported_billing_countries": []string{c.store.Country},
			"supported_payment_method_types": []string{"credit_card"}, "integration_type": "transparent",
		}},
	})
	found, _ = made["id"].(string)
	return found
}
