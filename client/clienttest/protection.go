package clienttest

import (
	"cmp"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ProtectionURLs are the addresses in the settings of an app that receive privacy requests, at an origin of
// Server.Partner or Server.Forward. An empty one means the address of the demo app. See webhook.Handler.Mount.
type ProtectionURLs struct {
	StoreRedact         string // store/redact, which Server.Uninstall sends
	CustomersRedact     string // customers/redact, which Server.RedactCustomer sends
	CustomerDataRequest string // customers/data_request, which Server.RequestCustomerData sends
}

func (p ProtectionURLs) apply(s *world.Settings) {
	s.StoreRedactURL = cmp.Or(p.StoreRedact, s.StoreRedactURL)
	s.CustomersRedactURL = cmp.Or(p.CustomersRedact, s.CustomersRedactURL)
	s.CustomersDataRequestURL = cmp.Or(p.CustomerDataRequest, s.CustomersDataRequestURL)
}

// RedactCustomer makes the platform ask the app to delete the data of a customer. It sends customers/redact, with the
// ids of the customer's orders. It fails if the store has no such customer.
func (s *Server) RedactCustomer(customer client.ID) error {
	return s.protect(refserver.CustomersRedact, customer)
}

// RequestCustomerData makes the platform ask the app for the data of a customer. It sends customers/data_request, with
// the ids of the customer's orders, checkouts and draft orders. It fails if the store has no such customer.
func (s *Server) RequestCustomerData(customer client.ID) error {
	return s.protect(refserver.CustomersDataRequest, customer)
}

func (s *Server) protect(event string, customer client.ID) error {
	fields, found, err := reference(s).ProtectionFields(s.store, int64(customer), event)
	if err == nil && !found {
		err = fmt.Errorf("store %d has no customer %d", s.store, customer)
	}
	if err == nil {
		err = s.platform.Emit(s.app.ID, s.store, event, fields)
	}
	if err != nil {
		return fmt.Errorf("clienttest: %s: %w", event, err)
	}
	return nil
}
