package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// entities shows a record, a table of records, or the resources with their numbers.
func entities(a *asked) []section {
	store, resource, key := a.store(), a.query("resource"), a.query("key")
	switch {
	case resource == "":
		return []section{a.resources(store)}
	case key != "":
		return a.record(store, resource, key)
	}
	return a.records(store, resource)
}

// recordLink is the page of a record.
func recordLink(store, resource, key string) string {
	return link("/entities", "store", store, "resource", resource, "key", key)
}

// whole is the value as JSON with lines.
func (v value) whole() string { return value{map[string]any{"all": v.of}}.pretty("all") }

// areas are the tables of a store by their subject. The last area has the other tables.
func areas() []struct {
	name   string
	tables []string
} {
	return []struct {
		name   string
		tables []string
	}{
		{"Catalog", []string{"products", "variants", "images", "inventory_levels", "categories", "kits"}},
		{"Prices", []string{
			"price_tables", "price_table_categories", "price_table_variants", "price_table_customers", "coupons", "promotions",
		}},
		{"Sales", []string{"customers", "visits", "carts", "quotes", "checkouts", "draft_orders", "orders",
			"external_invoices"}},
		{"Payments", []string{"payment_providers", "transactions", "disputes"}},
		{"Shipping", []string{"locations", "carriers", "carrier_options", "fulfillment_orders", "labels", "tracking_events"}},
		{"Apps", []string{"webhooks", "discount_callbacks", "rule_callbacks", "script_links", "plans", "app_subscriptions",
			"charges"}},
		{"Content", []string{"pages", "blogs", "blog_posts", "email_templates"}},
		{"Others", nil},
	}
}

// resources are the tables of a store with the numbers of their records.
func (a *asked) resources(store string) section {
	s := section{Title: "Tables of store " + store, Heads: []string{"About", "Records"}}
	counts := a.get("stores/" + store + "/entities").at("resources")
	all, _ := counts.of.(map[string]any)
	var rest []string
	for name := range all {
		rest = append(rest, name)
	}
	slices.Sort(rest)
	for _, area := range areas() {
		names := area.tables
		if names == nil {
			names = rest
		}
		row := []cell{{Text: area.name, Class: "key"}, {Class: "bare"}}
		for _, name := range names {
			if n := counts.text(name); n != "" {
				table := cell{Text: title(name) + " " + n, Link: link("/entities", "store", store, "resource", name)}
				if n == "0" {
					table.Class = "dim"
				}
				row[1].Parts = append(row[1].Parts, table)
			}
		}
		rest = slices.DeleteFunc(rest, func(name string) bool { return slices.Contains(names, name) })
		if len(row[1].Parts) > 0 {
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// records is a table of a resource, with a form to make one more.
func (a *asked) records(store, resource string) []section {
	filter := strings.TrimSpace(a.query("filter"))
	path := "stores/" + store + "/entities/" + escape(resource)
	a.title = title(resource)
	page := a.get(path + "?limit=50&filter=" + escapeQuery(filter) + "&after=" + escapeQuery(a.query("after")))
	s := section{
		Title: title(resource) + " of store " + store,
		Find: &finder{Path: "/entities", Fields: []field{
			hidden("store", store), hidden("resource", resource), {Name: "filter", Label: "Words in any field", Value: filter},
		}},
		Facts: []fact{{"All tables", cell{Text: "tables of store " + store, Link: link("/entities", "store", store)}}},
		Empty: "There is none. refserver seed FILE makes records, and so do the forms on the pages of other records.",
	}
	s.Heads, s.Rows = recordRows(store, resource, page.list("items"))
	next := page.text("next")
	if filter != "" {
		counts := a.get("stores/" + store + "/entities").at("resources")
		s.Note = fmt.Sprintf("Searched %s of %s: %d match.", page.text("searched"), traffic.Count(counts.int(resource), "record"), len(s.Rows))
		s.Empty = "None of these records matches."
	}
	if next != "" {
		s.More = link("/entities", "store", store, "resource", resource, "filter", filter, "after", next)
	}
	if filter != "" && next != "" {
		s.Note += " The search continues in the next rows."
	}
	if a.err != nil {
		return nil
	}
	out := []section{s}
	if hasStates(resource) {
		out[0].Empty, out[0].Forms = a.beginning(store, resource)
	}
	return append(append(out, a.making(store, resource)...), a.graphsOf(resource)...)
}
