package console

import (
	"encoding/json"
	"fmt"
)

// apiForm is a button that makes a call of the API in the name of the demo app.
func (a *asked) apiForm(store, label, call string, body any) form {
	raw, _ := json.Marshal(body) // of maps, texts and numbers
	return a.ask("call", label, of{store}, "call!="+call, "body!="+string(raw))
}

// beginning says what to do if a table of states has no record, and has the forms that make one.
func (a *asked) beginning(store, resource string) (empty string, forms []form) {
	at := "stores/" + store + "/"
	sale := a.ask("sales.new", "Make a paid order", of{store}, "amount=120.00")
	switch resource {
	case "orders":
		return "There is no order: make a paid one, or buy a cart.", []form{sale}
	case "transactions":
		return "There is no transaction: make a paid order.", []form{sale}
	case "disputes":
		return "There is no dispute: open one on the page of a transaction, or make a paid order first.", a.disputes(store)
	case "fulfillment_orders":
		return "There is none: buy a cart. An order has one fulfillment order for each location that ships it.", nil
	case "draft_orders":
		variants := a.get(at + "entities/variants?limit=1").list("items")
		if len(variants) == 0 {
			return "There is no draft, and no variant to put into one: make a product first.", nil
		}
		return "There is no draft: make one.", []form{a.apiForm(store, "Make a draft", "POST /draft_orders", map[string]any{
			"contact_name": "Eva", "contact_lastname": "Paz", "contact_email": "eva@mail.example", "payment_status": "unpaid",
			"products": []any{map[string]any{"variant_id": variants[0].at("id").of, "quantity": 1}},
		})}
	case "labels":
		return "There is no label. A label requires a store with the feature fulfillment_order_label_api (refserver serve " +
				"--feature), a carrier " +
				"with an address for labels (PUT /shipping_carriers/{id}), and a fulfillment order of that carrier.",
			a.labelForms(store)
	case "charges":
		app, clock := a.get("info").text("app_id"), a.get("clock").text("now")
		day := clock[:min(len(clock), len("2025-01-01"))]
		return "There is no charge: make one.", []form{a.apiForm(store, "Charge the store", "POST /services/"+app+"/charges",
			map[string]any{
				"description": "Seats", "from_date": day, "to_date": day, "amount_value": 12.5, "amount_currency": "ARS",
				"concept_code": "app-cost",
			})}
	case "checkouts":
		return "There is no abandoned checkout: set the contact of a cart, and abandon it.", nil
	}
	return "There is none: make one below.", nil
}

// labelForms ask for labels of a fulfillment order.
func (a *asked) labelForms(store string) []form {
	var parcels []choice
	for _, f := range a.get("stores/" + store + "/entities/fulfillment_orders?limit=50").list("items") {
		text := fmt.Sprintf("order %s, no. %s", f.text("order_id"), f.text("number"))
		parcels = append(parcels, choice{f.text("id"), text})
	}
	if len(parcels) == 0 {
		return nil
	}
	return []form{a.ask("labels.generate", "Ask for a label", of{store}, "fulfillment_orders|Fulfillment order").
		choosing("fulfillment_orders", parcels)}
}

// disputes open one about the newest transactions.
func (a *asked) disputes(store string) (forms []form) {
	for _, t := range a.get("stores/" + store + "/entities/transactions?limit=5").list("items") {
		forms = append(forms, a.dispute(store, t,
			"Dispute "+cents(amountOf(t))+" "+t.text("currency")+" of order "+t.text("order_id")))
	}
	return forms
}

// dispute opens a dispute about what a transaction captured.
func (a *asked) dispute(store string, t value, label string) form {
	money := func(amount string) map[string]any {
		return map[string]any{"value": cents(amount), "currency": t.text("currency")}
	}
	return a.apiForm(store, label, "POST "+filled("/orders/{order_id}/transactions/{id}/disputes", t), map[string]any{
		"reason_code": "fraudulent_activity", "external_reason_code": "fraud", "amount": money(amountOf(t)),
		"retained_total": money("0"),
		"initiated_at":   a.get("clock").text("now"),
	})
}
