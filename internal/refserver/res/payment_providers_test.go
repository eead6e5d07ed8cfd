package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const optionID = "7d3f1c20-5a4e-4b6d-9c81-000000000001"

func checkoutOption(more object) object {
	return with(object{"id": optionID, "name": "Card", "supported_billing_countries": array{"AR"},
		"supported_payment_method_types": array{"credit_card"}, "integration_type": "transparent"}, more)
}

// providerBody has no more than what the contract does not call optional.
func providerBody(more object) object {
	return with(object{
		"name": "Pay", "description": "Cards", "logo_urls": object{"400x120": "https://cdn.pay.example/a.png", "160x100": "https://cdn.pay.example/b.png"},
		"supported_currencies":      array{"ARS", "USD"},
		"supported_payment_methods": array{object{"payment_method_type": "wallet", "payment_methods": array{"wallet"}}},
		"checkout_js_url":           "https://cdn.pay.example/checkout.js", "checkout_payment_options": array{checkoutOption(nil)},
	}, more)
}

func byCard(installments any) object {
	return object{"supported_payment_methods": array{object{"payment_method_type": "credit_card", "payment_methods": array{"visa"}, "installments": installments}}}
}

func inParts(option, least object) object {
	return byCard(object{
		"specification":         array{with(object{"installments": 6, "interest_rate": "0.120"}, option)},
		"min_installment_value": array{with(object{"currency": "ARS", "value": "100.00"}, least)},
	})
}

func atRate(more object) object {
	return object{"rates": array{object{"payment_method_type": "pix", "rates_definition": array{with(object{"percent_fee": "3.5", "days_to_withdraw_money": 0}, more)}}}}
}

// provide creates a provider and returns its path.
func (f *shop) provide(token string, body object) string {
	f.Helper()
	made := f.as(token, "POST /payment_providers", body)
	if len(made) != 1 {
		f.Errorf("the answer to a create: got %v, want the id only", made)
	}
	return fmt.Sprint("/payment_providers/", made["id"])
}

// change updates a provider.
func (f *shop) change(token, path string, body object) {
	f.Helper()
	if w := f.send(token, "PUT "+path, body); w.Code != http.StatusNoContent || w.Body.Len() != 0 {
		f.Fatalf("PUT %s %v: %d %s", path, body, w.Code, w.Body)
	}
}

