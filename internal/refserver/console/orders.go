package console

import (
	"encoding/json"
	"strings"
)

// orders are the newest orders, each with the button that pays and ships it, and the other tables with states.
func orders(a *asked) []section {
	store := a.store()
	page := a.get("stores/" + store + "/entities/orders?order=newest&limit=50&after=" + escapeQuery(a.query("after")))
	if a.err != nil {
		return nil
	}
	s := section{
		Title: "Orders of store " + store, Heads: []string{"Order", "Customer", "State", "Total", "Next", "Pick"},
		Picker: &picker{Buttons: []bulk{{"Pay and ship", func(id string) (form, bool) {
			return a.payAndShip(store, a.get("stores/"+store+"/entities/orders/"+escape(id)))
		}}}},
	}
	for _, o := range page.list("items") {
		key := o.text("id")
		next := cell{}
		if f, ok := a.payAndShip(store, o); ok {
			next.Forms = []form{f}
		}
		s.Rows = append(s.Rows, []cell{
			{Text: "#" + o.text("number"), Link: recordLink(store, "orders", key), Class: "key"},
			{Text: clip(firstOf(o, "contact_name", "contact_email"))}, stateCell(stateOf(o)), number(priced(o, "total")), next,
			{Pick: key},
		})
	}
	if next := page.text("next"); next != "" {
		s.More = link("/orders", "store", store, "after", next)
	}
	s.Empty, s.Forms = a.beginning(store, "orders")
	others := section{Title: "Other records with states"}
	counts := a.get("stores/" + store + "/entities").at("resources")
	for _, name := range statedResources()[1:] {
		others.Links = append(others.Links, cell{
			Text: title(name) + " " + counts.text(name), Link: link("/entities", "store", store, "resource", name),
		})
	}
	return []section{s, others}
}

// payAndShip pays an order and ships its first fulfillment order in one act.
func (a *asked) payAndShip(store string, o value) (form, bool) {
	path, shipping := "/orders/"+escape(o.text("id")), o.text("shipping_status")
	var calls [][2]string
	if o.text("payment_status") == "pending" {
		calls = append(calls, [2]string{"PUT " + path, `{"status": "paid"}`})
	}
	if shipping == "unpacked" {
		calls = append(calls, [2]string{"POST " + path + "/pack", "{}"})
	}
	if shipping == "unpacked" || shipping == "unshipped" || shipping == "unfulfilled" || shipping == "packed" {
		calls = append(calls, [2]string{"POST " + path + "/fulfill", "{}"})
	}
	if len(calls) == 0 || o.text("status") != "open" {
		return form{}, false
	}
	label := "Ship"
	switch {
	case len(calls) == 1 && strings.HasPrefix(calls[0][0], "PUT"):
		label = "Pay"
	case strings.HasPrefix(calls[0][0], "PUT"):
		label = "Pay and ship"
	}
	f := a.ask("call", label+" #"+o.text("number"), of{store}, "call!="+calls[0][0], "version!=v1", "body!="+calls[0][1])
	for _, c := range calls[1:] {
		f = f.followed("POST stores/"+store+"/call", map[string]any{"call": c[0], "version": "v1",
			"body": json.RawMessage(c[1])})
	}
	return f, true
}

// statedResources are the resources that have states, each once.
func statedResources() (out []string) {
	for _, k := range allStated() {
		if len(out) == 0 || out[len(out)-1] != k.resource {
			out = append(out, k.resource)
		}
	}
	return out
}

// title is a name of a table in words.
func title(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// singular is a name of a table as that of one record, in words.
func singular(table string) string {
	if one, ok := strings.CutSuffix(table, "ies"); ok {
		return title(one + "y")
	}
	return title(strings.TrimSuffix(table, "s"))
}
