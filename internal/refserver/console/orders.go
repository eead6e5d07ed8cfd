package console

import (
	"slices"
	"strings"
)

// orders shows the states of a record with the ways out of it as buttons, a table of records that have states, or the
// tables.
func orders(a *asked) []section {
	store, resource, key := a.store(), a.query("resource"), a.query("key")
	machines := a.get("machines?limit=200").list("items")
	switch {
	case a.err != nil:
		return nil
	case key != "":
		return a.statesOf(store, resource, key, machines)
	case resource != "":
		return a.statesIn(store, resource, machines)
	}
	s := section{
		Title: "What has states in store " + store, Heads: []string{"Table", "Records", "States"},
		Note: "Each table has its records, its graph as the server enforces it, and the act that makes the first record.",
	}
	counts := a.get("stores/" + store + "/entities").at("resources")
	for _, name := range statedResources() {
		var states []string
		for _, k := range allStated() {
			for _, m := range machines {
				if k.resource == name && m.text("name") == k.machine {
					states = append(states, stateNames(m)...)
				}
			}
		}
		slices.Sort(states)
		s.Rows = append(s.Rows, []cell{
			{Text: title(name), Link: link("/orders", "store", store, "resource", name), Class: "key"},
			number(counts.text(name)),
			{Text: strings.Join(slices.Compact(states), ", ")},
		})
	}
	return []section{s}
}

// statedResources are the resources that have states, each once.
func statedResources() (out []string) {
	for _, k := range allStated() {
		if !slices.Contains(out, k.resource) {
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

// statesIn is a table of records that have states, with its graphs.
func (a *asked) statesIn(store, resource string, machines []value) []section {
	page := a.get("stores/" + store + "/entities/" + escape(resource) + "?limit=50&after=" + escapeQuery(a.query("after")))
	if a.err != nil {
		return nil
	}
	s := section{Title: title(resource) + " of store " + store, Facts: []fact{
		{"All tables", cell{Text: "what has states", Link: link("/orders", "store", store)}},
	}}
	s.Heads, s.Rows = recordRows(store, resource, page.list("items"))
	for i, r := range page.list("items") {
		s.Rows[i][0].Link = link("/orders", "store", store, "resource", resource, "key", r.text("id"))
	}
	if next := page.text("next"); next != "" {
		s.More = link("/orders", "store", store, "resource", resource, "after", next)
	}
	s.Empty, s.Forms = a.beginning(store, resource)
	out := []section{s}
	for _, k := range allStated() {
		for _, m := range machines {
			if k.resource == resource && m.text("name") == k.machine {
				out = append(out, section{Title: "States of " + k.machine, Note: k.others, Graph: drawn(m, "")})
			}
		}
	}
	if resource == "labels" {
		out = append(out, a.labelCalls(store))
	}
	return out
}

// statesOf draws the tables of one record, each with buttons for what may happen.
func (a *asked) statesOf(store, resource, key string, machines []value) []section {
	record := a.get("stores/" + store + "/entities/" + escape(resource) + "/" + escape(key))
	now := a.get("clock").text("now")
	if a.err != nil {
		return nil
	}
	s := section{
		Title: singular(resource) + " " + key,
		Facts: []fact{
			{"Name", cell{Text: nameOf(record)}}, {"State", stateCell(stateOf(record))},
			{"Amount", cell{Text: firstOf(record, "total", "amount.value")}},
			{"All of it", cell{Text: "record, links and events", Link: recordLink(store, resource, key)}},
			{"Table", cell{Text: title(resource), Link: link("/orders", "store", store, "resource", resource)}},
		},
	}
	if order := record.text("order_id"); order != "" && order != "0" {
		s.Facts = append(s.Facts, fact{"Order", cell{Text: order, Link: link("/orders", "store", store, "resource",
			"orders", "key", order)}})
	}
	out := []section{s}
	for _, k := range allStated() {
		for _, m := range machines {
			if k.resource == resource && m.text("name") == k.machine && k.of(record) {
				out = append(out, k.drawn(a, store, m, record, now))
			}
		}
	}
	return append(out, a.parts(store, resource, key, record, now)...)
}

// drawn is a table of states about one record.
func (k stated) drawn(a *asked, store string, m, record value, now string) section {
	state := record.text(k.member)
	s := section{Title: "States of " + k.machine, Graph: drawn(m, state)}
	leads, all := false, ways(m, state)
	for _, w := range all {
		do, ok := k.move(w.on)
		if !ok || !w.legal && w.to == state || k.resource == "transactions" && !reported(w) {
			continue
		}
		leads = leads || w.legal
		label := w.on
		if slices.ContainsFunc(all, func(o way) bool { return o.on == w.on && o.to != w.to }) {
			label += ": " + w.to
		}
		s.Forms = append(s.Forms, do.form(a, store, label, w, record, now))
	}
	if !leads && k.member != "" {
		s.Note = "No operation of the API leads out of " + state + "."
	}
	if k.others != "" {
		s.Note = strings.TrimSpace(s.Note + " " + k.others)
	}
	if slices.ContainsFunc(s.Forms, func(f form) bool { return f.Muted }) {
		s.Note = strings.TrimSpace(s.Note + " Dashed buttons are refused now: press one to see why.")
	}
	return s
}
