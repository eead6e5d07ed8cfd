package res_test

import (
	"fmt"
	"maps"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// payer installs an app that the platform lets report payments.
func (f *shop) payer() string {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Payments", Features: []string{"payments", "discounts"}})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, world.AllScopes())
	if err != nil {
		f.Fatal(err)
	}
	return in.Token
}

// cashier is a payer with the provider.
func (f *shop) cashier() string {
	f.Helper()
	token := f.payer()
	in, _ := f.World().ByToken(token)
	f.alter(func(tx *world.Tx) error {
		return tx.PaymentProviders.Put(provider, world.PaymentProvider{ID: provider, AppID: in.App, Name: "Payments"})
	})
	return token
}

// with is a body with some members in place of its own.
func with(body, more object) object {
	out := maps.Clone(body)
	maps.Copy(out, more)
	return out
}

const provider = "02aaa5c6-080a-40e9-a61f-90ca2150d6a2"

// happening is something that happens to a payment.
func happening(kind, status, amount string) object {
	return object{"amount": object{"value": amount, "currency": "USD"}, "type": kind, "status": status, "authorization_code": "A1", "failure_code": "declined"}
}

// payment is a transaction by card that begins with something.
func payment(first object) object {
	return object{
		"payment_provider_id": provider,
		"payment_method":      object{"type": "credit_card", "id": "visa"},
		"first_event":         first,
		"info":                object{"external_id": "ext", "installments": object{"quantity": 3, "interest": "0"}},
	}
}

// bought makes an order of so many of a variant.
func (f *shop) bought(variant, quantity int64, more object) object {
	f.Helper()
	return f.object("unstable POST /orders", with(object{"products": array{object{"variant_id": variant, "quantity": quantity}}}, more))
}

// orderRefusals are those of orders, drafts, checkouts, carts and transactions.
func orderRefusals(f *shop) []refusal {
	p := f.sized("Sold", "S", "M")
	s := id(p, "variants.0")
	one := array{object{"variant_id": s, "quantity": 1}}
	path := func(o object) string { return fmt.Sprintf("/orders/%d", id(o)) }
	open, closed, cancelled, packed := f.bought(s, 1, nil), f.bought(s, 1, nil), f.bought(s, 1, nil), f.bought(s, 1, nil)
	paid := f.bought(s, 1, object{"payment_status": "paid"})
	f.do("POST "+path(closed)+"/close", nil)
	f.do("POST "+path(cancelled)+"/cancel", nil)
	f.do("POST "+path(packed)+"/pack", nil)

	const missing = "null"
	var out []refusal
	add := func(op string, status int, text, call string, body any) {
		out = append(out, refusal{op: op, status: status, text: text, call: call, body: body})
	}
	const quantity, price, variant = "quantity: The quantity must be an integer from 1 to 1000000000.", "price: The price must be a number that is at least 0.", "variant_id: The selected variant id is invalid."
	product := func(more object) object {
		return object{"products": array{with(object{"variant_id": s, "quantity": 1}, more)}}
	}
	lines := map[string][]object{
		"products: The products field is required.": {{}, {"products": nil}, {"products": array{}}},
		"products: is invalid":                      {{"products": array{1}}, {"products": "x"}},
		variant:                                     {product(object{"variant_id": 1}), product(object{"variant_id": nil})},
		quantity:                                    {product(object{"quantity": 0}), product(object{"quantity": -1}), product(object{"quantity": 1.5}), product(object{"quantity": 2e9}), product(object{"quantity": nil})},
		price:                                       {product(object{"price": -1}), product(object{"price": "dear"})},
	}
	draft := object{"contact_name": "Eva", "contact_lastname": "Paz", "contact_email": "eva@mail.example", "payment_status": "unpaid", "products": one}
	for text, bodies := range lines {
		for _, b := range bodies {
			add("orders.create", 422, text, "POST /orders", b)
			if text == price {
				continue
			}
			d := maps.Clone(draft)
			delete(d, "products")
			add("draftOrders.create", 422, text, "POST /draft_orders", with(d, b))
		}
	}
	for text, more := range map[string]object{
		"currency: The selected currency is invalid.":                                             {"currency": "dollar"},
		"payment_status: The selected payment status is invalid.":                                 {"payment_status": "unpaid"},
		"status: The selected status is invalid.":                                                 {"status": "paid"},
		"fulfillment: The selected fulfillment is invalid.":                                       {"fulfillment": "lost"},
		"shipping_pickup_type: The selected shipping pickup type is invalid.":                     {"shipping_pickup_type": "drone"},
		"inventory_behaviour: The selected inventory behaviour is invalid.":                       {"inventory_behaviour": "steal"},
		"total: The total must be greater than 0.":                                                {"total": 0},
		"shipping_cost_customer: The shipping cost customer must be a number that is at least 0.": {"shipping_cost_customer": -1},
		"shipping_min_days: The shipping min days must be an integer from -999 to 999.":           {"shipping_min_days": "soon"},
		"location_id: The selected location id is invalid.":                                       {"location_id": "01HZZZZZZZZZZZZZZZZZZZZZZZ"},
		"email: The email must be a valid email address.":                                         {"customer": object{"email": "nobody"}},
		"billing_address: is invalid":                                                             {"billing_address": "Main street"},
		"There is not enough stock of the variant 1":                                              {"inventory_behaviour": "claim", "products": array{object{"variant_id": s, "quantity": 3}, object{"variant_id": s, "quantity": 3}}},
	} {
		add("orders.create", 422, text, "POST /orders", with(object{"products": one}, more))
	}
	for _, currency := range []string{"usd", "US1"} { // taken once
		add("orders.create", 422, "currency: The selected currency is invalid.", "POST /orders", object{"products": one, "currency": currency})
	}
	// Only a fulfillment order may have nothing to ship.
	add("orders.create", 422, "shipping_pickup_type: The selected shipping pickup type is invalid.", "POST /orders", object{"products": one, "shipping_pickup_type": "non-shippable"})
	add("orders.create", 422, "total: The total must be greater than 0.", "POST /orders", object{"products": one, "total": 0.004})
	for _, days := range []any{1000, -1000, "9000000000000000000", 1.5} { // one of so many days once kept the server busy for as long
		add("orders.create", 422, "shipping_min_days: The shipping min days must be an integer from -999 to 999.", "POST /orders",
			with(object{"products": one}, object{"shipping_min_days": days}))
	}
	for op, call := range map[string]string{
		"orders.get": "GET /orders/1", "orders.update": "PUT /orders/1", "orders.close": "POST /orders/1/close", "orders.open": "POST /orders/none/open",
		"orders.cancel": "POST /orders/1/cancel", "orders.pack": "POST /orders/1/pack", "orders.fulfill": "POST /orders/1/fulfill",
		"orders.values": "2025-03 GET /orders/1/history/values", "orders.editions": "2025-03 GET /orders/1/history/editions",
		"orders.subscriptions": "2025-03 GET /orders/1/subscriptions", "orders.edit": "unstable POST /orders/1/edit",
		"checkouts.addCoupon": "POST /checkouts/1/coupon", "carts.removeLineItem": "DELETE /carts/1/line-items/1", "carts.removeCoupon": "DELETE /carts/1/coupons/1",
	} {
		add(op, 404, missing, call, object{})
	}
	for _, version := range []string{"2025-03 ", "unstable "} {
		add("orders.update", 422, "status: The selected status is invalid.", version+"PUT "+path(open), object{"status": "paid"})
	}
	add("orders.update", 422, "status: The selected status is invalid.", "PUT "+path(open), object{"status": "lost", "owner_note": "N"})
	add("orders.update", 422, "The order cannot be reopened", "PUT "+path(cancelled), object{"status": "open", "owner_note": "N"})
	add("orders.update", 422, "The order cannot be closed", "PUT "+path(cancelled), object{"status": "closed"})
	add("orders.update", 422, "The order cannot be marked as paid", "PUT "+path(cancelled), object{"status": "paid"})
	add("orders.update", 422, "The order cannot be marked as paid", "PUT "+path(paid), object{"status": "paid"})
	add("orders.close", 422, "The order cannot be closed", "POST "+path(closed)+"/close", nil)
	add("orders.close", 422, "The order cannot be closed", "POST "+path(cancelled)+"/close", nil)
	add("orders.open", 422, "The order cannot be reopened", "POST "+path(open)+"/open", nil)
	add("orders.open", 422, "The order cannot be reopened", "POST "+path(cancelled)+"/open", nil)
	add("orders.cancel", 422, "reason: The selected reason is invalid.", "POST "+path(open)+"/cancel", object{"reason": "boredom"})
	add("orders.cancel", 422, "The order cannot be cancelled", "POST "+path(cancelled)+"/cancel", nil)
	add("orders.pack", 422, "The order cannot be packed", "POST "+path(packed)+"/pack", nil)
	add("orders.pack", 422, "The order cannot be packed", "POST "+path(cancelled)+"/pack", nil)
	add("orders.fulfill", 422, "The order cannot be fulfilled", "POST "+path(cancelled)+"/fulfill", nil)

	edit := func(o object, products ...any) (string, object) {
		return "unstable POST " + path(o) + "/edit", object{"products": products}
	}
	line := id(open, "products.0")
	for text, product := range map[string]object{
		"line_item_id: The selected line item id is invalid.":                           {"line_item_id": 1, "quantity": 1},
		"variant_id: The selected variant id is invalid.":                               {"variant_id": 1, "quantity": 1},
		"fulfillment_order_id: The selected fulfillment order id is invalid.":           {"line_item_id": line, "quantity": 1, "fulfillment_order_id": "01HZZZZZZZZZZZZZZZZZZZZZZZ"},
		"quantity: The quantity must be an integer from 0 to 1000000000.":               {"line_item_id": line, "quantity": -1},
		"A fulfillment order must have at least one product":                            {"line_item_id": line, "quantity": 0},
		"There is not enough stock of the variant 1":                                    {"line_item_id": line, "quantity": 7, "modify_stock": true},
		"products: is invalid":                                                          nil,
		"products: The products field is required.":                                     nil,
		"The order can only be edited while all of its fulfillment orders are unpacked": nil,
	} {
		call, body := edit(open, product)
		switch text {
		case "products: is invalid":
			body["products"] = array{"x"}
		case "products: The products field is required.":
			body["products"] = array{}
		}
		if text[0] == 'T' && product == nil {
			for _, o := range []object{packed, closed, cancelled} {
				call, body := edit(o, object{"line_item_id": id(o, "products.0"), "quantity": 2})
				add("orders.edit", 422, text, call, body)
			}
			continue
		}
		add("orders.edit", 422, text, call, body)
	}
	out = append(out, draftRefusals(draft)...)
	out = append(out, checkoutRefusals(f)...)
	return append(out, transactionRefusals(f, path(open))...)
}

func draftRefusals(draft object) []refusal {
	var out []refusal
	for _, op := range []string{"get", "confirm", "delete"} {
		call := map[string]string{"get": "GET /draft_orders/1", "confirm": "POST /draft_orders/1/confirm", "delete": "DELETE /draft_orders/1"}[op]
		out = append(out, refusal{op: "draftOrders." + op, status: 404, text: "Invalid draft order 1", call: call})
	}
	for text, more := range map[string]object{
		"contact_email: The contact email field is required.":                                             {"contact_email": ""},
		"contact_name: The contact name field is required.":                                               {"contact_name": " "},
		"contact_lastname: The contact lastname field is required.":                                       {"contact_lastname": nil},
		"payment_status: The payment status field is required.":                                           {"payment_status": nil},
		"contact_email: The email must be a valid email address.":                                         {"contact_email": "nobody"},
		"payment_status: The selected payment status is invalid.":                                         {"payment_status": "pending"},
		"discount: The discount must be a number that is at least 0 and takes off no more than there is.": {"discount": "101"},
		"discount_type: The selected discount type is invalid.":                                           {"discount_type": "half"},
		"shipping: is invalid":                                {"shipping": "soon"},
		"cost: The cost must be a number that is at least 0.": {"shipping": object{"cost": "-1"}},
	} {
		out = append(out, refusal{op: "draftOrders.create", status: 422, text: text, call: "POST /draft_orders", body: with(draft, more)})
	}
	return out
}

func checkoutRefusals(f *shop) []refusal {
	k, with, without := f.coupon(world.Coupon{Code: "REFUSED", Valid: true}), f.checkout(), f.checkout()
	f.do(fmt.Sprintf("POST /checkouts/%d/coupon", with), object{"coupon_id": k})
	attach := func(checkout int64) string { return fmt.Sprintf("POST /checkouts/%d/coupon", checkout) }
	return []refusal{
		{op: "checkouts.addCoupon", status: 404, text: "null", call: attach(without), body: object{"coupon_id": 1}},
		{op: "checkouts.addCoupon", status: 422, text: "coupon_id: The coupon id field is required.", call: attach(without), body: object{}},
		{op: "checkouts.addCoupon", status: 422, text: "The checkout already has an assigned coupon.", call: attach(with), body: object{"coupon_id": k}},
		{op: "carts.discounts", status: 404, text: "null", call: "GET /carts/1/discounts", token: f.payer()},
		{op: "carts.removeLineItem", status: 404, text: "null", call: fmt.Sprintf("DELETE /carts/%d/line-items/1", with)},
		{op: "carts.removeCoupon", status: 404, text: "null", call: fmt.Sprintf("DELETE /carts/%d/coupons/1", with)},
	}
}

func transactionRefusals(f *shop, order string) []refusal {
	token := f.cashier()
	var out []refusal
	add := func(op string, status int, text, call string, body any) {
		out = append(out, refusal{op: "transactions." + op, status: status, text: text, call: call, body: body, token: token})
	}
	add("list", 404, "null", "GET /orders/1/transactions", nil)
	add("get", 404, "null", "GET "+order+"/transactions/"+provider, nil)
	add("create", 404, "null", "POST /orders/1/transactions", payment(happening("sale", "success", "1.00")))
	add("createEvent", 404, "null", "POST "+order+"/transactions/"+provider+"/events", happening("refund", "success", "1.00"))
	whole := payment(happening("sale", "success", "1.00"))
	for text, more := range map[string]object{
		"payment_provider_id: should not be empty":                             {"payment_provider_id": ""},
		"payment_provider_id: must be a UUID":                                  {"payment_provider_id": "12"},
		"payment_provider_id: must be an existing payment provider of the app": {"payment_provider_id": "02aaa5c6-080a-40e9-a61f-90ca2150d6a3"},
		"payment_method.type: must be a payment method type":                   {"payment_method": object{"type": "seashells", "id": "x"}},
		"payment_method.id: should not be empty":                               {"payment_method": object{"type": "credit_card"}},
		"info.external_id: should not be empty":                                {"info": object{"installments": object{"quantity": 1}}},
		"info.installments: should not be empty":                               {"info": object{"external_id": "ext"}},
		"info.installments.quantity: must be a number":                         {"info": object{"external_id": "ext", "installments": object{}}},
		"The event cannot happen to the transaction":                           {"first_event": happening("refund", "success", "1.00")},
	} {
		add("create", 422, text, "POST "+order+"/transactions", with(whole, more))
	}
	for _, address := range insideAddresses() {
		info := with(whole["info"].(object), object{"refund_url": address})
		add("create", 422, "info.refund_url: must be an HTTPS URL of a public host", "POST "+order+"/transactions", with(whole, object{"info": info}))
	}
	for text, infos := range map[string][]object{
		"info.refund_url: should not be empty": {{"supports_partial_refund": true}, {"supports_partial_refund": true, "refund_url": ""}},
		"info.consumer_discounts.0.type: must be one of the following values: other": {
			{"consumer_discounts": array{object{"type": "tax", "amount": object{"value": "1.00", "currency": "USD"}}}},
			{"consumer_discounts": array{object{"type": ""}}}, {"consumer_discounts": array{object{"type": 1}}},
		},
	} {
		for _, more := range infos {
			info := with(whole["info"].(object), more)
			add("create", 400, text, "POST "+order+"/transactions", with(whole, object{"info": info}))
			add("create", 400, text, "POST "+order+"/transactions", with(whole, object{"info": info, "first_event": object{}}))
		}
	}
	for text, off := range map[string]any{
		"discount_amount.value: must be a number":                                                           object{"currency": "USD"},
		"discount_amount: must be the currency of the order":                                                object{"value": "1.00", "currency": "EUR"},
		"discount_amount: must be an amount with two decimals, 0 or more":                                   object{"value": "-0.01", "currency": "USD"},
		"discount_amount: must not exceed the total of the order, together with the amounts that were paid": object{"value": "1000000.00", "currency": "USD"},
	} {
		first := with(happening("sale", "success", "1.00"), object{"discount_amount": off})
		add("create", 422, "first_event."+text, "POST "+order+"/transactions", with(whole, object{"first_event": first}))
	}
	absent := maps.Clone(whole)
	delete(absent, "first_event")
	add("create", 422, "first_event: should not be empty", "POST "+order+"/transactions", absent)

	paid := f.pay(token, order, payment(happening("sale", "success", "1.00")))
	held := f.pay(token, order, payment(happening("authorization", "success", "1.00")))
	begun := f.pay(token, order, payment(happening("sale", "pending", "1.00")))
	events := func(t object) string { return fmt.Sprintf("POST %s/transactions/%s/events", order, t["id"]) }
	for text, more := range map[string]object{
		"amount.value: must be an amount with two decimals, 0 or more":                  {"amount": object{"value": "9.995", "currency": "USD"}},
		"amount.value: must be a number":                                                {"amount": object{"currency": "USD"}},
		"amount.value: must be greater than 0":                                          {"amount": object{"value": "0", "currency": "USD"}},
		"amount.currency: must be the currency of the order":                            {"amount": object{"value": "1", "currency": "EUR"}},
		"type: must be an event type of the payment method":                             {"type": "expiration"},
		"status: must be one of the following values: error, failure, pending, success": {"status": "maybe"},
		"authorization_code: should not be empty":                                       {"type": "sale", "authorization_code": nil},
		"failure_code: should not be empty":                                             {"status": "failure", "failure_code": ""},
		"happened_at: must be a valid ISO 8601 date string":                             {"happened_at": "01-02-2025"},
	} {
		e := with(happening("refund", "success", "1.00"), more)
		add("createEvent", 422, text, events(paid), e)
		add("create", 422, "first_event."+text, "POST "+order+"/transactions", with(whole, object{"first_event": e}))
	}
	add("createEvent", 422, "The event cannot happen to the transaction", events(paid), happening("void", "success", "1.00"))
	add("createEvent", 422, "The amount is more than what is captured", events(paid), happening("refund", "success", "1.01"))
	add("createEvent", 422, "The amount is more than that of the first event", events(begun), happening("sale", "success", "1.01"))
	add("createEvent", 422, "The amount is more than what is authorized", events(held), happening("capture", "success", "1.01"))
	add("createEvent", 422, "The amount is more than what is authorized", events(held), happening("void", "success", "1.01"))
	return out
}
