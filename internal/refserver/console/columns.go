package console

import (
	"cmp"
	"slices"
	"strings"
)

// column is a column of a table of records.
type column struct {
	head string
	of   func(record value) cell
}

func columns() []column {
	return []column{
		{"Name", func(record value) cell { return cell{Text: nameOf(record), Class: "bare"} }},
		{"State", func(record value) cell { return stateCell(stateOf(record)) }},
		{"Amount", func(record value) cell {
			return number(priced(record, "total", "price", "amount.value", "value", "stock"))
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

// priced is firstOf with the currency of the record.
func priced(record value, members ...string) string {
	amount, currency := firstOf(record, members...), firstOf(record, "currency", "amount.currency")
	if amount == "" {
		return ""
	}
	return strings.TrimSpace(amount + " " + currency)
}

// nameOf is what people call a record: at most three of the members that say so.
func nameOf(record value) string {
	var parts []string
	for _, name := range []string{
		"number", "name", "title", "namespace", "key", "code", "event", "sku", "values", "concept", "method_type",
		"method_id",
		"contact_name", "email", "contact_email", "shipping.option.name", "reason", "description", "handle", "src", "url",
		"subject",
		"type", "owner", "domain",
	} {
		if s := words(record.at(name)); s != "" && len(parts) < 3 {
			parts = append(parts, s)
		}
	}
	return clip(strings.Join(parts, " · "))
}

// stateOf is the state of a record: its states, or the values of its switches.
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
	return v.shown()
}

// clip bounds a text in a row.
func clip(s string) string { return clipTo(120, s) }

// clipTo bounds a text to a number of characters.
func clipTo(most int, s string) string {
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
