package document

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// missing matches the text of the refusal of a request without a member.
var missing = regexp.MustCompile(`^([a-z0-9_.]+): .*(should not be empty|can't be blank|field is required\.|must be present\.)$`)

// needed are members that requests must have, by operation, whose absence no text of a refusal names. Lists begin with
// "[]".
func needed() map[string]string {
	const price, amount = "amount amount.value amount.currency", "value currency"
	within := func(path, names string) string {
		return path + strings.ReplaceAll(names, " ", " "+path)
	}
	place := within("address.country.", "name code") + " " + within("address.province.", "name code") + " " +
		within("address.region.", "name code")
	dispute := "retained_total retained_total.value retained_total.currency " +
		within("retained_settled_amount.", "value currency exchange_rate exchange_rate.value exchange_rate.from")
	provider := within("checkout_payment_options[].", "id name integration_type supported_billing_countries "+
		"supported_payment_method_types") + " " + within("supported_payment_methods[].", "payment_method_type payment_methods")
	return map[string]string{
		"transactions.create": "info info.external_id payment_method payment_method.type " +
			within("first_event.", price+" type status") + " " + within("first_event.discount_amount.", amount) + " " +
			within("discount_amount.", amount),
		"transactions.createEvent": "type status amount.value amount.currency",
		"disputes.create":          price + " " + dispute + " " + within("fees[].", "type "+price),
		"disputes.update":          "status " + dispute,
		"payment_providers.create": provider, "payment_providers.update": provider,
		"promotions.create": "name allocation_type", "webhooks.create": "event url", "discount_callbacks.replace": "url",
		"business_rules.replace": "event url", "scripts.create": "script_id", "trackingEvents.create": "status",
		"orders.create": "products[].variant_id products[].quantity", "orders.edit": "products[].quantity",
		"draftOrders.create": "products[].variant_id products[].quantity",
		"labels.create":      "[].id", "labels.update": "status", "labels.updateStatus": "[].id [].labels [].labels[].id [].labels[].status",
		"locations.prioritize": "[].id [].priority", "locations.create": place, "locations.update": place,
		"price_tables.setCategories": "[].category_id [].discount",
		"price_tables.setVariants":   "[].product_id [].product_variant_id [].discount",
		"products.create":            "variants[].inventory_levels[].stock",
		"products.updateStockPrice":  "[].variants[].inventory_levels[].stock",
		"variants.create":            "inventory_levels[].stock", "variants.update": "inventory_levels[].stock",
		"variants.replace": "[].values [].inventory_levels[].stock", "variants.patch": "[].id [].inventory_levels[].stock",
		"variants.stock":                "action",
		"productCustomFields.setValues": "[].id [].value", "variantCustomFields.setValues": "[].id [].value",
		"customerCustomFields.setValues": "[].id [].value", "categoryCustomFields.setValues": "[].id [].value",
		"orderCustomFields.setValues": "[].id [].value",
	}
}

// request is the schema of the requests of an operation. A member is required if all requests that the server has
// accepted had it, and its absence is refused.
func request(op api.Op, seen schema) schema {
	absent := map[string]bool{}
	for _, e := range op.Errors {
		if m := missing.FindStringSubmatch(e.Text); m != nil {
			absent[strings.ReplaceAll(m[1], ".0.", "[].")] = true
		}
	}
	for path := range strings.FieldsSeq(needed()[op.ID]) {
		absent[path] = true
	}
	out := seen.deep()
	out.walk("", func(at string, of schema) {
		all := slices.DeleteFunc(slices.Clone(of.required()), func(name string) bool {
			return !absent[strings.TrimPrefix(at+"."+name, ".")]
		})
		if delete(of, "required"); len(all) > 0 {
			of["required"] = all
		}
	})
	return out
}

// lacking returns the members of needed that are not required in the schemas of requests: some request that the server
// accepted had no such member, so the row is wrong.
func lacking(schemas map[string]schema) []string {
	var out []string
	for _, op := range slices.Sorted(maps.Keys(needed())) {
		required := map[string]bool{}
		schemas[op+".request"].walk("", func(at string, of schema) {
			for _, name := range of.required() {
				required[strings.TrimPrefix(at+"."+name, ".")] = true
			}
		})
		for path := range strings.FieldsSeq(needed()[op]) {
			if !required[path] {
				out = append(out, op+" request."+path)
			}
		}
	}
	return out
}
