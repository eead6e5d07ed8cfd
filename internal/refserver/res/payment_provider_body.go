package res

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of payment providers. All are assumed: the contract has the rules, not
// the words.
const (
	beHTTPS        = "must be an HTTPS URL"
	beTexts        = "must be an array of strings"
	beDimension    = "must be one of the following values: 400x120, 160x100"
	beCurrency     = "must be a supported currency"
	beType         = "must be a payment method type"
	beFeature      = "must be one of the following values: special_rates, transparent_checkout, supports_international_payments, gateway"
	beIntegration  = "must be one of the following values: redirect, transparent"
	beCountry      = "must be a country code"
	beCredentials  = "must be one of the following values: api_key, token, oauth, basic"
	beAmount       = "must be an amount with two decimals, 0 or more"
	beRate         = "must be a decimal number, 0 or more"
	beCount        = "must be an integer, 1 or more"
	beDays         = "must be an integer, 0 or more"
	onlyCreditCard = "is for credit_card only"
)

// paymentProviderFaults has one of the elements of each list. They are 400: among the
// statuses that the documentation lists for providers there is no 422.
func paymentProviderFaults() []api.ErrCase {
	const card, option, rate = "supported_payment_methods.0.", "checkout_payment_options.0.", "rates.0."
	const parts, part, cost = card + "installments.", card + "installments.specification.0.", rate + "rates_definition.0."
	texts := []string{
		card + "installments: " + onlyCreditCard, parts + "specification: " + notEmpty, option + "id: " + beUUID, option + "id: " + alreadyTaken,
		option + "supported_billing_countries: " + beCountry, option + "integration_type: " + beIntegration, "logo_urls: " + beDimension,
		"features: " + beFeature, "authentication.type: " + beCredentials, part + "installments: " + beCount, cost + "days_to_withdraw_money: " + beDays,
	}
	for fault, fields := range map[string][]string{
		notEmpty: {"name", "description", "logo_urls", "supported_currencies", "supported_payment_methods", "checkout_js_url", "checkout_payment_options",
			option + "id", option + "name", card + "payment_methods", option + "supported_billing_countries", option + "supported_payment_method_types", rate + "rates_definition"},
		beHTTPS:    {"logo_urls.400x120", "checkout_js_url", "configuration_url", "support_url", "rates_url", option + "logo_url"},
		beAddress:  {"authentication.refresh_token_url"},
		beCurrency: {"supported_currencies", parts + "min_installment_value.0.currency", part + "minimum_purchase_value.0.currency", cost + "flat_fee.currency"},
		beType:     {card + "payment_method_type", option + "supported_payment_method_types", rate + "payment_method_type"},
		beAmount:   {parts + "min_installment_value.0.value", parts + "min_installment_value.0.amount", part + "minimum_purchase_value.0.value", cost + "flat_fee.value"},
		beRate:     {part + "interest_rate", cost + "percent_fee"},
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
	b, err := readForm(in.Raw)
	if err != nil {
		return p, err
	}
	b.ignore("id", "store_id", "app_id")
	b.require(p.ID == "", "name", "description", "logo_urls", "supported_currencies", "supported_payment_methods", "checkout_js_url", "checkout_payment_options")
	b.text("name", &p.Name)
	b.text("public_name", &p.PublicName)
	b.text("description", &p.Description)
	b.logos(&p.LogoURLs)
	b.choices("supported_currencies", beCurrency, platformCurrencies(), &p.Currencies)
	b.list("supported_payment_methods", func() { p.Methods = nil }, func(b form) { p.Methods = append(p.Methods, readPaymentMethods(b)) })
	b.address("checkout_js_url", &p.CheckoutJSURL)
	b.list("checkout_payment_options", func() { p.Options = nil }, func(b form) { p.Options = append(p.Options, readCheckoutOption(tx, b, p)) })
	b.address("configuration_url", &p.ConfigurationURL)
	b.address("support_url", &p.SupportURL)
	b.address("rates_url", &p.RatesURL)
	b.list("rates", func() { p.Rates = nil }, func(b form) { p.Rates = append(p.Rates, readPaymentRates(b)) })
	b.choices("features", beFeature, []string{"special_rates", "transparent_checkout", "supports_international_payments", "gateway"}, &p.Features)
	if raw := b.members["enabled"]; isNull(raw) {
		b.ignore("enabled")
	}
	b.bool("enabled", &p.Enabled)
	b.credentials(in, &p.Authentication)
	return p, b.refusedBy(in, http.StatusBadRequest)
}

func (f form) logos(to *map[string]string) {
	if value(f, "logo_urls", beObject, to) {
		for dimension, address := range *to {
			if dimension != "400x120" && dimension != "160x100" {
				f.wrong.add("logo_urls", beDimension)
			} else if !secure(address) {
				f.wrong.add("logo_urls."+dimension, beHTTPS)
			}
		}
	}
}

// credentials reads what the app wrote. Members that are absent keep their value as
// long as the type stays, since an answer does not have the secret ones.
func (f form) credentials(in *api.In, to *map[string]json.RawMessage) {
	var sent map[string]json.RawMessage
	if !value(f, "authentication", beObject, &sent) {
		return
	}
	before, was := *to, ""
	*to = sent
	if sent == nil {
		return
	}
	_ = json.Unmarshal(before["type"], &was) // without credentials there is none
	kind, refresh := was, ""
	b := form{path: "authentication", members: maps.Clone(sent), wrong: f.wrong, unread: f.unread}
	b.choice("type", beCredentials, []string{"api_key", "token", "oauth", "basic"}, &kind)
	b.public(in, "refresh_token_url", &refresh)
	// The others are kept as they are.
	b.ignore("api_key", "access_token", "client_id", "client_secret", "refresh_token", "expires_at", "username")
	b.ignore("password")
	b.leave()
	if kind == was && before != nil {
		*to = maps.Clone(before)
		maps.Copy(*to, sent)
	}
}

func readPaymentMethods(b form) world.PaymentMethods {
	var m world.PaymentMethods
	b.choice("payment_method_type", beType, providerTypes(), &m.Type)
	b.require(true, "payment_methods")
	b.texts("payment_methods", &m.IDs)
	switch raw, ok := b.members["installments"]; {
	case !ok || isNull(raw):
		b.ignore("installments")
	case m.Type != "credit_card":
		b.ignore("installments")
		b.wrong.add(b.at("installments"), onlyCreditCard)
	default:
		m.Installments = &world.Installments{}
		b.object("installments", func(b form) { readInstallments(b, m.Installments) })
	}
	return m
}

func readPaymentRates(b form) world.PaymentRates {
	var r world.PaymentRates
	b.choice("payment_method_type", beType, providerTypes(), &r.Type)
	b.require(true, "rates_definition")
	b.list("rates_definition", func() {}, func(b form) {
		d := world.PaymentRate{PercentFee: b.rate("percent_fee"), Days: b.integer("days_to_withdraw_money", 0, beDays)}
		if raw, ok := b.members["flat_fee"]; !ok || isNull(raw) {
			b.ignore("flat_fee")
		}
		b.object("flat_fee", func(b form) {
			fee := readAmount(b, "value")
			d.FlatFee = &fee
		})
		b.bool("plus_tax", &d.PlusTax)
		r.Rates = append(r.Rates, d)
	})
	return r
}

// readCheckoutOption reads an option of the provider, which has those before it. No
// other provider of the app may have one with its id.
func readCheckoutOption(tx *world.Tx, b form, p world.PaymentProvider) world.CheckoutOption {
	var o world.CheckoutOption
	b.need("id", &o.ID)
	b.need("name", &o.Name)
	if o.ID != "" && (len(o.ID) != len(uuid.UUID{}.String()) || uuid.Validate(o.ID) != nil) {
		b.wrong.add(b.at("id"), beUUID)
	}
	key := world.OptionKey(p.AppID, o.ID)
	other, taken := tx.PaymentProviders.Find("option", key)
	twice := slices.ContainsFunc(p.Options, func(o world.CheckoutOption) bool { return world.OptionKey(p.AppID, o.ID) == key })
	if o.ID != "" && (taken && other.ID != p.ID || twice) {
		b.wrong.add(b.at("id"), alreadyTaken)
	}
	b.text("description", &o.Description)
	b.address("logo_url", &o.LogoURL)
	b.require(true, "supported_billing_countries", "supported_payment_method_types")
	b.texts("supported_billing_countries", &o.Countries)
	if slices.ContainsFunc(o.Countries, func(c string) bool { return !countryCode.MatchString(c) }) {
		b.wrong.add(b.at("supported_billing_countries"), beCountry)
	}
	b.choices("supported_payment_method_types", beType, providerTypes(), &o.Types)
	b.choice("integration_type", beIntegration, []string{"redirect", "transparent"}, &o.Integration)
	return o
}
