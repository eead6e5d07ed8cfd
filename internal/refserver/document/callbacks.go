package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// call is a kind of call that the platform makes.
type call struct {
	// name is the name in webhooks of the document, and that of the component of its body.
	name, method, summary string
	// callers says who may call, and how the app knows.
	callers string
	limit   time.Duration
	// headers are names of parameters of the document.
	headers []string
	// query is the parameter that the platform adds to the address, empty for none.
	query string
	// body is a type of the server, such as "carrier.requestJSON"; empty for a call without a body.
	body string
	// list is set if the body is a list of them.
	list bool
	// example is a body, or the name of a file in testdata/wire.
	example string
	answers []answer
	// adapt, if it is not nil, completes the schema of the body.
	adapt func(src *source, body schema) error
	// more are further members of the operation, such as x-retries.
	more map[string]any
}

// answer is a status, or a class such as 2XX, with what the platform does then.
type answer struct {
	status, causes string
	body           schema
	example        string
}

const (
	signedHeaders  = "Timestamp Signature"
	unsignedCaller = "The platform, whose calls are not signed. Give the platform an address with a random text in its path, " +
		"or accept calls from the platform's addresses only."
)

// calls is the table of the calls, without webhooks.
func calls() []call {
	all := append(discountCalls(), ruleCalls()...)
	all = append(all, carrierCalls()...)
	return append(all, paymentCalls()...)
}

func discountCalls() []call {
	return []call{{
		name: "cart", method: "POST", summary: "A cart has changed. The app answers with the discounts that it adds or removes.",
		callers: "The platform, from the addresses that it has published for carts. Calls are not signed yet. " +
			"A signature in the header of webhooks is announced.",
		limit: shop.Timeout, headers: []string{"CartSignature"}, body: "shop.payloadJSON", example: "discount_cart",
		adapt: looseForms,
		answers: []answer{
			{"200", "The commands are executed, in any order. If one of them is invalid, all discounts are removed from the " +
				"cart, including those of other apps.", commands(), `{"commands":[{"command":"create_or_update_discount","specs":{` +
				`"promotion_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","currency":"ARS","line_items":[{"line_item":"9717394929",` +
				`"discount_specs":{"type":"percentage","amount":"10.00"}}]}}]}`},
			{"204", "The cart stays as it is.", nil, ""},
			{"310", "The store has uninstalled the app. The platform removes all promotions of the app in the store.", nil, ""},
			{"default", "Any other status: all discounts are removed from the cart. A late answer or no answer: the cart stays " +
				"as it is. Other documentation says that discounts are removed then, too.", nil, ""},
		},
		more: map[string]any{"x-sent": "After each change of a cart, once in each tier in which the app has promotions: " +
			"line_item, then cross_items."},
	}}
}

func ruleCalls() []call {
	names := func(detail string, of schema) schema { return members(detail, list(of)) }
	var all []call
	for _, d := range world.RuleDomains() {
		var command, does string
		var detail schema
		switch d {
		case world.CartRules:
			command, detail, does = "block_checkout", anyObject(), "The purchase is blocked."
		case world.PaymentRules:
			command, detail = "filter_payments_options", names("filtered_options", option())
			does = "The named options are hidden. Other documentation says that all others are hidden."
		case world.ShippingRules:
			command, detail = "filter_shipping_options", names("filtered_options", option("code", text()))
			does = "The named options are hidden. Other documentation says that all others are hidden."
		case world.LocationRules:
			command = "location_prioritization"
			detail = names(command, members("id", text(), "priority", integer()))
			does = "The order ships from these locations, in the order of their priorities, and from no other."
		}
		all = append(all, call{
			name: "rules_" + string(d), method: "POST", summary: "A checkout asks about " + string(d) + ", with the event " + d.Event() + ".",
			callers: "The platform, from the addresses that it has published. Calls are not signed.",
			limit:   rules.Timeout, body: "rules.requestJSON", example: ruleExample(d),
			adapt: func(src *source, body schema) error { return ofDomain(src, body, d) },
			answers: []answer{
				{"200", does + " The answer {} has no effect. An answer of which any part is invalid has none either.", rule(command, detail), "{}"},
				{"204", "No effect.", nil, ""},
				{"default", "A status that is not 2xx, a late answer or no answer: no effect, and the checkout continues.", nil, ""},
			},
		})
	}
	return all
}

