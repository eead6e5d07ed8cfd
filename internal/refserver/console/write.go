package console

import (
	"regexp"
	"slices"
	"strings"
)

// paths are where the API has a record of a resource. {id} is its key, other parameters are members of the record.
func paths() map[string]string {
	return map[string]string{
		"blog_posts": "/blogs/{blog_id}/posts/{id}", "carrier_options": "/shipping_carriers/{carrier_id}/options/{id}",
		"carriers": "/shipping_carriers/{id}", "carts": "/carts/{id}", "categories": "/categories/{id}",
		"checkouts": "/checkouts/{id}",
		"coupons":   "/coupons/{id}", "customers": "/customers/{id}",
		"disputes":     "/orders/{order_id}/transactions/{transaction_id}/disputes/{id}",
		"draft_orders": "/draft_orders/{id}", "email_templates": "/email-templates/{id}",
		"external_invoices":  "/orders/{order_id}/invoices/external/{key}",
		"fulfillment_orders": "/orders/{order_id}/fulfillment-orders/{id}", "images": "/products/{product_id}/images/{id}",
		"kits": "/kits/{id}", "labels": "/fulfillment-orders/{fulfillment_order_id}/labels/{id}",
		"locations":  "/locations/{id}",
		"metafields": "/metafields/{id}", "orders": "/orders/{id}", "pages": "/pages/{id}",
		"payment_providers": "/payment_providers/{id}", "price_tables": "/products/price-tables/{id}",
		"products":   "/products/{id}",
		"promotions": "/promotions/{id}", "transactions": "/orders/{order_id}/transactions/{id}",
		"variants": "/products/{product_id}/variants/{id}", "webhooks": "/webhooks/{id}",
	}
}

// parameter is one of a path, whose name nobody remembers.
var parameter = regexp.MustCompile(`\{[^{}/]*\}`)

// filled is a path with the members of a record in it, empty if the record lacks one.
func filled(path string, record value) string {
	missing := false
	out := parameter.ReplaceAllStringFunc(path, func(name string) string {
		member := record.text(strings.Trim(name, "{}"))
		missing = missing || member == ""
		return escape(member)
	})
	if missing {
		return ""
	}
	return out
}

// operations are the operations of the API, as GET operations lists them.
func (a *asked) operations() (out []string) {
	for after := "0"; a.err == nil && after != ""; {
		page := a.get("operations?limit=200&after=" + after)
		for _, op := range page.list("items") {
			out = append(out, op.text("operation"))
		}
		after = page.text("next")
	}
	return out
}

// below are the operations on a path and on the segments without a parameter below it, as calls of that path.
// Operations that change something are first.
func below(operations []string, template, path string) (out []string) {
	shape := parameter.ReplaceAllString(template, "{}")
	for _, op := range operations {
		method, of, _ := strings.Cut(op, " ")
		rest, ok := strings.CutPrefix(parameter.ReplaceAllString(of, "{}"), shape)
		if ok && (rest == "" || rest[0] == '/' && !strings.Contains(rest, "{")) {
			out = append(out, method+" "+path+rest)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return reads(a) - reads(b) })
	return out
}

// reads is 1 for a call that changes nothing.
func reads(call string) int {
	if strings.HasPrefix(call, "GET ") {
		return 1
	}
	return 0
}

// writing calls the API about a record.
func (a *asked) writing(store, resource string, record value) []section {
	template := paths()[resource]
	path := filled(template, record)
	if path == "" {
		return nil
	}
	return a.callForm(store, "Write it through the API", "Call", below(a.operations(), template, path))
}

// making calls the API to make a record of a table that is below the store itself.
func (a *asked) making(store, resource string) []section {
	template, _ := strings.CutSuffix(paths()[resource], "/{id}")
	if template == "" || strings.Contains(template, "{") {
		return nil
	}
	if call := "POST " + template; slices.Contains(a.operations(), call) {
		return a.callForm(store, "Make one through the API", "Make", []string{call})
	}
	return nil
}

// callForm makes one of the calls of the API in the name of the demo app.
func (a *asked) callForm(store, title, label string, calls []string) []section {
	if a.err != nil || len(calls) == 0 {
		return nil
	}
	return []section{{
		Title: title,
		Note: "The call is made in the name of the demo app, under the rules of the API. GET and DELETE need " +
			"no body.",
		Forms: []form{
			a.ask("call", label, of{store}, "call|Operation="+calls[0], "body={}").choosing("call", choose(calls...)),
		},
	}}
}
