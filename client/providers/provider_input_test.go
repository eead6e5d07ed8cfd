package providers

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// goodProvider returns an input that keeps every rule and may be changed freely.
func goodProvider() ProviderInput {
	flat := Amount{client.Cents(40), "BRL"}
	return ProviderInput{
		Name: "Acme", Description: "Cards and pix",
		LogoURLs:   map[LogoSize]string{LogoWide: "https://app.example/w.png", LogoSmall: "https://app.example/s.png"},
		Currencies: []string{"BRL", "USD"},
		Methods: []MethodOffer{
			{Type: MethodTypeCreditCard, Methods: []string{"visa"}, Installments: &InstallmentRules{
				Specification:       []InstallmentOption{{Installments: 6, InterestRate: "0.065", AppliesTo: []string{"visa"}, MinimumPurchaseValue: []Minimum{{client.Cents(100), "BRL"}}}},
				MinInstallmentValue: []Minimum{{client.Cents(500), "BRL"}},
			}},
			{Type: MethodTypePix},
		},
		CheckoutJSURL: "https://app.example/checkout.js",
		Options: []CheckoutOption{
			{ID: "card", Name: "Card", BillingCountries: []string{"BR"}, MethodTypes: []MethodType{MethodTypeCreditCard}, Integration: IntegrationTypeTransparent},
			{ID: "pix", Name: "Pix", LogoURL: "https://app.example/pix.png", BillingCountries: []string{"BR", "AR"}, MethodTypes: []MethodType{MethodTypePix, MethodTypeWallet}, Integration: IntegrationTypeRedirect},
		},
		Rates:    []Rates{{Type: MethodTypeCreditCard, Definition: []RateDefinition{{PercentFee: "3.49", Days: 14, FlatFee: &flat}, {PercentFee: "0"}}}},
		Features: []Feature{FeatureGateway, FeatureSpecialRates},
	}
}

// One value that breaks each rule, and values at its border that do not. The field that the
// error names is empty for those.
func TestProviderInputIsChecked(t *testing.T) {
	type in = *ProviderInput
	card := func(p in) *InstallmentRules { return p.Methods[0].Installments }
	for _, test := range []struct {
		field  string
		change func(in)
	}{
		{"", func(in) {}},
		{"name", func(p in) { p.Name = "" }},
		{"description", func(p in) { p.Description = "" }},

		{"logo_urls.400x120", func(p in) { delete(p.LogoURLs, LogoWide) }},
		{"logo_urls.160x100", func(p in) { p.LogoURLs[LogoSmall] = "http://app.example/s.png" }},
		{"logo_urls", func(p in) { p.LogoURLs["90x90"] = "https://app.example/90.png" }},
		{"checkout_js_url", func(p in) { p.CheckoutJSURL = "" }},
		{"checkout_js_url", func(p in) { p.CheckoutJSURL = "//app.example/checkout.js" }},
		{"configuration_url", func(p in) { p.ConfigurationURL = "http://app.example" }},
		{"support_url", func(p in) { p.SupportURL = "mailto:help@app.example" }},
		{"rates_url", func(p in) { p.RatesURL = "https://" }},
		{"rates_url", func(p in) { p.RatesURL = "https://me:secret@app.example" }},
		{"rates_url", func(p in) { p.RatesURL = "https://app.example/\x00" }},
		{"", func(p in) { p.RatesURL = "https://app.example:8443/rates?of=pix#now" }},

		{"supported_currencies", func(p in) { p.Currencies = nil }},
		{"supported_currencies[1]", func(p in) { p.Currencies[1] = "ZZZ" }},
		{"supported_currencies[0]", func(p in) { p.Currencies[0] = "brl" }},
		{"", func(p in) { p.Currencies = Currencies() }},

		{"supported_payment_methods", func(p in) { p.Methods = nil }},
		{"supported_payment_methods[1].payment_method_type", func(p in) { p.Methods[1].Type = "shells" }},
		{"supported_payment_methods[0].payment_methods[1]", func(p in) { p.Methods[0].Methods = []string{"visa", ""} }},
		{"supported_payment_methods[0].installments", func(p in) { p.Methods[0].Type = MethodTypeDebitCard }},
		{"", func(p in) { p.Methods[0].Installments = nil }},
		{"supported_payment_methods[0].installments.specification", func(p in) { card(p).Specification = nil }},
		{"supported_payment_methods[0].installments.specification[0].installments", func(p in) { card(p).Specification[0].Installments = 0 }},
		{"supported_payment_methods[0].installments.specification[0].interest_rate", func(p in) { card(p).Specification[0].InterestRate = "" }},
		{"supported_payment_methods[0].installments.specification[0].interest_rate", func(p in) { card(p).Specification[0].InterestRate = "6.5%" }},
		{"supported_payment_methods[0].installments.specification[0].interest_rate", func(p in) { card(p).Specification[0].InterestRate = "-0.1" }},
		{"", func(p in) { card(p).Specification[0].InterestRate = "0.00123456789" }},
		{"supported_payment_methods[0].installments.specification[0].applies_to[0]", func(p in) { card(p).Specification[0].AppliesTo[0] = "" }},
		{"supported_payment_methods[0].installments.specification[0].minimum_purchase_value[0].currency", func(p in) { card(p).Specification[0].MinimumPurchaseValue[0].Currency = "DM" }},
		{"supported_payment_methods[0].installments.specification[0].minimum_purchase_value[0].value", func(p in) { card(p).Specification[0].MinimumPurchaseValue[0].Value = client.Cents(-1) }},
		{"supported_payment_methods[0].installments.min_installment_value[0].value", func(p in) { card(p).MinInstallmentValue[0].Value = client.Cents(-1) }},
		{"supported_payment_methods[0].installments.min_installment_value[0].value", func(p in) { card(p).MinInstallmentValue[0].Value = client.MustMoney("0.001") }},
		{"supported_payment_methods[0].installments.min_installment_value[1].currency", func(p in) {
			card(p).MinInstallmentValue = append(card(p).MinInstallmentValue, Minimum{client.Cents(1), "BRL"})
		}},
		{"", func(p in) {
			card(p).MinInstallmentValue = append(card(p).MinInstallmentValue, Minimum{client.Cents(0), "MXN"})
		}},

		{"", func(p in) { p.Options = nil }},
		{"checkout_payment_options[0].id", func(p in) { p.Options[0].ID = "" }},
		{"checkout_payment_options[1].id", func(p in) { p.Options[1].ID = "card" }},
		{"checkout_payment_options[0].name", func(p in) { p.Options[0].Name = "" }},
		{"checkout_payment_options[1].logo_url", func(p in) { p.Options[1].LogoURL = "http://app.example/pix.png" }},
		{"checkout_payment_options[0].supported_billing_countries", func(p in) { p.Options[0].BillingCountries = nil }},
		{"checkout_payment_options[1].supported_billing_countries[1]", func(p in) { p.Options[1].BillingCountries[1] = "ar" }},
		{"checkout_payment_options[0].supported_payment_method_types", func(p in) { p.Options[0].MethodTypes = nil }},
		{"checkout_payment_options[1].supported_payment_method_types[1]", func(p in) { p.Options[1].MethodTypes[1] = "shells" }},
		{"checkout_payment_options[0].integration_type", func(p in) { p.Options[0].Integration = "" }},

		{"", func(p in) { p.Rates = nil }},
		{"rates[0].payment_method_type", func(p in) { p.Rates[0].Type = "shells" }},
		{"rates[0].rates_definition", func(p in) { p.Rates[0].Definition = nil }},
		{"rates[0].rates_definition[1].percent_fee", func(p in) { p.Rates[0].Definition[1].PercentFee = "1e1" }},
		{"rates[0].rates_definition[0].days_to_withdraw_money", func(p in) { p.Rates[0].Definition[0].Days = -1 }},
		{"rates[0].rates_definition[0].flat_fee.value", func(p in) { p.Rates[0].Definition[0].FlatFee.Value = client.Cents(-1) }},
		{"rates[0].rates_definition[0].flat_fee.value", func(p in) { p.Rates[0].Definition[0].FlatFee.Value = client.MustMoney("1.005") }},
		{"", func(p in) { p.Rates[0].Definition[0].FlatFee.Value = client.MustMoney("1.5") }},
		{"rates[0].rates_definition[0].flat_fee.currency", func(p in) { p.Rates[0].Definition[0].FlatFee.Currency = "" }},

		{"features[1]", func(p in) { p.Features[1] = "teleport" }},
		{"authentication.type", func(p in) { p.Authentication = &Authentication{APIKey: "k"} }},
	} {
		p := goodProvider()
		test.change(&p)
		refused(t, test.field, p.Check())
	}
}