// ruleExample is a question of a domain, or the file of one.
func ruleExample(d world.RuleDomain) string {
	question := `{"store_id":"817495","cart_id":1612216732,"currency":"ARS","details":{"event":%q,"action":"filter",` +
		`"domain":%q,"timestamp":1735732800000},"products":[{"id":9717394929,"product_id":426215947,` +
		`"variant_id":1479416655,"quantity":1,"stock":null,"price":"1500.00","categories":[]}],"customer":{"id":null},` +
		`"totals":{"subtotal":"1500.00","total_discount":"0.00","total":"1500.00"}%s}`
	delivery := ""
	switch d {
	case world.CartRules:
		return "business_rule"
	case world.LocationRules:
		return "business_rule_location"
	case world.ShippingRules:
		delivery = `,"shipping":{"country":"AR","city":"Rosario","postalcode":"2000","cost":"0.0"},"package":{"weight":"0.300"}`
	case world.PaymentRules: // has neither an address nor a package
	}
	return fmt.Sprintf(question, d.Event(), d, delivery)
}

func carrierCalls() []call {
	limits := world.Contract()
	all := []call{{
		name: "rates", method: "POST", summary: "A checkout asks a carrier what a delivery costs.",
		callers: unsignedCaller, limit: limits.RateTimeout, body: "carrier.requestJSON", example: "rate_request",
		adapt: additionalCost,
		answers: []answer{
			{"200", fmt.Sprintf("The valid rates are shown. The answer is reused for requests with the same key for %s.",
				minutes(limits.RateReuse)), ratesAnswer(), `{"rates":[{"code":"standard","name":"Standard","price":14.15,` +
				`"currency":"ARS","type":"ship","reference":"ref123"}]}`},
			{"422", fmt.Sprintf("There are no rates. The merchant's fallback option is shown. The answer is reused for %s, and does "+
				"not count as a failure.", minutes(limits.RefusalReuse)), nil, ""},
			{"4XX", "There are no rates. The fallback option is shown. The answer is not reused, and does not count as a failure.", nil, ""},
			{"5XX", fmt.Sprintf("A failure, like a late answer or no answer. The fallback option is shown. If at least %d calls "+
				"arrived in %s and %d percent of them failed, the carrier is not called for %s.", limits.CircuitRequests,
				minutes(limits.CircuitWindow), limits.CircuitFailures, minutes(limits.CircuitPause)), nil, ""},
		},
		more: map[string]any{"x-cache-key": "The MD5 in vectors.json."},
	}}
	for _, kind := range []label.Kind{label.Generate, label.Cancel, label.Suspend, label.Reactivate} {
		c := call{
			name: "labels_" + string(kind), method: "POST", callers: unsignedCaller, limit: limits.LabelTimeout,
			summary: "The platform asks a carrier to " + labelActs()[kind] + fmt.Sprintf(", for at most %d labels. The address is "+
				"callback_labels_url with /%s.", limits.LabelRequest, kind),
			body: "label.undoJSON", example: `{"labels":[{"fulfillment_order_id":"01FHZXHK8PTP9FVK99Z66GXASS",` +
				`"label_id":"01JEXAMP1E0000000000000AB1"}]}`,
		}
		partly, example := undone(), `{"labels":[{"label_id":"01JEXAMP1E0000000000000AB1","status":"OK"}]}`
		accepted, listed, refused := "All labels are accepted.", "Labels without a status are refused.", "No label changes."
		switch kind {
		case label.Generate:
			c.body, c.list, c.example, c.adapt = "res.labelRequestJSON", true, "label_request", trackingEvents
			partly, example = generated(), `[{"id":"01JEXAMP1E0000000000000AB1","status":"FAILED","reason":{"type":"INVALID_ADDRESS"}}]`
			listed, refused = "Labels without a status are accepted.", "All labels have failed, with the reason OTHER_ERROR."
			accepted = "All labels are accepted. The carrier reports each of them later, through the API."
			c.more = map[string]any{"x-retries": fmt.Sprintf("A late call is repeated %d times, each time after %s.",
				limits.LabelRepeats, limits.LabelWait)}
		case label.Cancel:
			partly = undone("LABEL_IN_TRANSIT", "LABEL_DELIVERED", "CANCELLATION_WINDOW_EXPIRED", "CARRIER_SYSTEM_ERROR",
				"CARRIER_POLICY_VIOLATION", "INSUFFICIENT_PERMISSIONS", "CARRIER_CANCELLATION_REJECTED")
			accepted = "All labels are cancelled."
		}
		c.answers = []answer{
			{"207", "Each label has its own status. " + listed, partly, example},
			{"2XX", accepted, nil, ""},
			{"default", "Any other status, a late answer or no answer. " + refused, nil, ""},
		}
		all = append(all, c)
	}
	return all
}

