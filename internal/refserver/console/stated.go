package console

import (
	"encoding/json"
	"slices"
	"strings"
)

// stated is a table of states of a resource.
type stated struct {
	resource, machine string
	// member has the state. If only is set, the table is of the records whose member only[0] is only[1].
	member string
	only   [2]string
	// moves are what moves a record, by what happens in the table; "" is for all others.
	moves map[string]move
	// others are in words what moves a record and is no button.
	others string
}

// move is a call of the API in the name of the demo app, or with a path that begins with stores/ one of the control
// API.
// {on} is what happens, {to} the state after it, {now} the time of the platform, other names are members of the record.
type move struct {
	method, path, body string
	version            string // the newest that has the operation, if it is empty
	then               string // the table that has the record afterwards, if that is another
	gone               bool   // no table has the record afterwards
}

// allStated is what the page draws, in this order.
func allStated() []stated {
	patch := func(path, body string) map[string]move {
		return map[string]move{"": {method: "PATCH", path: path, body: body}}
	}
	parcel := patch("/orders/{order_id}/fulfillment-orders/{id}", `{"status": "{on}"}`)
	parcels := func(machine, kind string) stated {
		return stated{resource: "fulfillment_orders", machine: "fulfillment order, " + machine, member: "status",
			only: [2]string{"shipping.type", kind}, moves: parcel}
	}
	const label = "/fulfillment-orders/{fulfillment_order_id}/labels/{id}"
	return []stated{
		{resource: "orders", machine: "order status", member: "status", moves: map[string]move{
			"": {method: "POST", path: "/orders/{id}/{on}", body: "{}"},
		}},
		{resource: "orders", machine: "order payment status", member: "payment_status", moves: map[string]move{
			"mark as paid": {method: "PUT", path: "/orders/{id}", body: `{"status": "paid"}`, version: "v1"},
		}, others: "The other transitions follow from the events of the order's transactions."},
		{resource: "draft_orders", machine: "draft order status", member: "status", moves: map[string]move{
			"confirm": {method: "POST", path: "/draft_orders/{id}/confirm", body: "{}", then: "orders"},
			"delete":  {method: "DELETE", path: "/draft_orders/{id}", gone: true},
		}},
		parcels("shipped", "ship"), parcels("picked up", "pickup"), parcels("not shippable", "non-shippable"),
		{resource: "labels", machine: "label", member: "status", moves: map[string]move{
			"report": {method: "PATCH", path: label,
				body: `{"status": "{to}", "documents": [{"type": "label", "format": "PDF", "size": 1000, ` +
					`"download_url_from_app": "https://app.example/labels/{id}.pdf"}], ` +
					`"reason": {"type": "other", "message": "by hand"}}`},
			"download": {method: "POST", path: label + "/download", body: "{}"},
			"refuse":   {}, "fetch": {}, "expire": {},
		}, others: "A carrier may refuse when it is asked for a label, the platform fetches a label that is ready, and " +
			"a label expires with time: move the clock."},
		{resource: "transactions", machine: "transaction", member: "status", moves: map[string]move{"": event()},
			others: "The buttons report success or failure, about the whole amount. Report any other event below."},
		{resource: "disputes", machine: "dispute", member: "status", moves: disputed()},
		{resource: "charges", machine: "charge", member: "status", moves: map[string]move{
			"": {method: "POST", path: "stores/{store}/charges/{id}/{on}"},
		}},
		{resource: "categories", machine: "category visibility", member: "visibility", moves: map[string]move{
			"hide":  {method: "PUT", path: "/categories/{id}", body: `{"visibility": "hidden"}`},
			"show":  {method: "PUT", path: "/categories/{id}", body: `{"visibility": "visible"}`},
			"shade": {}, "unshade": {},
		}, others: "A visible category becomes soft-hidden when a category above it is hidden, and visible again when none is."},
		{resource: "checkouts", machine: "abandoned checkout", others: "It changes as time passes: move the clock."},
	}
}

// event is what a payment app reports about a transaction.
func event() move {
	return move{method: "POST", path: "/orders/{order_id}/transactions/{id}/events",
		body: `{"type": "{type}", "status": "{outcome}", "happened_at": "{now}", ` +
			`"amount": {"value": "{amount}", "currency": "{currency}"}, ` +
			`"authorization_code": "A1", "failure_code": "{failure}"}`}
}

