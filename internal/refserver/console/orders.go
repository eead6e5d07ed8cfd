package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// stated is what has states: where the records are, the table, the member that has the state, and the calls of the API that
// move a record.
type stated struct {
	resource, machine, member string
	// moves are the calls by what happens in the table; "" is for all others, whose {on} is what happens.
	moves map[string]move
}

// move is a call of the API in the name of the demo app. {name} is a member of the record, {on} what happens and {now} the
// time of the platform.
type move struct{ version, method, path, body string }

// allStated is what the page draws, in this order.
func allStated() []stated {
	parcel := map[string]move{"": {"v1", "PATCH", "/orders/{order_id}/fulfillment-orders/{id}", `{"status": "{on}"}`}}
	label := move{"unstable", "PATCH", "/fulfillment-orders/{fulfillment_order_id}/labels/{id}", `{"status": "{on}"}`}
	const dispute = "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}"
	const retained = `"retained_total": {"value": "{retained}", "currency": "{amount.currency}"}`
	closes := move{"v1", "PUT", dispute, `{"status": "{on}", "closed_at": "{now}", ` + retained + `}`}
	return []stated{
		{"orders", "order status", "status", map[string]move{"": {"v1", "POST", "/orders/{id}/{on}", "{}"}}},
		{"orders", "order payment status", "payment_status", map[string]move{
			"mark as paid": {"v1", "PUT", "/orders/{id}", `{"status": "paid"}`},
		}},
		{"draft_orders", "draft order status", "status", map[string]move{
			"confirm": {"v1", "POST", "/draft_orders/{id}/confirm", ""}, "delete": {"v1", "DELETE", "/draft_orders/{id}", ""},
		}},
		{"fulfillment_orders", "fulfillment order, shipped", "status", parcel},
		{"labels", "label", "status", map[string]move{
			"report": label, "download": {"unstable", "POST", "/fulfillment-orders/{fulfillment_order_id}/labels/{id}/download", ""},
		}},
		{"transactions", "transaction", "status", nil},
		{"disputes", "dispute", "status", map[string]move{
			"": {"v1", "PUT", dispute, `{"status": "{on}", ` + retained + `}`}, "won": closes, "lost": closes,
		}},
	}
}

// orders shows the states of a record with the ways out of it as buttons, or the records that have states.
func orders(a *asked) []section {
	store, resource, key := a.store(), a.query("resource"), a.query("key")
	at := "stores/" + store + "/"
	tables := a.get("machines?limit=200").list("items")
	if key != "" {
		return a.statesOf(store, at, resource, key, tables)
	}
	var out []section
	var done []string
	for _, k := range allStated() {
		if slices.Contains(done, k.resource) {
			continue
		}
		done = append(done, k.resource)
		s := section{Title: title(k.resource), Heads: []string{"Key", "What it is"}, Empty: "There is none yet."}
		page := a.get(at + "entities/" + k.resource + "?limit=50")
		for _, r := range page.list("items") {
			s.Rows = append(s.Rows, []cell{
				{Text: r.text("id"), Link: link("/orders", "store", store, "resource", k.resource, "key", r.text("id"))}, {Text: summary(r)},
			})
		}
		if page.text("next") != "" {
			s.More = link("/entities", "store", store, "resource", k.resource, "after", page.text("next"))
		}
		out = append(out, s)
	}
	for _, m := range tables {
		out = append(out, section{Title: "States of " + m.text("name"), Graph: drawn(m, "")})
	}
	return out
}

// title is a name of a table in words.
func title(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}

// statesOf draws the tables of one record, each with buttons for what may happen.
func (a *asked) statesOf(store, at, resource, key string, tables []value) []section {
	record := a.get(at + "entities/" + escape(resource) + "/" + escape(key))
	out := []section{{
		Title: title(resource) + " " + key,
		Facts: []fact{
			{"What it is", cell{Text: summary(record)}},
			{"All of it", cell{Text: "record", Link: link("/entities", "store", store, "resource", resource, "key", key)}},
		},
	}}
	now := a.get("clock").text("now")
	for _, k := range allStated() {
		for _, m := range tables {
			if k.resource != resource || m.text("name") != k.machine {
				continue
			}
			state := record.text(k.member)
			s := section{Title: "States of " + k.machine, Graph: drawn(m, state)}
			for _, b := range ways(m, state) {
				if do, ok := k.move(b.on); ok {
					s.Forms = append(s.Forms, do.form(store, b, record, now))
				}
			}
			if len(s.Forms) == 0 {
				s.Note = "No operation of the API moves it from here."
			}
			out = append(out, s)
		}
	}
	return out
}

// way is what may happen, and whether the table has an edge for it from the state of now.
type way struct {
	on    string
	legal bool
}

// ways are all that happens in a table, what is legal first.
func ways(m value, now string) []way {
	var out []way
	for _, e := range m.list("edges") {
		on, legal := e.text("on"), e.text("from") == now
		switch i := slices.IndexFunc(out, func(w way) bool { return w.on == on }); {
		case i < 0:
			out = append(out, way{on, legal})
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

func (k stated) move(on string) (move, bool) {
	if m, ok := k.moves[on]; ok {
		return m, true
	}
	m, ok := k.moves[""]
	return m, ok
}

// cents is an amount with two decimals.
func cents(amount string) string {
	whole, part, _ := strings.Cut(amount, ".")
	return whole + "." + (part + "00")[:max(2, len(part))]
}

// form is the button of a way. What the table has no edge for is offered too, since its refusal is worth seeing.
func (m move) form(store string, w way, record value, now string) form {
	replace := []string{"{on}", w.on, "{now}", now}
	for _, name := range []string{"id", "order_id", "fulfillment_order_id", "transaction_id", "amount.currency"} {
		replace = append(replace, "{"+name+"}", record.text(name))
	}
	replace = append(replace, "{retained}", cents(record.text("retained")))
	words := strings.NewReplacer(replace...)
	body := json.RawMessage("null")
	if m.body != "" {
		body = json.RawMessage(words.Replace(m.body))
	}
	records, err := json.Marshal([]map[string]any{{
		"store": json.Number(store), "version": m.version, "method": m.method, "path": words.Replace(m.path), "body": body,
	}})
	if err != nil { // a record whose members are no JSON
		records = fmt.Appendf(nil, "%q", err)
	}
	return form{
		Call: "POST seed", Label: w.on, Muted: !w.legal, Fields: []field{hidden("json:records", string(records))},
	}
}
