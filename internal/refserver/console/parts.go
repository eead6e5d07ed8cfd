package console

import "strings"

// parts are further sections of a record that has states: events of a transaction, and acts of the merchant and the
// carrier.
func (a *asked) parts(store, resource, key string, record value, now string) []section {
	switch resource {
	case "orders":
		return []section{{
			Title: "Its parts", Heads: []string{"Table", "Record", "State"},
			Empty: "It has neither transactions nor fulfillment orders.", Rows: a.partsOf(store, key),
			Forms: []form{a.ask("orders.prepare", "Begin the work on it", of{store, key})},
		}}
	case "transactions":
		return []section{a.report(store, record, now), {
			Title: "Disputes about it",
			Forms: []form{a.dispute(store, record, "Open a dispute")},
			Facts: []fact{{"Disputes", cell{Text: "table of disputes", Link: link("/orders", "store", store, "resource",
				"disputes")}}},
		}}
	case "fulfillment_orders":
		return []section{{Title: "Label", Forms: []form{
			a.ask("labels.generate", "Ask its carrier for a label", of{store}, "fulfillment_orders!="+key),
		}, Note: "The store needs the feature fulfillment_order_label_api, and the carrier an address for labels."}}
	case "labels":
		return []section{{
			Title: "Its carrier", Note: "The platform asks the carrier, whose answer is on the page of the call.",
			Forms: []form{
				a.ask("labels.cancel", "Ask to cancel", of{store}, "labels!="+key).showing(),
				a.ask("labels.suspend", "Ask to suspend", of{store}, "labels!="+key).showing(),
				a.ask("labels.reactivate", "Ask to reactivate", of{store}, "labels!="+key).showing(),
			},
		}}
	}
	return nil
}

// labelCalls are the last calls to carriers about labels.
func (a *asked) labelCalls(store string) section {
	s := section{
		Title: "Calls to carriers", Heads: []string{"Call", "At (UTC)", "Kind", "Carrier", "Status", "ms", "Labels", "Why"},
		Empty: "No carrier was asked about a label yet.",
	}
	for _, c := range a.last("stores/" + store + "/labels") {
		var labels []cell
		for _, l := range c.list("labels") {
			one := cell{Text: strings.TrimSpace(l.text("status") + " " + l.text("code") + " " + l.text("message")),
				Class: "good"}
			if l.text("ok") != "yes" {
				one.Class = "bad"
			}
			if id := l.text("label"); id != "" {
				one.Link = link("/orders", "store", store, "resource", "labels", "key", id)
			}
			labels = append(labels, one)
		}
		s.Rows = append(s.Rows, []cell{
			number(c.text("n")), number(moment(c.text("at"))), {Text: c.text("kind")},
			{Text: c.text("carrier"), Link: recordLink(store, "carriers", c.text("carrier"))}, answeredCell(c.text("status")),
			number(c.text("ms")),
			{Parts: labels}, {Text: c.text("reason")},
		})
	}
	return trimmed(s)
}

// partsOf are the records with states that name an order.
func (a *asked) partsOf(store, order string) (rows [][]cell) {
	for _, l := range a.get("stores/" + store + "/entities/orders/" + escape(order) + "/links").list("used_by") {
		resource, key := l.text("resource"), l.text("key")
		if !hasStates(resource) || l.text("member") != "order_id" {
			continue
		}
		r := a.get("stores/" + store + "/entities/" + escape(resource) + "/" + escape(key))
		rows = append(rows, []cell{
			{Text: title(resource)}, {Text: key, Link: link("/orders", "store", store, "resource", resource, "key", key),
				Class: "key"},
			stateCell(stateOf(r)),
		})
	}
	return rows
}

// report reports any event of a transaction to the platform, as its payment app does.
func (a *asked) report(store string, t value, now string) section {
	kinds := []string{
		"authorization", "sale", "capture", "refund", "void", "expiration", "in_fraud_analysis", "needs_merchant_review",
	}
	report := a.ask("call", "Report", of{store},
		"call!=POST "+filled("/orders/{order_id}/transactions/{id}/events", t), "body.happened_at!="+now,
		"body.amount.currency!="+t.text("currency"), "body.type|Event=refund", "body.status|Outcome",
		"body.amount.value|Amount in "+t.text("currency")+"="+cents(amountOf(t)), "body.authorization_code?=A1",
		"body.failure_code?")
	return section{Title: "Report an event", Forms: []form{
		report.choosing("body.type", choose(kinds...)).
			choosing("body.status", choose("success", "pending", "failure", "error")),
	}}
}

// stateNames are the states of a table. One without a name is that of a record before its first event.
func stateNames(m value) []string {
	states := m.names("states")
	for i, s := range states {
		if s == "" {
			states[i] = begins
		}
	}
	return states
}

// begins is what a state without a name is called.
const begins = "(new)"