func TestPaymentProviders(t *testing.T) {
	f := open(t)
	token, stranger := f.payer(), f.payer()
	in, _ := f.World().ByToken(token)
	f.events()
	path := f.provide(token, providerBody(object{"id": "mine", "store_id": 1, "app_id": "1"}))
	f.want(f.as(token, "GET "+path, nil), object{
		"id": strings.TrimPrefix(path, "/payment_providers/"), "store_id": f.store.ID, "app_id": fmt.Sprint(in.App),
		"name": "Pay", "public_name": "Pay", "description": "Cards", "logo_urls.160x100": "https://cdn.pay.example/b.png", "supported_currencies": array{"ARS", "USD"},
		"supported_payment_methods": array{object{"payment_method_type": "wallet", "payment_methods": array{"wallet"}}},
		"checkout_js_url":           "https://cdn.pay.example/checkout.js", "checkout_payment_options.0": with(checkoutOption(nil), object{"description": nil, "logo_url": nil}),
		"configuration_url": nil, "support_url": nil, "rates_url": nil, "rates": array{}, "features": array{}, "enabled": true, "authentication": nil,
	})

	f.change(token, path, object{"name": "Paid", "enabled": false, "features": array{"gateway", "special_rates"}, "support_url": "https://pay.example/help"})
	f.want(f.as(token, "GET "+path, nil), object{"name": "Paid", "public_name": "Paid", "enabled": false, "description": "Cards", "features": array{"gateway", "special_rates"},
		"support_url": "https://pay.example/help", "checkout_payment_options.0.id": optionID})
	f.change(token, path, object{"public_name": "Public", "enabled": nil, "features": nil, "support_url": nil, "checkout_payment_options": array{checkoutOption(object{"name": "Again"})}})
	f.want(f.as(token, "GET "+path, nil), object{"public_name": "Public", "enabled": false, "features": array{}, "support_url": nil, "checkout_payment_options.0.name": "Again"})

	f.change(token, path, with(inParts(object{"applies_to": array{"visa"}, "minimum_purchase_value": array{object{"value": 50, "currency": "USD"}}}, nil),
		atRate(object{"flat_fee": object{"value": "0.30", "currency": "BRL"}, "plus_tax": true})))
	f.want(f.as(token, "GET "+path, nil), object{
		"supported_payment_methods.0.installments": object{
			"specification": array{object{"installments": 6, "interest_rate": "0.120", "applies_to": array{"visa"},
				"minimum_purchase_value": array{object{"value": "50.00", "currency": "USD"}}}},
			"min_installment_value": array{object{"currency": "ARS", "value": "100.00"}},
		},
		"rates": array{object{"payment_method_type": "pix", "rates_definition": array{
			object{"percent_fee": "3.5", "days_to_withdraw_money": 0, "flat_fee": object{"value": "0.30", "currency": "BRL"}, "plus_tax": true}}}},
	})
	f.change(token, path, byCard(object{"specification": array{}, "min_installment_value": array{object{"currency": "ARS", "amount": "9.90"}}}))
	f.want(f.as(token, "GET "+path, nil), object{"supported_payment_methods.0.installments": object{"specification": array{},
		"min_installment_value": array{object{"currency": "ARS", "amount": "9.90"}}}})

	again := f.as(token, "GET "+path, nil)
	f.change(token, path, again)
	f.want(f.as(token, "GET "+path, nil), again)

	f.provide(stranger, providerBody(nil)) // the checkout option of another app
	if w := f.send(stranger, "GET "+path, nil); w.Code != http.StatusNotFound {
		t.Errorf("the provider of another app: %d", w.Code)
	}
	second := f.provide(token, providerBody(object{"name": "Second", "checkout_payment_options": array{}}))
	if got := f.providers(token); len(got) != 2 || got[0] != "Paid" || got[1] != "Second" {
		t.Errorf("the providers of the app: got %v", got)
	}
	if w := f.send(token, "DELETE "+path, nil); w.Code != http.StatusNoContent || w.Body.Len() != 0 {
		t.Errorf("a delete: %d %s", w.Code, w.Body)
	}
	if w := f.send(token, "GET "+path, nil); w.Code != http.StatusNotFound {
		t.Errorf("what was deleted: %d", w.Code)
	}
	f.change(token, second, object{"checkout_payment_options": array{checkoutOption(nil)}})
	f.wantEvents()
}

// providers are the names of those the app has.
func (f *shop) providers(token string) []string {
	f.Helper()
	var list []struct {
		Name string `json:"name"`
	}
	w := f.send(token, "GET /payment_providers", nil)
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != http.StatusOK {
		f.Fatal(w.Code, w.Body)
	}
	var out []string
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}

