package document

import (
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// privacy are the events of data protection, which have their addresses in the settings of the app.
func privacy() []string {
	return []string{"store/redact", "customers/redact", "customers/data_request"}
}

// eventCalls are the webhooks, by event.
func eventCalls() []call {
	w := delivery.Standard()
	base := call{
		method: "POST", limit: delivery.DefaultTimeout, headers: []string{"WebhookSignature"},
		callers: "The platform, which signs the body with the app's client secret. vectors.json has examples.",
		answers: []answer{
			{"2XX", "The delivery is done.", nil, ""},
			{"default", "Any other status, a late answer or no answer: the delivery is repeated.", nil, ""},
		},
	}
	retries := map[string]any{
		"x-retries":  "At once, then after 5, 10 and 15 minutes, then after 1.4 times the wait before, within 48 hours.",
		"x-attempts": w.Attempts,
	}
	var all []call
	for _, kind := range res.Events() {
		c := base
		c.name, c.summary = kind.Name, "The event "+kind.Name+"."
		c.more = map[string]any{"x-scopes": names(kind.Scopes), "x-versions": api.Op{Versions: kind.Versions}.AllVersions()}
		all = append(all, c)
	}
	for _, name := range privacy() {
		c := base
		c.name, c.summary, c.more = name, "The event "+name+", at its address in the settings of the app.", map[string]any{}
		all = append(all, c)
	}
	for _, c := range all {
		for name, v := range retries {
			c.more[name] = v
		}
	}
	return all
}

// eventBody is the body of an event.
func eventBody(name string) schema {
	category, act, _ := strings.Cut(name, "/")
	textual := category == "fulfillment_order" || category == "location"
	id := func() schema { return schema{"type": []string{"integer", "string"}} }
	out := object()
	store := integer()
	if textual {
		store = text()
	}
	out.set("store_id", store, true)
	if slices.Contains(privacy(), name) {
		personal(out, name, id)
		return out
	}
	out.set("event", constant(name), true)
	switch {
	case name == "domain/updated":
	case name == "app/suspended", name == "app/resumed", name == "fulfillment/updated":
		out.set("id", id(), false) // the platform does not document more than the common members
	case category == "fulfillment_order":
		fulfillment(out, act)
	case name == "subscription/updated":
		out.embed(members("concept_code", text(), "service_id", id(), "event_launch_ts", text()))
	default:
		out.set("id", id(), true)
		billed(out, category, act)
	}
	if category == "customer" {
		out.set("event_launch_ts", text(), true)
	}
	return out
}

// billed adds the members of events of billing.
func billed(out schema, category, act string) {
	switch category {
	case "app_subscription":
		plan := members("id", text(), "code", text(), "external_reference", text().nullable())
		out.embed(members("topic", text(), "plan?", plan))
	case "charge":
		out.set("app_id", integer(), false)
		if act != "created" {
			out.set("charge", members("id", text(), "concept_code", text(), "from_date", text(), "to_date", text(),
				"amount_value", schema{"type": "number"}, "amount_currency", text()), true)
		}
	}
}

// fulfillment adds the members of an event of a fulfillment order, whose ids are texts.
func fulfillment(out schema, act string) {
	out.embed(members("order_id", text(), "fulfillment_id", text(), "status", text()))
	switch {
	case act == "label_status_updated":
		out.embed(members("label_id", text(), "tracking_info?", members("code", text().nullable(), "url", text().nullable()),
			"reason?", members("type", text(), "message", text().nullable())))
	case act != "status_updated":
		out.set("tracking_event_id", text(), true)
	}
}

// personal adds the members of an event of data protection.
func personal(out schema, name string, id func() schema) {
	switch name {
	case "customers/redact":
		out.embed(members("customer", customerSchema(id), "orders_to_redact", list(id())))
	case "customers/data_request":
		out.embed(members("customer", customerSchema(id), "orders_requested", list(id()), "checkouts_requested", list(id()),
			"drafts_orders_requested", list(id()), "data_request", members("id", id())))
	}
}

func customerSchema(id func() schema) schema {
	return members("id", id(), "email?", text().nullable(), "phone?", text().nullable(), "identification?", text().nullable())
}
