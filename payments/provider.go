package payments

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Provider is what a payment app offers in a store.
type Provider struct {
	ID      uuid.UUID   `json:"id"`       // read-only
	StoreID client.ID   `json:"store_id"` // read-only
	AppID   client.Code `json:"app_id"`   // read-only
	// Name is shown to merchants, PublicName to consumers: Name if it is empty.
	Name        string `json:"name"`
	PublicName  string `json:"public_name"`
	Description string `json:"description"` // for merchants
	// LogoURLs are HTTPS addresses by size.
	LogoURLs map[LogoSize]string `json:"logo_urls"`
	// Currencies are ISO 4217 codes.
	Currencies []string      `json:"supported_currencies"`
	Methods    []MethodOffer `json:"supported_payment_methods"` // what customers can pay with
	// CheckoutJSURL is the script of the checkout, which knows the options by their ids.
	CheckoutJSURL string           `json:"checkout_js_url"`
	Options       []CheckoutOption `json:"checkout_payment_options"` // what customers choose from at the checkout
	// The addresses are empty if there are none.
	ConfigurationURL string    `json:"configuration_url"`
	SupportURL       string    `json:"support_url"` // where merchants get help
	RatesURL         string    `json:"rates_url"`   // where merchants read what it costs
	Rates            []Rates   `json:"rates"`       // what it costs merchants
	Features         []Feature `json:"features"`    // what else it can do
	// Enabled is nil if it is not told; a provider is enabled by default.
	Enabled *bool `json:"enabled"`
	// Authentication is nil if there is none, or it is not told.
	Authentication *Authentication `json:"authentication"`
	Extra          client.Extra    `json:",embed"`
}

// Input returns what Update sends to leave the provider as it is, to be changed before.
// The platform may keep secrets to itself: look at Authentication.
func (p *Provider) Input() ProviderInput {
	return ProviderInput{
		Name: p.Name, PublicName: p.PublicName, Description: p.Description, LogoURLs: p.LogoURLs,
		Currencies: p.Currencies, Methods: p.Methods, CheckoutJSURL: p.CheckoutJSURL, Options: p.Options,
		ConfigurationURL: p.ConfigurationURL, SupportURL: p.SupportURL, RatesURL: p.RatesURL,
		Rates: p.Rates, Features: p.Features, Enabled: client.FromPtr(p.Enabled),
		Authentication: p.Authentication,
	}
}

// MethodOffer is a payment method that the provider takes.
type MethodOffer struct {
	Type MethodType `json:"payment_method_type"` // the kind of method
	// Methods are ids of methods within the type, such as visa.
	Methods []string `json:"payment_methods"`
	// Installments are of MethodTypeCreditCard only; nil if there are none.
	Installments *InstallmentRules `json:"installments,omitzero"`
	Extra        client.Extra      `json:",embed"`
}

// Feature is something that a provider can do.
type Feature string

// The values of Feature: FeatureSpecialRates, FeatureTransparentCheckout, FeatureInternationalPayments and
// FeatureGateway. The contract names them and does not say what follows from them.
const (
	FeatureSpecialRates          Feature = "special_rates"
	FeatureTransparentCheckout   Feature = "transparent_checkout"
	FeatureInternationalPayments Feature = "supports_international_payments"
	FeatureGateway               Feature = "gateway"
)

// Known reports whether the contract names the value.
func (f Feature) Known() bool {
	return enum.Known(f,
		FeatureSpecialRates, FeatureTransparentCheckout, FeatureInternationalPayments, FeatureGateway,
	)
}

// CheckoutOption is a way to pay that a consumer can choose at the checkout.
type CheckoutOption struct {
	// ID is that of the option in the script of the checkout, and unique among all
	// providers of the app. It should be a UUID; the platform shows others too.
	ID          string `json:"id"`
	Name        string `json:"name"`                 // as customers see it
	Description string `json:"description,omitzero"` // for customers
	// LogoURL is an HTTPS address; empty if there is none.
	LogoURL string `json:"logo_url,omitzero"`
	// BillingCountries are ISO 3166-1 codes of two letters.
	BillingCountries []string        `json:"supported_billing_countries"`
	MethodTypes      []MethodType    `json:"supported_payment_method_types"` // what can be paid with
	Integration      IntegrationType `json:"integration_type"`               // redirect or transparent
	Extra            client.Extra    `json:",embed"`
}

// IntegrationType says where a consumer pays.
type IntegrationType string

// The values of IntegrationType.
const (
	IntegrationTypeRedirect    IntegrationType = "redirect"    // at the provider's
	IntegrationTypeTransparent IntegrationType = "transparent" // in the checkout
)

// Known reports whether the contract names the value.
func (t IntegrationType) Known() bool {
	return enum.Known(t, IntegrationTypeRedirect, IntegrationTypeTransparent)
}

// Rates are what the provider asks of merchants for a payment method.
type Rates struct {
	Type       MethodType       `json:"payment_method_type"` // the kind of method
	Definition []RateDefinition `json:"rates_definition"`    // by how long the merchant waits
	Extra      client.Extra     `json:",embed"`
}

// RateDefinition is what is asked if the merchant waits for the money.
type RateDefinition struct {
	// PercentFee is a decimal, as text: "3.49" percent.
	PercentFee client.Measure `json:"percent_fee"`
	// Days is how long the merchant waits, 0 or more.
	Days client.Int `json:"days_to_withdraw_money"`
	// FlatFee is asked besides; nil if there is none.
	FlatFee *Amount `json:"flat_fee,omitzero"`
	// PlusTax: VAT is added on top.
	PlusTax bool         `json:"plus_tax,omitzero"`
	Extra   client.Extra `json:",embed"`
}
