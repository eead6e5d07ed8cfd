package payments

import (
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
	for _, check := range []func() error{
		func() error { return checkLogoURLs(in.LogoURLs) },
		in.checkCurrencies,
		in.checkMethods,
		func() error { return checkHTTPS("checkout_js_url", in.CheckoutJSURL) },
		in.checkOptions,
		func() error { return checkOptionalHTTPS("configuration_url", in.ConfigurationURL) },
		func() error { return checkOptionalHTTPS("support_url", in.SupportURL) },
		func() error { return checkOptionalHTTPS("rates_url", in.RatesURL) },
		in.checkRates,
		in.checkFeatures,
		in.Authentication.check,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
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

func (in ProviderInput) checkCurrencies() error {
	const field = "supported_currencies"
	if len(in.Currencies) == 0 {
		return engine.Invalid(field, "", "at least one currency")
	}
	for i, code := range in.Currencies {
		if err := checkCurrency(fmt.Sprintf("%s[%d]", field, i), code); err != nil {
			return err
		}
	}
	return nil
}

func (in ProviderInput) checkMethods() error {
	const field = "supported_payment_methods"
	if len(in.Methods) == 0 {
		return engine.Invalid(field, "", "at least one payment method")
	}
	for i, m := range in.Methods {
		at := fmt.Sprintf("%s[%d]", field, i)
		if err := checkMethodType(at+".payment_method_type", m.Type); err != nil {
			return err
		}
		if err := checkTexts(at+".payment_methods", m.Methods); err != nil {
			return err
		}
		if m.Installments == nil {
			continue
		}
		if m.Type != MethodTypeCreditCard {
			return engine.Invalid(at+".installments", m.Type, "absent, because only credit_card has installments")
		}
		if err := m.Installments.check(at + ".installments"); err != nil {
			return err
		}
	}
	return nil
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
			return engine.Invalid(at+".name", o.Name, "a text for consumers")
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
	if err := checkOptionalHTTPS(at+".logo_url", o.LogoURL); err != nil {
		return err
	}
	for i, country := range o.BillingCountries {
		if !isCode(country, 2) {
			return engine.Invalid(fmt.Sprintf("%s.supported_billing_countries[%d]", at, i), country, "an ISO 3166-1 code of two letters")
		}
	}
	for i, m := range o.MethodTypes {
		if err := checkMethodType(fmt.Sprintf("%s.supported_payment_method_types[%d]", at, i), m); err != nil {
			return err
		}
	}
	return nil
}

func (in ProviderInput) checkRates() error {
	for i, r := range in.Rates {
		at := fmt.Sprintf("rates[%d]", i)
		if err := checkMethodType(at+".payment_method_type", r.Type); err != nil {
			return err
		}
		if len(r.Definition) == 0 {
			return engine.Invalid(at+".rates_definition", "", "at least one item")
		}
		for j, d := range r.Definition {
			if err := d.check(fmt.Sprintf("%s.rates_definition[%d]", at, j)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d RateDefinition) check(at string) error {
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

func (in ProviderInput) checkFeatures() error {
	for i, f := range in.Features {
		if !f.Known() {
			return engine.Invalid(fmt.Sprintf("features[%d]", i), f, "special_rates, transparent_checkout, supports_international_payments or gateway")
		}
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