func TestPaymentProviderSecrets(t *testing.T) {
	f := open(t)
	token := f.payer()
	secrets := object{"api_key": "S1", "access_token": "S2", "client_secret": "S3", "refresh_token": "S4", "password": "S5", "other": "S6"}
	open := object{"type": "oauth", "client_id": "C", "username": "U", "expires_at": "2026-01-01", "refresh_token_url": "https://pay.example/token"}
	path := f.provide(token, providerBody(object{"authentication": with(open, secrets)}))
	f.want(f.as(token, "GET "+path, nil), object{"authentication": open})
	stored := func(member string) (got string) {
		f.alter(func(tx *world.Tx) error {
			for _, p := range tx.PaymentProviders.All() {
				got = string(p.Authentication[member])
			}
			return nil
		})
		return got
	}
	f.change(token, path, f.as(token, "GET "+path, nil))
	f.change(token, path, object{"authentication": object{"client_id": "D"}})
	f.want(f.as(token, "GET "+path, nil), object{"authentication": with(open, object{"client_id": "D"})})
	if got := stored("client_secret"); got != `"S3"` {
		t.Errorf("the secret after its answer was sent back: %s", got)
	}
	f.change(token, path, object{"authentication": object{"type": "token", "access_token": "S7"}})
	f.want(f.as(token, "GET "+path, nil), object{"authentication": object{"type": "token"}})
	if got := stored("client_secret"); got != "" {
		t.Errorf("the secret of another type: %s", got)
	}
	f.change(token, path, object{"authentication": nil})
	f.want(f.as(token, "GET "+path, nil), object{"authentication": nil})
}

// TestPaymentProviderAccess plays each operation without the scope and for an app
// that the platform has not enabled.
func TestPaymentProviderAccess(t *testing.T) {
	f := open(t)
	token := f.payer()
	path := f.provide(token, providerBody(nil))
	in, _ := f.World().ByToken(token)
	calls := []string{"GET /payment_providers", "GET " + path, "POST /payment_providers", "PUT " + path, "DELETE " + path}
	for _, call := range calls {
		if w := f.send(f.token, call, providerBody(nil)); w.Code != http.StatusForbidden {
			t.Errorf("%s of an app that is not enabled: %d", call, w.Code)
		}
	}
	for _, version := range []string{"v1 ", "2025-03 ", "unstable "} {
		f.as(token, version+"GET "+path, nil)
	}
	less, err := f.Install(in.App, f.store.ID, world.Scopes{"read_payments"})
	if err != nil {
		t.Fatal(err)
	}
	for i, call := range calls {
		want := http.StatusForbidden
		if i < 2 {
			want = http.StatusOK
		}
		if w := f.send(less.Token, call, providerBody(nil)); w.Code != want {
			t.Errorf("%s with read_payments: %d, want %d", call, w.Code, want)
		}
	}
}

// TestPaymentProviderChoices plays every value of the contract's lists.
func TestPaymentProviderChoices(t *testing.T) {
	f := open(t)
	token := f.payer()
	path := f.provide(token, providerBody(nil))
	for _, c := range strings.Split("ARS, AUD, BOB, BRL, CAD, CRC, CLP, CNY, COP, EUR, GBP, ILS, INR, JPY, MXN, PEN, PYG, RUB, SEK, USD, VEF, UYU, ZAR", ", ") {
		f.change(token, path, object{"supported_currencies": array{c}})
	}
	for _, m := range strings.Split("bank_debit, boleto, cash, credit_card, debit_card, pix, ticket, wallet, wire_transfer", ", ") {
		f.change(token, path, object{
			"supported_payment_methods": array{object{"payment_method_type": m, "payment_methods": array{"x"}, "installments": nil}},
			"checkout_payment_options":  array{checkoutOption(object{"supported_payment_method_types": array{m}})},
			"rates":                     array{object{"payment_method_type": m, "rates_definition": array{}}},
		})
	}
	for _, v := range strings.Split("special_rates, transparent_checkout, supports_international_payments, gateway", ", ") {
		f.change(token, path, object{"features": array{v}})
	}
	for _, v := range []string{"redirect", "transparent"} {
		f.change(token, path, object{"checkout_payment_options": array{checkoutOption(object{"integration_type": v})}})
	}
	for _, v := range []string{"api_key", "token", "oauth", "basic"} {
		f.change(token, path, object{"authentication": object{"type": v}})
	}
}

