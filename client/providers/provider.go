package providers

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Provider is the offer of a payment app in a store.
type Provider struct {
	ID      uuid.UUID   `json:"id"`       // read-only
	StoreID client.ID   `json:"store_id"` // read-only
	AppID   client.Code `json:"app_id"`   // read-only
	// Name is displayed to merchants. PublicName is displayed to customers; if empty, Name is.
	Name        string `json:"name"`
	PublicName  string `json:"public_name"`
	Description string `json:"description"` // for merchants
	// LogoURLs are HTTPS URLs by size.
	LogoURLs map[LogoSize]string `json:"logo_urls"`
	// Currencies are ISO 4217 codes.
	Currencies []string      `json:"supported_currencies"`
	Methods    []MethodOffer `json:"supported_payment_methods"` // the supported payment methods
	// CheckoutJSURL is the URL of the checkout script, which knows the options by their ids.
	CheckoutJSURL string           `json:"checkout_js_url"`
	Options       []CheckoutOption `json:"checkout_payment_options"` // the options at the checkout
	// The URLs are empty if unset.
	ConfigurationURL string    `json:"configuration_url"`
	SupportURL       string    `json:"support_url"` // help for merchants
	RatesURL         string    `json:"rates_url"`   // page about the costs
	Rates            []Rates   `json:"rates"`       // costs for merchants
	Features         []Feature `json:"features"`    // additional features
	// Enabled is nil if unset. A provider is enabled by default.
	Enabled *bool `json:"enabled"`
	// Authentication is nil if unset or not returned.
	Authentication *Authentication `json:"authentication"`
	Extra          client.Extra    `json:",embed"`
}

// Input returns an input for Update that leaves the provider unchanged, as a start for changes. The platform may not
// return secrets, so check Authentication.
func (p *Provider) Input() ProviderInput {
	return ProviderInput{
		Name: p.Name, PublicName: p.PublicName, Description: p.Description, LogoURLs: p.LogoURLs,
		Currencies: p.Currencies, Methods: p.Methods, CheckoutJSURL: p.CheckoutJSURL, Options: p.Options,
		ConfigurationURL: p.ConfigurationURL, SupportURL: p.SupportURL, RatesURL: p.RatesURL,
		Rates: p.Rates, Features: p.Features, Enabled: client.FromPtr(p.Enabled),
		Authentication: p.Authentication,
	}
}

// MethodOffer is a payment method that the provider supports.
type MethodOffer struct {
	Type MethodType `json:"payment_method_type"` // the kind of method
	// Methods are ids of methods within the type, such as visa.
	Methods []string `json:"payment_methods"`
	// Installments is for MethodTypeCreditCard only; otherwise nil.
	Installments *InstallmentRules `json:"installments,omitzero"`
	Extra        client.Extra      `json:",embed"`
}

// Feature is a feature of a provider.
type Feature string

// The values of Feature: FeatureSpecialRates, FeatureTransparentCheckout, FeatureInternationalPayments and
// FeatureGateway. The contract names them without describing their effect.
const (
	FeatureSpecialRates          Feature = "special_rates"
	FeatureTransparentCheckout   Feature = "transparent_checkout"
	FeatureInternationalPayments Feature = "supports_international_payments"
	FeatureGateway               Feature = "gateway"
)

// Known reports whether the contract names the value.
func (f Feature) Known() bool {
	return wire.Known(f,
		FeatureSpecialRates, FeatureTransparentCheckout, FeatureInternationalPayments, FeatureGateway,
	)
}

// CheckoutOption is a payment option that a customer can choose at the checkout.
type CheckoutOption struct {
	// ID is the id of the option in the checkout script. It must be unique among all providers of the app. It should
	// be a UUID, but the platform also displays others.
	ID          string `json:"id"`
	Name        string `json:"name"`                 // displayed to customers
	Description string `json:"description,omitzero"` // for customers
	// LogoURL is an HTTPS URL; empty if unset.
	LogoURL string `json:"logo_url,omitzero"`
	// BillingCountries are ISO 3166-1 codes of two letters.
	BillingCountries []string        `json:"supported_billing_countries"`
	MethodTypes      []MethodType    `json:"supported_payment_method_types"` // the payment method types
	Integration      IntegrationType `json:"integration_type"`               // redirect or transparent
	Extra            client.Extra    `json:",embed"`
}

// IntegrationType is the place where a customer pays.
type IntegrationType string

// The values of IntegrationType.
const (
	IntegrationTypeRedirect    IntegrationType = "redirect"    // at the provider's site
	IntegrationTypeTransparent IntegrationType = "transparent" // in the checkout
)

// Known reports whether the contract names the value.
func (t IntegrationType) Known() bool {
	return wire.Known(t, IntegrationTypeRedirect, IntegrationTypeTransparent)
}

// Rates are the provider's costs for merchants for a payment method.
type Rates struct {
	Type       MethodType       `json:"payment_method_type"` // the kind of method
	Definition []RateDefinition `json:"rates_definition"`    // by the waiting time of the merchant
	Extra      client.Extra     `json:",embed"`
}

// RateDefinition is the cost for a waiting time.
type RateDefinition struct {
	// PercentFee is a decimal, as text: "3.49" percent.
	PercentFee client.Measure `json:"percent_fee"`
	// Days is the number of days until the merchant can withdraw the money, 0 or more.
	Days client.Int `json:"days_to_withdraw_money"`
	// FlatFee is an additional fee; nil if there is none.
	FlatFee *Amount `json:"flat_fee,omitzero"`
	// PlusTax means that VAT is added.
	PlusTax bool         `json:"plus_tax,omitzero"`
	Extra   client.Extra `json:",embed"`
}
