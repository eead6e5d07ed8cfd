package rules

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Service registers the URLs of business rules in a store. The platform must enable the app for business rules;
// otherwise it answers client.ErrForbidden. DomainPayments requires the scopes read_payment_options and
// read_payments, DomainShipping read_shipping, DomainLocation read_locations, and DomainCart none. All versions have
// it.
type Service engine.Service

// Set sets or replaces the URL of a Handler for a domain and its event. The address must be an HTTPS URL. The
// platform offers no way to read or remove it. It removes the URL when the app is uninstalled.
//
//api:endpoint PUT /business_rules/integrations/{domain}
func (s *Service) Set(ctx context.Context, domain Domain, address string) error {
	if !domain.Known() {
		return engine.Invalid("domain", domain, "payments, shipping, location or cart")
	}
	if !callback.IsHTTPS(address) {
		return engine.Invalid("url", callback.Host(address), "an absolute https URL without user or password")
	}
	return engine.Do(ctx, s, engine.Request{
		Method: http.MethodPut, Path: "/business_rules/integrations/{domain}", Args: []any{domain},
		Body: map[string]string{"url": address, "event": domain.Event()},
	}, nil)
}
