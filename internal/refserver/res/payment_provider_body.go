package res

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of payment providers. All are assumed: the contract has the rules, not
// the words.
const (
	beDimension    = "must be one of the following values: 400x120, 160x100"
	beCurrency     = "must be a supported currency"
	beType         = "must be a payment method type"
	beFeature      = "must be one of the following values: special_rates, transparent_checkout, supports_international_payments, gateway"
	beIntegration  = "must be one of the following values: redirect, transparent"
	beCountry      = "must be a country code"
	beCredentials  = "must be one of the following values: api_key, token, oauth, basic"
	beCount        = "must be an integer, 1 or more"
	beDays         = "must be an integer, 0 or more"
	beOptionID     = "must be a string of up to 255 characters without control characters"
	onlyCreditCard = "is for credit_card only"
)

// paymentProviderFaults has one of the elements of each list. They are 400: among the
// statuses that the documentation lists for providers there is no 422.
func paymentProviderFaults() []api.ErrCase {
	const card, option, rate = "supported_payment_methods.0.", "checkout_payment_options.0.", "rates.0."
	const parts, part, cost = card + "installments.", card + "installments.specification.0.", rate + "rates_definition.0."
	texts := []string{
		card + "installments: " + onlyCreditCard, parts + "specification: " + body.NotEmpty, option + "id: " + beOptionID,
		option + "id: " + body.AlreadyTaken,
		option + "supported_billing_countries: " + beCountry, option + "integration_type: " + beIntegration, "logo_urls: " + beDimension,
		"features: " + beFeature, "authentication.type: " + beCredentials, part + "installments: " + beCount, cost + "days_to_withdraw_money: " + beDays,
	}
	for fault, fields := range map[string][]string{
		body.NotEmpty: {"name", "description", "logo_urls", "supported_currencies", "supported_payment_methods",
			"checkout_js_url", "checkout_payment_options",
			option + "id", option + "name", card + "payment_methods", option + "supported_billing_countries", option + "supported_payment_method_types", rate + "rates_definition"},
		body.BeHTTPS: {"logo_urls.400x120", "checkout_js_url", "configuration_url", "support_url", "rates_url",
			option + "logo_url"},
		body.BePublic: {"authentication.refresh_token_url"},
		beCurrency: {"supported_currencies", parts + "min_installment_value.0.currency",
			part + "minimum_purchase_value.0.currency", cost + "flat_fee.currency"},
		beType: {card + "payment_method_type", option + "supported_payment_method_types",
			rate + "payment_method_type"},
		body.BeCents: {parts + "min_installment_value.0.value", parts + "min_installment_value.0.amount",
			part + "minimum_purchase_value.0.value", cost + "flat_fee.value"},
		body.BeRate: {part + "interest_rate", cost + "percent_fee"},
	} {
		for _, field := range fields {
			texts = append(texts, field+": "+fault)
		}
	}
	slices.Sort(texts)
	return refusals(http.StatusBadRequest, texts)
}

func platformCurrencies() []string {
	return strings.Fields("ARS AUD BOB BRL CAD CRC CLP CNY COP EUR GBP ILS INR JPY MXN PEN PYG RUB SEK USD VEF UYU ZAR")
}

// providerTypes are the payment method types.
func providerTypes() []string {
	return []string{"bank_debit", "boleto", "cash", "credit_card", "debit_card", "pix", "ticket", "wallet", "wire_transfer"}
}

var countryCode = regexp.MustCompile(`^[A-Z]{2,3}$`)

// readPaymentProvider returns the provider with what the body changes. One that has
// no id yet needs every member that the contract does not call optional.
func readPaymentProvider(tx *world.Tx, in *api.In, p world.PaymentProvider) (world.PaymentProvider, error) {
	b, err := body.Read(in)
	if err != nil {
		return p, err
	}
	b.Ignore("id", "store_id", "app_id")
	b.Require(p.ID == "", "name", "description", "logo_urls", "supported_currencies", "supported_payment_methods",
		"checkout_js_url", "checkout_payment_options")
	b.Text("name", &p.Name)
	b.Text("public_name", &p.PublicName)
	b.Text("description", &p.Description)
	readLogos(b, &p.LogoURLs)
	b.Choices("supported_currencies", beCurrency, platformCurrencies(), &p.Currencies)
	b.List("supported_payment_methods", func() { p.Methods = nil },
		func(b body.Members) { p.Methods = append(p.Methods, readPaymentMethods(b)) })
	b.HTTPS("checkout_js_url", &p.CheckoutJSURL)
	b.List("checkout_payment_options", func() { p.Options = nil },
		func(b body.Members) { p.Options = append(p.Options, readCheckoutOption(tx, in, b, p)) })
	b.HTTPS("configuration_url", &p.ConfigurationURL)
	b.HTTPS("support_url", &p.SupportURL)
	b.HTTPS("rates_url", &p.RatesURL)
	b.List("rates", func() { p.Rates = nil }, func(b body.Members) { p.Rates = append(p.Rates, readPaymentRates(b)) })
	b.Choices("features", beFeature, []string{"special_rates", "transparent_checkout", "supports_international_payments",
		"gateway"}, &p.Features)
	b.Flag("enabled", &p.Enabled)
	b.Object("authentication", func(b body.Members) { readCredentials(in, b, &p.Authentication) })
	return p, b.Done(in).ErrBy(http.StatusBadRequest)
}