// refused checks that an error names a field, or that there is none if field is empty.
func refused(t *testing.T, field string, err error) {
	t.Helper()
	if field == "" && err != nil || field != "" && (!errors.Is(err, client.ErrValidation) || !strings.HasPrefix(err.Error(), field+": ")) {
		t.Errorf("got %v, want an error about %q", err, field)
	}
}

func TestProviderOptionsAreUniqueInTheApp(t *testing.T) {
	self, other := uuid.MustParse("11111111-1111-4111-8111-111111111111"), uuid.MustParse("22222222-2222-4222-8222-222222222222")
	of := func(id uuid.UUID, options ...string) Provider {
		p := Provider{ID: id}
		for _, o := range options {
			p.Options = append(p.Options, CheckoutOption{ID: o})
		}
		return p
	}
	in := goodProvider()
	refused(t, "", in.CheckBeside(nil, uuid.Nil))
	refused(t, "", in.CheckBeside([]Provider{of(other, "boleto")}, uuid.Nil))
	refused(t, "", in.CheckBeside([]Provider{of(self, "card", "pix"), of(other)}, self))
	refused(t, "checkout_payment_options[1].id", in.CheckBeside([]Provider{of(self, "card"), of(other, "pix")}, self))
}

func TestProviderEnumsKnowTheContract(t *testing.T) {
	for word := range strings.FieldsSeq("special_rates transparent_checkout supports_international_payments gateway") {
		if !Feature(word).Known() {
			t.Errorf("feature %s is not known", word)
		}
	}
	codes := Currencies()
	if want := strings.Fields("ARS AUD BOB BRL CAD CRC CLP CNY COP EUR GBP ILS INR JPY MXN PEN PYG RUB SEK USD VEF UYU ZAR"); !slices.Equal(codes, want) {
		t.Errorf("currencies %v, want %v", codes, want)
	}
	codes[0] = "ZZZ" // a copy
	if Currencies()[0] != "ARS" {
		t.Error("a caller can change the currencies")
	}
	if got := slices.Sorted(maps.Keys(goodProvider().LogoURLs)); !slices.Equal(got, []LogoSize{"160x100", "400x120"}) {
		t.Errorf("sizes of logos %v", got)
	}
}