func labelActs() map[label.Kind]string {
	return map[label.Kind]string{
		label.Generate: "make labels", label.Cancel: "cancel labels", label.Suspend: "suspend labels",
		label.Reactivate: "reactivate labels",
	}
}

func paymentCalls() []call {
	signed := "The platform, which signs the call with its private key. vectors.json has examples."
	failed := func(accepted string) answer {
		return answer{"default", "Any status except " + accepted + ", a late answer or no answer: the call failed.", nil, ""}
	}
	headers := append(strings.Fields(signedHeaders), "Authorization", "ApiKey")
	body := `{"store_id":817495,"order_id":871254203,"payment_provider_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2",` +
		`"payment_attempt_id":"5b6e3a4e-6f1e-4a46-9b7e-0f6d3c1c2f11","payment_method":{"type":"credit_card","id":"visa"},` +
		`"amount":{"value":"6850.00","currency":"ARS"}}`
	all := []call{
		{name: "payments_process", method: "POST", summary: "A customer pays an order.", body: "payment.processJSON", example: body,
			answers: []answer{{"201", "The app accepts the attempt. The order is paid when the app creates a transaction through the API.",
				anything(), "{}"}, failed("201")}},
		{name: "payments_cancel", method: "POST", query: "payment_attempt_id", summary: "A payment attempt has ended without a payment.",
			answers: []answer{{"200", "The attempt is cancelled.", nil, ""}, failed("200")},
			more: map[string]any{"x-retries": "Repeated after 1 second, then after twice the previous wait, at most an hour, " +
				"until the answer is 200."}},
		{name: "payments_status", method: "GET", query: "order_id", summary: "The platform asks for the transactions of an order.",
			answers: []answer{{"200", "The transactions, for information. The order does not change.", members("transactions", list(anyObject())),
				`{"transactions":[]}`}, failed("200")}},
		{name: "payments_refund", method: "POST", summary: "A payment is to be refunded, at the refund_url of its transaction.",
			body: "payment.refundJSON", example: `{"store_id":817495,"payment_provider_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2",` +
				`"transaction_id":"7d1f1c86-5a0e-4c0a-8c53-9c1c0c9a1e22","amount":{"value":"100.00","currency":"ARS"}}`,
			answers: []answer{
				{"202", "The refund is accepted. The app reports it by an event of the transaction.", nil, ""},
				{"422", "The refund is rejected.", members("error_code", enum("insufficient_account_balance",
					"refund_already_in_process", "refund_rejected", "transaction_date_too_old")), `{"error_code":"refund_rejected"}`},
				failed("202 and 422")}},
	}
	for i := range all {
		all[i].callers, all[i].headers = signed, headers
	}
	all = append(all, call{
		name: "payments_refresh", method: "POST", summary: "The platform renews the credentials of a provider, at its refresh_token_url.",
		callers: "The platform, which proves itself by client_secret and refresh_token. The call is not signed.",
		body:    "payment.refreshJSON", example: `{"grant_type":"refresh_token","client_id":"c","client_secret":"s","refresh_token":"r"}`,
		answers: []answer{{"200", "The credentials are stored.", members("access_token", filled(), "refresh_token", filled(),
			"expires_in", schema{"type": "integer", "minimum": 1, "description": "Seconds."}),
			`{"access_token":"a","refresh_token":"r","expires_in":3600}`}, failed("200")}})
	for _, kind := range []payment.Kind{payment.AcceptReview, payment.CancelReview} {
		act, _, _ := strings.Cut(string(kind), "_")
		all = append(all, call{
			name: "payments_" + string(kind), method: "POST", example: "{}",
			summary: "The merchant decides about a payment that needs review, at the " + act + "_url of its event.",
			callers: "The platform, without signature and credentials, so the address must have a random text.",
			answers: []answer{{"2XX", "The app has taken the decision and reports the result by an event.", nil, ""}, failed("2xx")},
		})
	}
	for i := range all {
		all[i].limit = payment.Timeout
	}
	return all
}