func disputed() map[string]move {
	const path = "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}"
	const retained = `"retained_total": {"value": "{retained}", "currency": "{amount.currency}"}`
	closes := move{method: "PUT", path: path, body: `{"status": "{on}", "closed_at": "{now}", ` + retained + `}`}
	return map[string]move{"": {method: "PUT", path: path, body: `{"status": "{on}", ` + retained + `}`}, "won": closes,
		"lost": closes}
}

// move is what moves a record when something happens, if a button can do that.
func (k stated) move(on string) (move, bool) {
	m, ok := k.moves[on]
	if !ok {
		m, ok = k.moves[""]
	}
	return m, ok && m.method != ""
}

// of reports whether the table is that of a record.
func (k stated) of(record value) bool { return k.only[0] == "" || record.text(k.only[0]) == k.only[1] }

// way is what may happen, where it leads, and whether that leads out of the state of now.
type way struct {
	on, to string
	legal  bool
}

// ways are the acts of a table that change the state, the legal ones first. An act that leads to several states is
// several ways.
func ways(m value, now string) []way {
	var out []way
	for _, e := range m.list("edges") {
		on, to, legal := e.text("on"), e.text("to"), e.text("from") == now
		if to == e.text("from") {
			continue
		}
		switch i := slices.IndexFunc(out, func(w way) bool { return w.on == on && w.to == to }); {
		case i < 0:
			out = append(out, way{on, to, legal})
		case legal:
			out[i].legal = true
		}
	}
	slices.SortStableFunc(out, func(a, b way) int {
		switch {
		case a.legal == b.legal:
			return 0
		case a.legal:
			return -1
		}
		return 1
	})
	return out
}

// reported reports whether an event of a transaction is a button. There are 40 kinds: the form below the graph makes
// each.
func reported(w way) bool {
	_, outcome, _ := strings.Cut(w.on, " ")
	return w.legal && w.to != "partially_refunded" && (outcome == "success" || outcome == "failure")
}

// cents is an amount with two decimals.
func cents(amount string) string {
	whole, part, _ := strings.Cut(amount, ".")
	return whole + "." + (part + "00")[:max(2, len(part))]
}

// form is the button of a way. A way without an edge is offered too, since its refusal is worth seeing.
func (m move) form(a *asked, store, label string, w way, record value, now string) form {
	kind, outcome, _ := strings.Cut(w.on, " ")
	failure := ""
	if outcome == "failure" {
		failure = "processing_error"
	}
	replace := []string{
		"{on}", w.on, "{to}", w.to, "{now}", now, "{store}", store, "{type}", kind, "{outcome}", outcome, "{failure}",
		failure,
		"{amount}", cents(amountOf(record)), "{retained}", cents(record.text("retained")),
	}
	for _, name := range []string{"id", "order_id", "fulfillment_order_id", "transaction_id", "amount.currency",
		"currency"} {
		replace = append(replace, "{"+name+"}", record.text(name))
	}
	words := strings.NewReplacer(replace...)
	f := form{Call: m.method + " " + words.Replace(m.path), Label: label, Muted: !w.legal}
	if m.method == "DELETE" {
		f.Loses = "It deletes the record."
	}
	switch {
	case m.gone:
		f.Then = link("/orders", "store", store)
	case m.then != "":
		f.Then = recordLink(store, m.then, record.text("id"))
	}
	if strings.HasPrefix(m.path, "stores/") {
		return f
	}
	fields := []string{"call!=" + f.Call, "version!=" + m.version}
	if body := words.Replace(m.body); json.Valid([]byte(body)) {
		fields = append(fields, "body!="+body)
	}
	made := a.ask("call", label, of{store}, fields...)
	f.Call, f.Fields = made.Call, made.Fields
	return f
}

// amountOf is the amount of an event of a transaction: the authorized, captured or requested amount.
func amountOf(transaction value) string {
	for _, name := range []string{"captured", "authorized"} {
		if amount := transaction.text(name); amount != "" && amount != "0" {
			return amount
		}
	}
	if events := transaction.list("events"); len(events) > 0 {
		return events[0].text("amount")
	}
	return "0"
}