func paymentProviderRefusals(f *shop) []refusal {
	token, stranger := f.payer(), f.payer()
	path := f.provide(token, providerBody(nil))
	f.provide(token, providerBody(object{"checkout_payment_options": array{checkoutOption(object{"id": strings.Replace(optionID, "7d", "8d", 1)})}}))
	var out []refusal
	for id, call := range map[string]string{"get": "GET ", "update": "PUT ", "delete": "DELETE "} {
		for _, who := range []string{token, stranger} {
			at := path
			if who == token {
				at = "/payment_providers/" + provider
			}
			out = append(out, refusal{op: "payment_providers." + id, status: 404, text: "null", call: call + at, body: object{}, token: who})
		}
	}
	for text, faults := range paymentProviderFaults() {
		for _, fault := range faults {
			out = append(out,
				refusal{op: "payment_providers.create", status: 400, text: text, call: "POST /payment_providers", body: with(providerBody(nil), fault), token: token},
				refusal{op: "payment_providers.update", status: 400, text: text, call: "PUT " + path, body: fault, token: token})
		}
	}
	for member := range providerBody(nil) {
		missing := providerBody(nil)
		delete(missing, member)
		out = append(out, refusal{op: "payment_providers.create", status: 400, text: member + ": should not be empty", call: "POST /payment_providers", body: missing, token: token})
	}
	return out
}

