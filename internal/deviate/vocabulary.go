package deviate

import (
	"regexp"
	"slices"
	"strings"
)

// envelopes are the ways to the items of lists that are not arrays.
var envelopes = []string{
	"pages.results", "results", "data", "posts.data", "price_tables", "price_table.categories", "price_table.product_variants",
	"price_table.customers",
}

// unlisted are last parts of paths whose responses are arrays and no lists: one unreadable item spoils them.
var unlisted = []string{"values", "editions", "subscriptions", "discounts", "payment-options"}

// paged reports whether the response at a path is a list of records.
func paged(path string) bool {
	last := path[strings.LastIndex(path, "/")+1:]
	return strings.HasSuffix(last, "s") && !slices.Contains(unlisted, last)
}

// untyped are the paths of responses in which nobody knows the types of members.
var untyped = regexp.MustCompile(`/payment-options$|/carts/[0-9]+$`)

// free are members whose values belong to apps and merchants: nobody knows their types.
var free = []string{"extra", "customs", "properties", "params"}

// missing are members whose empty array means that there is no object. An empty object would be one.
var missing = []string{"shipping_suboption"}

var (
	amounts = []string{
		"price", "compare_at_price", "promotional_price", "cost", "subtotal", "discount", "discount_coupon", "discount_gateway", "total", "total_usd",
		"total_paid", "total_paid_by_customer", "total_paid_by_customer_including_fees", "total_spent", "shipping_cost_customer", "shipping_cost_owner",
		"total_discount_amount", "amount_value", "additional_cost", "min_price", "total_delta", "total_paid_diff",
	}
	measures = []string{"weight", "width", "height", "depth", "total_weight", "latitude", "longitude", "discount_percent"}
	// codes are texts that are often digits alone.
	codes = []string{
		"sku", "barcode", "zipcode", "billing_zipcode", "shipping_zipcode", "phone", "billing_phone", "shipping_phone", "contact_phone",
		"whatsapp_phone_number",
	}
	counts = []string{"stock", "max_uses", "used", "shipping_min_days", "shipping_max_days", "kit_stock"}
	// references are members with ids whose names do not say so.
	references = []string{"parent", "categories", "subcategories"}
	// dates are members with times whose names do not end in _at.
	dates = []string{"start_date", "end_date", "min_delivery_date", "max_delivery_date", "next_execution", "last_execution"}
	// words are members that end like ids, and are texts of an app.
	words = []string{"external_id"}
)

// isID reports whether the member holds the id of a record.
func isID(at place) bool {
	return (at.name == "id" || strings.HasSuffix(at.name, "_id") || slices.Contains(references, at.name)) && !slices.Contains(words, at.name)
}

// isAmount reports whether the member holds an amount of money.
func isAmount(at place) bool {
	switch at.name {
	case "value":
		return at.parent.member("currency") != nil || at.parent.member("max_uses") != nil // of a coupon
	case "total":
		return at.parent.member("results") == nil // the number of pages
	}
	return slices.Contains(amounts, at.name)
}

func isMeasure(at place) bool { return slices.Contains(measures, at.name) }

func isCode(at place) bool { return slices.Contains(codes, at.name) }

// isTime reports whether the member holds an instant or a day.
func isTime(at place) bool {
	return strings.HasSuffix(at.name, "_at") || slices.Contains(dates, at.name)
}

var (
	digits  = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)
	whole   = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`)
	decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	// language names a language or a locale, as members of texts do.
	size     = regexp.MustCompile(`^[0-9]+x[0-9]+$`) // of a logo
	language = regexp.MustCompile(`^[a-z]{2}(_[A-Z]{2})?$`)
)

// isMap reports whether the names of an object are data.
func isMap(n *node) bool {
	for _, m := range n.members {
		if language.MatchString(m.name) && m.name != "id" || size.MatchString(m.name) {
			return true
		}
	}
	return false
}

// isText reports whether an object is a text in several languages.
func isText(n *node) bool {
	if n.kind != '{' || len(n.members) == 0 {
		return false
	}
	for _, m := range n.members {
		if !language.MatchString(m.name) || m.name == "id" || m.value.kind != '"' {
			return false
		}
	}
	return true
}
