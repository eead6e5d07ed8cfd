package console

import (
	"cmp"
	"slices"
	"strings"
)

// record shows a record with its links, its events and its JSON.
func (a *asked) record(store, resource, key string) []section {
	path := "stores/" + store + "/entities/" + escape(resource) + "/" + escape(key)
	record := a.get(path)
	if a.err != nil {
		return nil
	}
	name, state := nameOf(record), stateOf(record)
	a.title = strings.TrimSuffix(singular(resource)+" "+cmp.Or(record.text("number"), key)+", "+state, ", ")
	s := section{
		Title: singular(resource) + " " + key,
		Facts: []fact{
			{"Name", cell{Text: name}}, {"State", stateCell(state)}, {"Amount", cell{Text: priced(record, "total", "amount.value")}},
			{"Changed (UTC)", cell{Text: moment(record.text("updated_at"))}}, {"Made (UTC)",
				cell{Text: moment(record.text("created_at"))}},
			{"Table", cell{Text: title(resource), Link: link("/entities", "store", store, "resource", resource)}},
			{"Log", cell{Text: "entries about it", Link: link("/log", "search", key)}},
		},
	}
	if resource == "carts" && record.text("converted") == "no" {
		s.Facts = append(s.Facts, fact{"Simulator", cell{Text: "cart and checkout", Link: link("/cart", "store", store,
			"cart", key)}})
	}
	if order := record.text("order_id"); order != "" && order != "0" {
		s.Facts = append(s.Facts, fact{"Order", cell{Text: order, Link: recordLink(store, "orders", order)}})
	}
	if f, ok := a.payAndShip(store, record); ok && resource == "orders" {
		s.Forms = []form{f}
	}
	out := append([]section{s}, a.statesOf(store, resource, record)...)
	linked := a.linked(store, path)
	if linked.Folded = hasStates(resource); len(linked.Rows) == 0 {
		linked.Folded = false
	}
	out = append(out, a.caused(path), linked)
	for _, one := range a.writing(store, resource, record) {
		one.Folded = true
		out = append(out, one)
	}
	return append(out, section{Title: "All of it", Text: record.whole(), Folded: true})
}

// linked are the records that a record names, and the records that name it.
func (a *asked) linked(store, path string) section {
	all := a.get(path + "/links")
	s := section{
		Title: "Linked records", Heads: []string{"Way", "Table", "Member", "Records"},
		Empty: "It names no record, and none names it.",
	}
	for _, way := range []struct{ member, text string }{{"names", "it names"}, {"used_by", "names it"}} {
		for _, group := range grouped(all.list(way.member)) {
			row := []cell{
				{Text: way.text, Class: "bare"}, {Text: title(group[0].text("resource")), Class: "key"},
				{Text: group[0].text("member"), Class: "bare"}, {Class: "bare"},
			}
			for _, one := range group {
				key := one.text("key")
				row[3].Parts = append(row[3].Parts, cell{Text: key, Link: recordLink(store, one.text("resource"), key)})
			}
			s.Rows = append(s.Rows, row)
		}
	}
	if len(s.Rows) > 0 && all.text("complete") == "no" {
		s.Note = "There are more: filter a table by the key to see them."
	}
	return s
}

// grouped are links with the same table and member.
func grouped(links []value) (out [][]value) {
	same := func(a, b value) bool {
		return a.text("resource") == b.text("resource") && a.text("member") == b.text("member")
	}
	for _, one := range links {
		i := slices.IndexFunc(out, func(group []value) bool { return same(group[0], one) })
		if i < 0 {
			out, i = append(out, nil), len(out)
		}
		out[i] = append(out[i], one)
	}
	return out
}

// caused are the events whose body names the record.
func (a *asked) caused(path string) section {
	all := a.get(path + "/events")
	s := section{
		Title: "Events that name it", Heads: []string{"Event", "At (UTC)", "State", "To", "Why"},
		Empty: "None yet.",
	}
	for _, e := range all.list("events") {
		event := cell{Text: e.text("event")}
		if id := e.text("delivery"); id != "" {
			event.Link = link("/log", "search", e.text("event"), "kind", "webhook")
		}
		state := stateCell(e.text("state"))
		if state.Text == "unsent" {
			state.Text = "not sent"
		}
		s.Rows = append(s.Rows, []cell{event, number(moment(e.text("at"))), state, {Text: e.text("url")},
			{Text: e.text("why")}})
	}
	if all.text("complete") == "no" {
		s.Note = "These are the last ones."
	}
	return trimmed(s)
}

// trimmed is a table without the columns that no row has anything in.
func trimmed(s section) section {
	for i := len(s.Heads) - 1; i >= 0; i-- {
		empty := func(row []cell) bool { return row[i].Text == "" && len(row[i].Parts) == 0 }
		if len(s.Rows) == 0 || slices.ContainsFunc(s.Rows, func(row []cell) bool { return !empty(row) }) {
			continue
		}
		s.Heads = slices.Delete(slices.Clone(s.Heads), i, i+1)
		for j, row := range s.Rows {
			s.Rows[j] = slices.Delete(row, i, i+1)
		}
	}
	return s
}

// escapeQuery makes text a value of a query.
func escapeQuery(s string) string { return strings.TrimPrefix(link("", "q", s), "?q=") }
