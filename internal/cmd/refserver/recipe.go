package main

import "strings"

// labelOf sends the newest parcel with a carrier of the app and makes a label for it.
const labelOf = "labels.generate"

// recipe is the cause of an event: the record of the event, and the calls for it.
type recipe struct {
	// make creates the record, in a last step named "it". An id in the payload replaces the record, which is then read
	// with the path in find. An event about the creation of a record has neither.
	make []record
	find string
	then []record
	// before is an act that is performed first.
	before string
	// control is an act instead, or after the steps.
	control string
	// emitted is set if no operation causes the event. The event is then sent with these members.
	emitted map[string]any
}

// step is a call of the API: "METHOD path" or "METHOD version path", its body, and a name for the answer.
func step(call, body, as string) record {
	words := strings.Fields(call)
	r := record{Method: words[0], Path: words[len(words)-1], As: as}
	if len(words) == 3 {
		r.Version = words[1]
	}
	if body != "" {
		r.Body = rawBody(body)
	}
	return r
}

// The records of events. Each is new, so that no event changes records of the demo store.
var (
	newCategory = []record{step("POST /categories", `{"name": {"en": "Triggered"}}`, "it")}
	newProduct  = []record{step("POST /products", `{"name": {"en": "Triggered"}, "variants": [{"price": "10.00", "stock": 5}]}`, "it")}
	newCustomer = []record{step("POST /customers", `{"name": "Ana Paz", "email": "{unique}@mail.example"}`, "it")}
	newLocation = []record{step("POST /locations", `{"name": {"es_AR": "Triggered"}, "address": {"zipcode": "2000", "street": "Mitre",
		"number": "15", "city": "Rosario", "province": {"name": "Santa Fe", "code": "S"}, "region": {"name": "Litoral", "code": "LIT"},
		"country": {"name": "Argentina", "code": "AR"}}}`, "it")}
	newOrder = []record{
		step("POST /products", `{"name": {"en": "Ordered"}, "variants": [{"price": "10.00", "stock": 5}]}`, "goods"),
		step("POST /orders", `{"gateway": "not-provided", "products": [{"variant_id": "{goods.variants.0.id}", "quantity": 2}],
			"customer": {"name": "Ana Paz", "email": "ana.paz@mail.example"}}`, "it"),
	}
	newField = func(of string) []record {
		return []record{step("POST /"+of+"/custom-fields", `{"name": "Triggered {unique}", "value_type": "text_list", "values": ["{unique}"]}`, "it")}
	}
	parcels  = step("GET /orders/{it.id}/fulfillment-orders", "", "parcels")
	parcel   = "/orders/{it.id}/fulfillment-orders/{parcels.0.id}"
	packed   = step("POST v1 /orders/{it.id}/pack", "", "")
	sent     = step("POST v1 /orders/{it.id}/fulfill", `{"shipping_tracking_number": "T-1", "notify_customer": false}`, "")
	track    = step("POST "+parcel+"/tracking-events", `{"status": "in_transit", "description": "On its way", "happened_at": "{now}"}`, "track")
	tracking = parcel + "/tracking-events/{track.id}"
	provider = step("POST /payment_providers", `{"name": "Triggered {unique}", "description": "Pays by card",
		"supported_currencies": ["ARS"], "checkout_js_url": "https://cdn.pay.example/checkout.js",
		"logo_urls": {"400x120": "https://cdn.pay.example/w.png", "160x100": "https://cdn.pay.example/s.png"},
		"supported_payment_methods": [{"payment_method_type": "credit_card", "payment_methods": ["visa"]}],
		"checkout_payment_options": [{"id": "{uuid}", "name": "Card", "supported_billing_countries": ["AR"],
			"supported_payment_method_types": ["credit_card"], "integration_type": "redirect"}]}`, "pays")
	charge = []record{step("POST /services/{app}/charges", `{"description": "Triggered", "from_date": "2025-01-01", "to_date": "2025-01-31",
		"amount_value": 12.5, "amount_currency": "ARS", "concept_code": "app-cost"}`, "it")}
	plan         = step("POST /apps/{app}/plans", `{"code": "triggered-{unique}", "external_reference": "{unique}"}`, "plan")
	secondPlan   = step("POST /apps/{app}/plans", `{"code": "second-{unique}", "external_reference": "second-{unique}"}`, "second")
	subscription = "PATCH /concepts/app-cost/services/{app}/subscriptions"
)

// transaction returns a payment of the order in a state.
func transaction(kind, status string) record {
	return step("POST /orders/{it.id}/transactions", `{"payment_provider_id": "{pays.id}",
		"payment_method": {"type": "credit_card", "id": "visa"}, "info": {"external_id": "{unique}",
			"installments": {"quantity": 1, "interest": "0.00"}},
		"first_event": {"type": "`+kind+`", "status": "`+status+`", "authorization_code": "A1", "amount": {"value": "{it.total}", "currency": "{it.currency}"}}}`, "paid")
}

// happens returns an event of the transaction.
func happens(kind string) record {
	return step("POST /orders/{it.id}/transactions/{paid.id}/events", `{"type": "`+kind+`", "status": "success", "happened_at": "{now}",
		"amount": {"value": "{it.total}", "currency": "{it.currency}"}}`, "")
}