func readLogos(b body.Members, to *map[string]string) {
	if !body.Value(b, "logo_urls", body.BeObject, to) {
		return
	}
	for dimension, address := range *to {
		if dimension != "400x120" && dimension != "160x100" {
			b.Refuse("logo_urls", beDimension)
		} else if !body.Secure(address) {
			b.Refuse("logo_urls."+dimension, body.BeHTTPS)
		}
	}
}

// readCredentials reads what the app wrote. Members that are absent keep their value as
// long as the type stays, since an answer does not have the secret ones.
func readCredentials(in *api.In, b body.Members, to *map[string]json.RawMessage) {
	before, was := *to, ""
	*to = b.Left()
	if b.Null() {
		return
	}
	_ = json.Unmarshal(before["type"], &was) // without credentials there is none
	kind, refresh := was, ""
	b.Choice("type", beCredentials, []string{"api_key", "token", "oauth", "basic"}, &kind)
	b.Public(in, "refresh_token_url", &refresh)
	// The others are kept as they are.
	b.Ignore("api_key", "access_token", "client_id", "client_secret", "refresh_token", "expires_at", "username")
	b.Ignore("password")
	if kind == was && before != nil {
		merged := maps.Clone(before)
		maps.Copy(merged, *to)
		*to = merged
	}
}

func readPaymentMethods(b body.Members) world.PaymentMethods {
	var m world.PaymentMethods
	b.Choice("payment_method_type", beType, providerTypes(), &m.Type)
	b.Require(true, "payment_methods")
	b.Texts("payment_methods", &m.IDs)
	switch {
	case !b.Set("installments"):
		b.Ignore("installments")
	case m.Type != "credit_card":
		b.Ignore("installments")
		b.Refuse("installments", onlyCreditCard)
	default:
		m.Installments = &world.Installments{}
		b.Object("installments", func(b body.Members) { readInstallments(b, m.Installments) })
	}
	return m
}

func readPaymentRates(b body.Members) world.PaymentRates {
	var r world.PaymentRates
	b.Choice("payment_method_type", beType, providerTypes(), &r.Type)
	b.Require(true, "rates_definition")
	b.List("rates_definition", func() {}, func(b body.Members) {
		d := world.PaymentRate{PercentFee: b.Amount("percent_fee", body.BeRate),
			Days: b.Integer("days_to_withdraw_money", beDays, 0)}
		if !b.Set("flat_fee") {
			b.Ignore("flat_fee")
		}
		b.Object("flat_fee", func(b body.Members) {
			fee := readAmount(b, "value")
			d.FlatFee = &fee
		})
		b.Bool("plus_tax", &d.PlusTax)
		r.Rates = append(r.Rates, d)
	})
	return r
}

// mostOptionID is how many characters the id of a checkout option may have.
const mostOptionID = 255

// readCheckoutOption reads an option of the provider, which has those before it. No
// other provider of the app may have one with its id, which is a text of the app's choice: one sentence of the
// documentation calls it a UUID, and its examples have others.
func readCheckoutOption(tx *world.Tx, in *api.In, b body.Members, p world.PaymentProvider) world.CheckoutOption {
	var o world.CheckoutOption
	b.Need("id", &o.ID)
	b.Need("name", &o.Name)
	if o.ID != "" && in.Strict && (len(o.ID) != len(uuid.UUID{}.String()) || uuid.Validate(o.ID) != nil) {
		b.Refuse("id", body.BeUUID)
	}
	if utf8.RuneCountInString(o.ID) > mostOptionID || strings.ContainsFunc(o.ID, unicode.IsControl) {
		b.Refuse("id", beOptionID)
	}
	key := world.OptionKey(p.AppID, o.ID)
	other, taken := tx.PaymentProviders.Find("option", key)
	twice := slices.ContainsFunc(p.Options, func(o world.CheckoutOption) bool { return world.OptionKey(p.AppID, o.ID) == key })
	if o.ID != "" && (taken && other.ID != p.ID || twice) {
		b.Refuse("id", body.AlreadyTaken)
	}
	b.Text("description", &o.Description)
	b.HTTPS("logo_url", &o.LogoURL)
	b.Require(true, "supported_billing_countries", "supported_payment_method_types")
	b.Texts("supported_billing_countries", &o.Countries)
	if slices.ContainsFunc(o.Countries, func(c string) bool { return !countryCode.MatchString(c) }) {
		b.Refuse("supported_billing_countries", beCountry)
	}
	b.Choices("supported_payment_method_types", beType, providerTypes(), &o.Types)
	b.Choice("integration_type", beIntegration, []string{"redirect", "transparent"}, &o.Integration)
	return o
}