// paymentProviderFaults are bodies by what is wrong with them.
func paymentProviderFaults() map[string][]object {
	const card, option, rate = "supported_payment_methods.0.", "checkout_payment_options.0.", "rates.0."
	const parts, part, cost = card + "installments.", card + "installments.specification.0.", rate + "rates_definition.0."
	one := func(more object) object { return object{"checkout_payment_options": array{checkoutOption(more)}} }
	by := func(more object) object {
		return object{"supported_payment_methods": array{with(object{"payment_method_type": "pix", "payment_methods": array{}}, more)}}
	}
	out := map[string][]object{
		option + "id: has already been taken":                   {one(object{"id": strings.Replace(optionID, "7d", "8D", 1)})},
		"checkout_payment_options.1.id: has already been taken": {{"checkout_payment_options": array{checkoutOption(nil), checkoutOption(nil)}}},
		option + "id: must be a string of up to 255 characters without control characters": {
			one(object{"id": strings.Repeat("é", 256)}), one(object{"id": "card\n"}),
		},
		option + "id: should not be empty":                                                                                             {one(object{"id": nil}), one(object{"id": ""})},
		option + "name: should not be empty":                                                                                           {one(object{"name": ""})},
		card + "installments: is for credit_card only":                                                                                 {by(object{"installments": object{"specification": array{}}})},
		card + "payment_methods: should not be empty":                                                                                  {by(object{"payment_methods": nil})},
		parts + "specification: should not be empty":                                                                                   {byCard(object{})},
		rate + "rates_definition: should not be empty":                                                                                 {{"rates": array{object{"payment_method_type": "pix"}}}},
		"authentication.refresh_token_url: must be an HTTPS URL of a public host":                                                      byOAuth(insideAddresses()),
		option + "supported_billing_countries: must be a country code":                                                                 {one(object{"supported_billing_countries": array{"AR", "Peru"}})},
		option + "supported_billing_countries: should not be empty":                                                                    {one(object{"supported_billing_countries": nil})},
		option + "supported_payment_method_types: should not be empty":                                                                 {one(object{"supported_payment_method_types": nil})},
		option + "supported_payment_method_types: must be a payment method type":                                                       {one(object{"supported_payment_method_types": array{"pix", "shells"}})},
		card + "payment_method_type: must be a payment method type":                                                                    {by(object{"payment_method_type": "other"}), by(object{"payment_method_type": nil})},
		rate + "payment_method_type: must be a payment method type":                                                                    {{"rates": array{object{"rates_definition": array{}}}}},
		option + "integration_type: must be one of the following values: redirect, transparent":                                        {one(object{"integration_type": "magic"}), one(object{"integration_type": nil})},
		"logo_urls: must be one of the following values: 400x120, 160x100":                                                             {{"logo_urls": object{"1x1": "https://cdn.pay.example/c.png"}}},
		"logo_urls.400x120: must be an HTTPS URL":                                                                                      {{"logo_urls": object{"400x120": "http://cdn.pay.example/c.png"}}, {"logo_urls": object{"400x120": ""}}},
		"features: must be one of the following values: special_rates, transparent_checkout, supports_international_payments, gateway": {{"features": array{"gateway", "time_travel"}}},
		"authentication.type: must be one of the following values: api_key, token, oauth, basic":                                       {{"authentication": object{}}, {"authentication": object{"type": "magic"}}},
		part + "installments: must be an integer, 1 or more":                                                                           {inParts(object{"installments": 0}, nil), inParts(object{"installments": 1.5}, nil), inParts(object{"installments": nil}, nil)},
		cost + "days_to_withdraw_money: must be an integer, 0 or more":                                                                 {atRate(object{"days_to_withdraw_money": -1}), atRate(object{"days_to_withdraw_money": "soon"})},
		part + "interest_rate: must be a decimal number, 0 or more":                                                                    {inParts(object{"interest_rate": "-0.1"}, nil), inParts(object{"interest_rate": "6%"}, nil), inParts(object{"interest_rate": nil}, nil)},
		cost + "percent_fee: must be a decimal number, 0 or more":                                                                      {atRate(object{"percent_fee": ""})},
		"supported_currencies: must be a supported currency":                                                                           {{"supported_currencies": array{"USD", "ZZZ"}}},
		parts + "min_installment_value.0.currency: must be a supported currency":                                                       {inParts(nil, object{"currency": "ZZZ"})},
		parts + "min_installment_value.0.value: must be an amount with two decimals, 0 or more":                                        {inParts(nil, object{"value": "1.001"}), inParts(nil, object{"value": nil})},
		parts + "min_installment_value.0.amount: must be an amount with two decimals, 0 or more":                                       {byCard(object{"specification": array{}, "min_installment_value": array{object{"amount": "x", "currency": "ARS"}}})},
		part + "minimum_purchase_value.0.currency: must be a supported currency":                                                       {inParts(object{"minimum_purchase_value": array{object{"value": "1.00"}}}, nil)},
		part + "minimum_purchase_value.0.value: must be an amount with two decimals, 0 or more":                                        {inParts(object{"minimum_purchase_value": array{object{"currency": "ARS"}}}, nil)},
		cost + "flat_fee.currency: must be a supported currency":                                                                       {atRate(object{"flat_fee": object{"value": "1.00", "currency": "usd"}})},
		cost + "flat_fee.value: must be an amount with two decimals, 0 or more":                                                        {atRate(object{"flat_fee": object{"value": "-1.00", "currency": "USD"}})},
	}
	for member := range providerBody(nil) {
		out[member+": should not be empty"] = []object{{member: nil}, {member: ""}}
	}
	for _, member := range []string{"checkout_js_url", "configuration_url", "support_url", "rates_url"} {
		out[member+": must be an HTTPS URL"] = []object{{member: "http://pay.example/x"}, {member: "pay.example/x"}, {member: "https:///x"}}
	}
	out[option+"logo_url: must be an HTTPS URL"] = []object{one(object{"logo_url": "http://cdn.pay.example/x.png"})}
	return out
}

// insideAddresses may not be registered where the platform would call them.
func insideAddresses() []string {
	return []string{
		"http://pay.example/t", "https://localhost/", "https://a@127.0.0.1/", "https://a@pay.example/", "https://pay.example:22/", "https://127.0.0.1/", "https://[::1]/",
	}
}

// byOAuth has a body for each address that credentials are to be refreshed at.
func byOAuth(addresses []string) (out []object) {
	for _, address := range addresses {
		out = append(out, object{"authentication": object{"type": "oauth", "refresh_token_url": address}})
	}
	return out
}