// looseForms adds the forms of members of a cart that the documentation shows in two forms.
func looseForms(_ *source, body schema) error {
	body.member("products").item().set("properties",
		schema{"type": []string{"array", "object"}, "additionalProperties": anything(), "description": "[] is an empty object."}, true)
	body.member("payment").set("installments", schema{"type": []string{"integer", "string"}}, true)
	applied := list(members("id", text(), "line_items", list(schema{"type": []string{"integer", "string"}})))
	applied["type"], applied["description"] = []string{"array", "object"}, "{} is an empty list."
	body.set("promotions", applied, true)
	return nil
}

// additionalCost is an object, or a number in older documentation.
func additionalCost(src *source, body schema) error {
	cost, err := src.of("carrier.costJSON")
	if err != nil {
		return err
	}
	cost["type"] = []string{"number", "object"}
	body.member("carrier").member("options").item().set("additional_cost", cost, true)
	return nil
}

// trackingEvents are those of a fulfillment order of a label.
func trackingEvents(src *source, body schema) error {
	event, err := src.of("res.trackingEventJSON")
	body.member("fulfillment_order_info").member("tracking_events")["items"] = event
	return err
}

// ofDomain leaves the members that questions of a domain have.
func ofDomain(src *source, body schema, d world.RuleDomain) error {
	all := body["properties"].(map[string]schema)
	for _, name := range []string{"shipping", "package", "locations"} {
		if body.require(name, true); d == world.PaymentRules || name == "locations" && d != world.LocationRules {
			body.require(name, false)
			delete(all, name)
		}
	}
	body.set("totals", members("subtotal", text(), "total_discount", text(), "total", text()), true)
	var err error
	if d == world.LocationRules {
		all["shipping"], err = src.of("rules.locatedJSON")
	}
	return err
}

// minutes writes a duration in words.
func minutes(d time.Duration) string {
	if d == time.Minute {
		return "one minute"
	}
	return fmt.Sprintf("%d minutes", d/time.Minute)
}

// operation is a row as the document has it.
func (c call) operation(body any) map[string]any {
	out := map[string]any{
		"operationId": c.name, "summary": c.summary, "x-callers": c.callers, "x-time-limit-ms": c.limit.Milliseconds(),
	}
	for name, v := range c.more {
		out[name] = v
	}
	parameters := []any{}
	for _, name := range c.headers {
		parameters = append(parameters, ref("parameters", name))
	}
	if c.query != "" {
		parameters = append(parameters, map[string]any{"name": c.query, "in": "query", "required": true, "schema": text()})
	}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	if body != nil {
		out["requestBody"] = map[string]any{"required": true, "content": body}
	}
	responses := map[string]any{}
	for _, a := range c.answers {
		r := map[string]any{"description": a.causes}
		if a.body != nil {
			r["content"] = content(a.body, "answer", json.RawMessage(a.example))
		}
		responses[a.status] = r
	}
	out["responses"] = responses
	return map[string]any{strings.ToLower(c.method): out}
}

// ref points to a component.
func ref(kind, name string) map[string]any {
	return map[string]any{"$ref": "#/components/" + kind + "/" + name}
}

// content is a JSON body with an example, which may be empty.
func content(of any, name string, example json.RawMessage) map[string]any {
	media := map[string]any{"schema": of}
	if len(example) > 0 {
		media["examples"] = map[string]any{name: map[string]any{"value": example}}
	}
	return map[string]any{"application/json": media}
}

// parameters are the headers of calls.
func parameters() map[string]any {
	header := func(name, does string, required bool) map[string]any {
		return map[string]any{"name": name, "in": "header", "required": required, "description": does, "schema": text()}
	}
	return map[string]any{
		"WebhookSignature": header(delivery.DefaultHeader, "The hexadecimal HMAC-SHA256 of the body, with the app's client "+
			"secret as the key.", true),
		"CartSignature": header(delivery.DefaultHeader, "Announced: the signature of webhooks over the cart.", false),
		"Timestamp":     header("X-Timestamp", "Seconds since 1970.", true),
		"Signature": header("X-Signature", "The Base64 of RSASSA-PKCS1-v1_5 with SHA-256 over "+
			"URL|timestamp|hexadecimal SHA-256 of the body.", true),
		"Authorization": header("Authorization", "The store's credentials in the app: Bearer for the types token and oauth, "+
			"Basic for basic.", false),
		"ApiKey": header("X-Api-Key", "The store's credentials in the app, of the type api_key.", false),
	}
}
