package console

import (
	"slices"
	"strings"
)

// entities shows a record, a table of records, or the resources with their numbers.
func entities(a *asked) []section {
	store, resource, key := a.store(), a.query("resource"), a.query("key")
	at := "stores/" + store + "/entities"
	switch {
	case resource == "":
		return []section{a.resources(store, at)}
	case key != "":
		record := a.get(at + "/" + escape(resource) + "/" + escape(key))
		return []section{{
			Title: resource + " " + key, Text: record.whole(),
			Facts: []fact{{"Table", cell{Text: resource, Link: link("/entities", "store", store, "resource", resource)}}},
		}}
	}
	return []section{a.records(store, at, resource)}
}

// whole is the value as JSON with lines.
func (v value) whole() string { return value{map[string]any{"all": v.of}}.pretty("all") }

func (a *asked) resources(store, at string) section {
	s := section{Title: "Records of store " + store, Heads: []string{"Resource", "Records"}}
	counts, _ := a.get(at).at("resources").of.(map[string]any)
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s.Rows = append(s.Rows, []cell{
			{Text: name, Link: link("/entities", "store", store, "resource", name)}, number(value{counts}.text(name)),
		})
	}
	return s
}

// records is a table of a resource. A filter leaves out the records of the page that do not contain its text.
func (a *asked) records(store, at, resource string) section {
	filter := strings.ToLower(a.query("filter"))
	page := a.get(at + "/" + escape(resource) + "?limit=50&after=" + escape(a.query("after")))
	s := section{
		Title: resource + " of store " + store, Heads: []string{"Key", "What it is"},
		Empty: "There is none: an app makes one through the API, or use refserver seed FILE.",
		Facts: []fact{{"All tables", cell{Text: "resources", Link: link("/entities", "store", store)}}},
	}
	for _, record := range page.list("items") {
		key := record.text("id")
		if key == "" {
			key = record.text("app_id") + record.text("code")
		}
		what := summary(record)
		if filter != "" && !strings.Contains(strings.ToLower(what+key), filter) {
			continue
		}
		s.Rows = append(s.Rows, []cell{
			{Text: key, Link: link("/entities", "store", store, "resource", resource, "key", key)}, {Text: what},
		})
	}
	if next := page.text("next"); next != "" {
		s.More = link("/entities", "store", store, "resource", resource, "filter", filter, "after", next)
	}
	return s
}

// summary is what a record is, from the members that say so.
func summary(record value) string {
	var parts []string
	for _, name := range []string{"name", "number", "title", "code", "event", "url", "sku", "email", "status", "state", "payment_status", "shipping_status", "total", "price", "amount"} {
		if s := record.text(name); s != "" {
			parts = append(parts, name+" "+s)
		}
	}
	return strings.Join(parts, ", ")
}
