package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// RuleDomain is the subject of a rule.
type RuleDomain string

// The domains of the contract, each with its event and the scopes that BusinessRuleService.Set requires.
const (
	RuleDomainPayments RuleDomain = "payments" // payments/before-filter: read_payment_options and read_payments
	RuleDomainShipping RuleDomain = "shipping" // shipping/before-filter: read_shipping
	RuleDomainLocation RuleDomain = "location" // location/prioritization: read_locations
	RuleDomainCart     RuleDomain = "cart"     // cart/before-finish: no scope
)

// Known reports whether the contract names the domain.
func (d RuleDomain) Known() bool {
	return wire.Known(d, RuleDomainPayments, RuleDomainShipping, RuleDomainLocation, RuleDomainCart)
}

// Event returns the event of the domain, such as payments/before-filter; empty if the domain is unknown.
func (d RuleDomain) Event() string {
	switch d {
	case RuleDomainPayments, RuleDomainShipping:
		return string(d) + "/before-filter"
	case RuleDomainLocation:
		return "location/prioritization"
	case RuleDomainCart:
		return "cart/before-finish"
	}
	return ""
}

// BusinessRuleService registers the URLs of business rules in a store. The platform must enable the app for them;
// otherwise it answers ErrForbidden. RuleDomainPayments requires the scopes read_payment_options and
// read_payments, RuleDomainShipping read_shipping, RuleDomainLocation read_locations, and RuleDomainCart none. All
// versions have it.
type BusinessRuleService engine.Service

// Set sets or replaces the URL of a rules.Handler for a domain and its event. The URL must be an HTTPS URL. The
// platform offers no way to read or remove it. It removes the URL when the app is uninstalled.
//
//api:endpoint PUT /business_rules/integrations/{domain}
func (s *BusinessRuleService) Set(ctx context.Context, domain RuleDomain, callbackURL string) error {
	if !domain.Known() {
		return engine.Invalid("domain", domain, "payments, shipping, location or cart")
	}
	if !address.IsHTTPS(callbackURL) {
		return engine.Invalid("url", address.Host(callbackURL), "an absolute https URL without user or password")
	}
	return engine.Do(ctx, s, engine.Request{
		Method: http.MethodPut, Path: "/business_rules/integrations/{domain}", Args: []any{domain},
		Body: map[string]string{"url": callbackURL, "event": domain.Event()},
	}, nil)
}
