package console

// parts are further sections of a record that has states: events of a transaction, and acts of the merchant and the
// carrier.
func (a *asked) parts(store, resource string, record value, now string) []section {
	key := record.text("id")
	switch resource {
	case "orders":
		s := section{
			Title: "Its parts", Heads: []string{"Table", "Record", "State"},
			Empty: "It has neither transactions nor fulfillment orders.", Rows: a.partsOf(store, key),
		}
		if record.text("status") == "open" {
			s.Forms = []form{a.ask("orders.prepare", "Begin the preparation", of{store, key})}
		}
		return []section{s}
	case "transactions":
		return []section{a.report(store, record, now), {Title: "Refund and dispute", Forms: []form{
			a.ask("payments.refund", "Refund", of{store}, "transaction!="+key, "amount="+cents(amountOf(record))),
			a.dispute(store, record, "Open a dispute"),
		}}}
	case "fulfillment_orders":
		return []section{{Title: "Label", Forms: []form{
			a.ask("labels.generate", "Ask its carrier for a label", of{store}, "fulfillment_orders!="+key),
		}, Note: "The store needs the feature fulfillment_order_label_api, and the carrier an address for labels."}}
	case "labels":
		return []section{{
			Title: "Its carrier",
			Forms: []form{
				a.ask("labels.cancel", "Ask to cancel", of{store}, "labels!="+key),
				a.ask("labels.suspend", "Ask to suspend", of{store}, "labels!="+key),
				a.ask("labels.reactivate", "Ask to reactivate", of{store}, "labels!="+key),
			},
		}}
	}
	return nil
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
			{Text: title(resource)}, {Text: key, Link: recordLink(store, resource, key), Class: "key"},
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
