package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// areas are the tables of a store by what they are about. What is in none of them is in the last one.
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
		{"Sales", []string{"customers", "visits", "carts", "quotes", "checkouts", "draft_orders", "orders", "external_invoices"}},
		{"Payments", []string{"payment_providers", "transactions", "disputes"}},
		{"Shipping", []string{"locations", "carriers", "carrier_options", "fulfillment_orders", "labels", "tracking_events"}},
		{"Apps", []string{"webhooks", "discount_callbacks", "rule_callbacks", "script_links", "plans", "app_subscriptions", "charges"}},
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
		row := []cell{{Text: area.name, Class: "key"}, {}}
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
	page := a.get(path + "?limit=50&filter=" + escapeQuery(filter) + "&after=" + escapeQuery(a.query("after")))
	s := section{
		Title: title(resource) + " of store " + store,
		Find: &finder{Path: "/entities", Fields: []field{
			hidden("store", store), hidden("resource", resource), {Name: "filter", Label: "Words in any member", Value: filter},
		}},
		Facts: []fact{{"All tables", cell{Text: "tables of store " + store, Link: link("/entities", "store", store)}}},
		Empty: "There is none: make one below, or with refserver seed FILE.",
	}
	s.Heads, s.Rows = recordRows(store, resource, page.list("items"))
	next := page.text("next")
	if filter != "" {
		s.Note = "Looked at " + page.text("searched") + " records: " + strconv.Itoa(len(s.Rows)) + " have all words."
		s.Empty = "No record of these has all words."
	}
	if next != "" {
		s.More = link("/entities", "store", store, "resource", resource, "filter", filter, "after", next)
	}
	if filter != "" && next != "" {
		s.Note += " The search goes on in the next rows."
	}
	if a.err != nil {
		return nil
	}
	return append([]section{s}, a.making(store, resource)...)
}

// column is a column of a table of records.
type column struct {
	head string
	of   func(record value) cell
}

func columns() []column {
	plain := func(f func(record value) string) func(value) cell {
		return func(record value) cell { return cell{Text: f(record)} }
	}
	return []column{
		{"Name", plain(nameOf)},
		{"State", func(record value) cell { return stateCell(stateOf(record)) }},
		{"Amount", func(record value) cell {
			return number(firstOf(record, "total", "price", "amount.value", "value", "stock"))
		}},
		{"Changed (UTC)", func(record value) cell {
			return number(moment(cmp.Or(record.text("updated_at"), record.text("created_at"), record.text("initiated_at"))))
		}},
	}
}

// recordRows are records as rows, each with a link to its page, below the heads of the columns that have something.
func recordRows(store, resource string, records []value) (heads []string, rows [][]cell) {
	s := section{Heads: []string{"Key"}}
	for _, c := range columns() {
		s.Heads = append(s.Heads, c.head)
	}
	for _, r := range records {
		key := keyOf(resource, r)
		row := []cell{{Text: key, Link: recordLink(store, resource, key), Class: "key"}}
		for _, c := range columns() {
			row = append(row, c.of(r))
		}
		s.Rows = append(s.Rows, row)
	}
	s = trimmed(s)
	return s.Heads, s.Rows
}

// keyOf is the key of a record in its table.
func keyOf(resource string, r value) string {
	switch resource {
	case "visits", "quotes":
		return r.text("cart_id")
	case "custom_field_values":
		return r.text("field") + "/" + r.text("owner_id")
	case "discount_callbacks":
		return r.text("app_id")
	case "rule_callbacks":
		return r.text("app_id") + "/" + r.text("domain")
	case "app_subscriptions":
		return r.text("app_id") + "/" + r.text("concept")
	}
	return r.text("id")
}

// firstOf is the first of the members that is not empty.
func firstOf(record value, members ...string) string {
	for _, name := range members {
		if s := words(record.at(name)); s != "" {
			return s
		}
	}
	return ""
}

// nameOf is what people call a record: at most three of the members that say so.
func nameOf(record value) string {
	var parts []string
	for _, name := range []string{
		"number", "name", "title", "namespace", "key", "code", "event", "sku", "values", "concept", "method_type", "method_id",
		"contact_name", "email", "contact_email", "shipping.option.name", "reason", "description", "handle", "src", "url", "subject",
		"type", "owner", "domain",
	} {
		if s := words(record.at(name)); s != "" && len(parts) < 3 {
			parts = append(parts, s)
		}
	}
	return clip(strings.Join(parts, " · "))
}

// stateOf is the state of a record: those that it has, or what its switches are set to.
func stateOf(record value) string {
	var parts []string
	for _, name := range []string{"status", "payment_status", "shipping_status", "visibility"} {
		if s := record.text(name); s != "" {
			parts = append(parts, s)
		}
	}
	for _, one := range []struct{ name, yes, no string }{
		{"published", "published", "not published"}, {"active", "active", "not active"}, {"valid", "valid", "not valid"},
		{"converted", "has become an order", "open"},
	} {
		switch record.text(one.name) {
		case "yes":
			parts = append(parts, one.yes)
		case "no":
			parts = append(parts, one.no)
		}
	}
	return strings.Join(parts, ", ")
}

// words are a value in words: a text in languages is the English one or the first, a list is its elements.
func words(v value) string {
	switch of := v.of.(type) {
	case map[string]any:
		if s, ok := of["en"].(string); ok {
			return s
		}
		var languages []string
		for language, text := range of {
			if _, ok := text.(string); !ok {
				return ""
			}
			languages = append(languages, language)
		}
		if len(languages) == 0 {
			return ""
		}
		return v.text(slices.Min(languages))
	case []any:
		var parts []string
		for _, one := range of {
			if s := words(value{one}); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	}
	return value{map[string]any{"it": v.of}}.text("it")
}

// clip bounds a text in a row.
func clip(s string) string {
	const most = 120
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// moment is a time in seconds, as a person reads it.
func moment(stamp string) string {
	day, clock, ok := strings.Cut(strings.TrimSuffix(stamp, "Z"), "T")
	if !ok {
		return stamp
	}
	clock, _, _ = strings.Cut(clock, ".")
	return day + " " + clock
}
