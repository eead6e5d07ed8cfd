package rules

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Service says where the platform asks about the purchases of a store. The platform enables an app for business rules,
// and answers others client.ErrForbidden. DomainPayments requires the scopes read_payment_options and read_payments,
// DomainShipping read_shipping, DomainLocation read_locations, and DomainCart none. All versions have it.
type Service engine.Service

// Set sets or replaces the address that the platform asks at about a domain, where a Handler is. The event is that of
// the domain. The address must be https. It cannot be read or removed; the platform drops it when the app is
// uninstalled.
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
