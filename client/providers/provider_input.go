package providers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// ProviderInput is the body of ProviderService.Create and Update. All URLs are HTTPS. The members are described in
// Provider.
type ProviderInput struct {
	// Name, Description, LogoURLs, Currencies, Methods and CheckoutJSURL are required.
	Name        string `json:"name"`
	PublicName  string `json:"public_name,omitzero"` // displayed to customers; Name if empty
	Description string `json:"description"`
	// LogoURLs has a URL for each LogoSize. CheckLogo checks the files.
	LogoURLs map[LogoSize]string `json:"logo_urls"`
	// Currencies must be among the result of the function Currencies.
	Currencies    []string         `json:"supported_currencies"`
	Methods       []MethodOffer    `json:"supported_payment_methods"`
	CheckoutJSURL string           `json:"checkout_js_url"`
	Options       []CheckoutOption `json:"checkout_payment_options"` // the options at the checkout

	ConfigurationURL string    `json:"configuration_url,omitzero"` // configuration page for merchants
	SupportURL       string    `json:"support_url,omitzero"`       // help for merchants
	RatesURL         string    `json:"rates_url,omitzero"`         // page about the costs
	Rates            []Rates   `json:"rates,omitzero"`             // costs for merchants
	Features         []Feature `json:"features,omitzero"`          // additional features
	// Enabled is true by default.
	Enabled client.Opt[bool] `json:"enabled,omitzero"`
	// Authentication is omitted if nil.
	Authentication *Authentication `json:"authentication,omitzero"`
}

// Check applies the contract's rules, as Create and Update do. The error names the first field that violates a rule.
func (in ProviderInput) Check() error {
	switch {
	case in.Name == "":
		return engine.Invalid("name", in.Name, "a text for merchants")
	case in.Description == "":
		return engine.Invalid("description", in.Description, "a text")
	}
	return cmp.Or(
		checkLogoURLs(in.LogoURLs),
		checkSome("supported_currencies", "currency", in.Currencies, checkCurrency),
		checkSome("supported_payment_methods", "payment method", in.Methods, checkMethod),
		checkHTTPS("checkout_js_url", in.CheckoutJSURL),
		in.checkOptions(),
		checkOptionalHTTPS("configuration_url", in.ConfigurationURL),
		checkOptionalHTTPS("support_url", in.SupportURL),
		checkOptionalHTTPS("rates_url", in.RatesURL),
		checkEach("rates", in.Rates, checkRates),
		checkEach("features", in.Features, checkFeature),
		in.Authentication.check(),
	)
}

// CheckBeside applies a rule that Check cannot: no other provider of the app may have an option with the same id.
// Self is the provider of the input, or uuid.Nil for a new one.
func (in ProviderInput) CheckBeside(others []Provider, self uuid.UUID) error {
	for i, option := range in.Options {
		for _, other := range others {
			taken := slices.ContainsFunc(other.Options, func(o CheckoutOption) bool { return o.ID == option.ID })
			if taken && other.ID != self {
				return engine.Invalid(fmt.Sprintf("checkout_payment_options[%d].id", i), option.ID, "unique, but provider "+other.ID.String()+" has it too")
			}
		}
	}
	return nil
}

func checkMethod(at string, m MethodOffer) error {
	if err := cmp.Or(checkMethodType(at+".payment_method_type", m.Type), checkEach(at+".payment_methods", m.Methods, checkText)); err != nil {
		return err
	}
	switch {
	case m.Installments == nil:
		return nil
	case m.Type != MethodTypeCreditCard:
		return engine.Invalid(at+".installments", m.Type, "absent, because only credit_card has installments")
	}
	return m.Installments.check(at + ".installments")
}

func (in ProviderInput) checkOptions() error {
	seen := map[string]bool{}
	for i, o := range in.Options {
		at := fmt.Sprintf("checkout_payment_options[%d]", i)
		switch {
		case o.ID == "":
			return engine.Invalid(at+".id", o.ID, "the id of the option in the script of the checkout")
		case seen[o.ID]:
			return engine.Invalid(at+".id", o.ID, "an id that no other option of the app has")
		case o.Name == "":
			return engine.Invalid(at+".name", o.Name, "a text for customers")
		case len(o.BillingCountries) == 0:
			return engine.Invalid(at+".supported_billing_countries", "", "at least one country")
		case len(o.MethodTypes) == 0:
			return engine.Invalid(at+".supported_payment_method_types", "", "at least one payment method type")
		case !o.Integration.Known():
			return engine.Invalid(at+".integration_type", o.Integration, "redirect or transparent")
		}
		seen[o.ID] = true
		if err := o.check(at); err != nil {
			return err
		}
	}
	return nil
}

func (o CheckoutOption) check(at string) error {
	return cmp.Or(
		checkOptionalHTTPS(at+".logo_url", o.LogoURL),
		checkEach(at+".supported_billing_countries", o.BillingCountries, checkCountry),
		checkEach(at+".supported_payment_method_types", o.MethodTypes, checkMethodType),
	)
}

func checkRates(at string, r Rates) error {
	return cmp.Or(
		checkMethodType(at+".payment_method_type", r.Type),
		checkSome(at+".rates_definition", "item", r.Definition, checkRate),
	)
}

func checkRate(at string, d RateDefinition) error {
	switch {
	case !isDecimal(d.PercentFee):
		return engine.Invalid(at+".percent_fee", cut(d.PercentFee), `a decimal such as "3.49", 0 or more`)
	case d.Days < 0:
		return engine.Invalid(at+".days_to_withdraw_money", d.Days, "0 or more")
	case d.FlatFee != nil:
		return d.FlatFee.check(at + ".flat_fee")
	}
	return nil
}

func checkFeature(at string, f Feature) error {
	if !f.Known() {
		return engine.Invalid(at, f, "special_rates, transparent_checkout, supports_international_payments or gateway")
	}
	return nil
}

// body returns the request body: Authentication with its secrets.
func (in ProviderInput) body() providerBody {
	b := providerBody{ProviderInput: in, Credentials: in.Authentication.credentials()}
	b.ProviderInput.Authentication = nil
	return b
}

// providerBody is the wire form of ProviderInput.
type providerBody struct {
	ProviderInput
	Credentials credentials `json:"authentication,omitzero"`
}