// recipes returns the cause of each event.
func recipes() map[string]recipe {
	order := func(then ...record) recipe { return recipe{make: newOrder, find: "/orders/", then: then} }
	product := func(then ...record) recipe { return recipe{make: newProduct, find: "/products/", then: then} }
	category := func(then ...record) recipe { return recipe{make: newCategory, find: "/categories/", then: then} }
	customer := func(then ...record) recipe { return recipe{make: newCustomer, find: "/customers/", then: then} }
	location := func(then ...record) recipe { return recipe{make: newLocation, find: "/locations/", then: then} }
	field := func(of string, then ...record) recipe {
		return recipe{make: newField(of), find: "/" + of + "/custom-fields/", then: then}
	}
	made := func(by []record) recipe { return recipe{then: by} }
	const orders, variants = "orders", "products/variants"
	return map[string]recipe{
		"app/uninstalled":  {control: "stores.uninstall"},
		"app/suspended":    {control: "stores.suspend"},
		"app/resumed":      {before: "stores.suspend", control: "stores.resume"},
		"category/created": made(newCategory),
		"category/updated": category(step("PUT /categories/{it.id}", `{"description": {"en": "Changed {unique}"}}`, "")),
		"category/deleted": category(step("DELETE /categories/{it.id}", "", "")),
		"order/created":    made(newOrder),
		"order/updated":    order(step("PUT /orders/{it.id}", `{"owner_note": "Changed {unique}"}`, "")),
		"order/paid":       order(provider, transaction("sale", "success")),
		"order/packed":     order(packed),
		"order/fulfilled":  order(packed, sent),
		"order/cancelled":  order(step("POST /orders/{it.id}/cancel", `{"reason": "other", "email": false}`, "")),
		"order/custom_fields_updated": order(append(newFieldNamed(orders, "field"),
			step("PUT /orders/{it.id}/custom-fields/values", `[{"id": "{field.id}", "value": "{unique}"}]`, ""))...),
		"order/edited": order(step("POST unstable /orders/{it.id}/edit",
			`{"products": [{"line_item_id": "{it.products.0.id}", "quantity": 1}]}`, "")),
		"order/pending":        order(provider, transaction("authorization", "success"), happens("in_fraud_analysis")),
		"order/voided":         order(provider, transaction("authorization", "success"), happens("void")),
		"order/in_preparation": {make: newOrder, find: "/orders/", control: "orders.prepare"},
		"order/unpacked":       order(parcels, packed, step("PATCH "+parcel, `{"status": "UNPACKED"}`, "")),
		"product/created":      made(newProduct),
		"product/updated":      product(step("PUT /products/{it.id}", `{"description": {"en": "Changed {unique}"}}`, "")),
		"product/deleted":      product(step("DELETE /products/{it.id}", "", "")),
		"product_variant/custom_fields_updated": product(append(newFieldNamed(variants, "field"),
			step("PUT /products/variants/{it.variants.0.id}/custom-fields/values", `[{"id": "{field.id}", "value": "{unique}"}]`, ""))...),
		"domain/updated":                           {emitted: map[string]any{}},
		"order_custom_field/created":               made(newField(orders)),
		"order_custom_field/updated":               field(orders, step("PUT /orders/custom-fields/{it.id}", `{"values": ["Changed {unique}"]}`, "")),
		"order_custom_field/deleted":               field(orders, step("DELETE /orders/custom-fields/{it.id}", "", "")),
		"product_variant_custom_field/created":     made(newField(variants)),
		"product_variant_custom_field/updated":     field(variants, step("PUT /products/variants/custom-fields/{it.id}", `{"values": ["Changed {unique}"]}`, "")),
		"product_variant_custom_field/deleted":     field(variants, step("DELETE /products/variants/custom-fields/{it.id}", "", "")),
		"fulfillment/updated":                      order(packed, step("POST /orders/{it.id}/fulfillments", `{"status": "dispatched"}`, "")),
		"fulfillment_order/status_updated":         order(packed),
		"fulfillment_order/label_status_updated":   {make: newOrder, find: "/orders/", control: labelOf},
		"fulfillment_order/tracking_event_created": order(parcels, packed, sent, track),
		"fulfillment_order/tracking_event_updated": order(parcels, packed, sent, track,
			step("PUT "+tracking, `{"status": "in_transit", "description": "Changed", "happened_at": "{now}"}`, "")),
		"fulfillment_order/tracking_event_deleted": order(parcels, packed, sent, track, step("DELETE "+tracking, "", "")),
		"location/created":                         made(newLocation),
		"location/updated":                         location(step("PUT /locations/{it.id}", `{"tags": ["offline"]}`, "")),
		"location/deleted":                         location(step("DELETE /locations/{it.id}", "", "")),
		"app_subscription/updated":                 {then: []record{plan, secondPlan, step(subscription, `{"plan_id": "{second.id}"}`, "")}},
		"charge/created":                           made(charge),
		"charge/paid":                              {make: charge, control: "charges.pay"},
		"charge/failed":                            {make: charge, control: "charges.fail"},
		"customer/created":                         made(newCustomer),
		"customer/updated":                         customer(step("PUT /customers/{it.id}", `{"note": "Changed {unique}"}`, "")),
		"customer/deleted":                         customer(step("DELETE /customers/{it.id}", "", "")),
		"subscription/updated":                     {then: []record{plan, step(subscription, `{"amount_value": 20}`, "")}},
		"store/redact":                             {control: "stores.data-request"},
		"customers/redact":                         {control: "stores.data-request", make: newCustomer, find: "/customers/"},
		"customers/data_request":                   {control: "stores.data-request", make: newCustomer, find: "/customers/"},
	}
}

// newFieldNamed makes a custom field and names it.
func newFieldNamed(of, as string) []record {
	out := newField(of)
	out[0].As = as
	return out
}
