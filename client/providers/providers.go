package providers

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// ProviderService manages the app's payment providers in a store. Reads require the scope read_payments, and writes
// write_payments. All versions have it. Only payment apps may use it; others receive client.ErrForbidden.
type ProviderService engine.Service

// Create adds a provider to the store and returns its id. A provider has no key to recognize a repeated request.
// Therefore Create is not retried after a failure that may have happened after the platform applied it. After
// client.ErrOutcomeUnknown, look in List for a provider with the ids of the Options before you repeat the call.
//
//api:endpoint POST /payment_providers
func (s *ProviderService) Create(ctx context.Context, in ProviderInput) (uuid.UUID, error) {
	if err := in.Check(); err != nil {
		return uuid.Nil, err
	}
	created, err := engine.Result[created](ctx, s, engine.Request{Method: http.MethodPost, Path: "/payment_providers", Body: in.body(), Secrets: true})
	if err != nil {
		return uuid.Nil, withoutCredentials(err, in.Authentication)
	}
	return created.ID, nil
}

// created is the response to Create.
type created struct {
	ID    uuid.UUID    `json:"id"`
	Extra client.Extra `json:",embed"`
}

// List returns a query for the app's providers in the store.
//
//api:endpoint GET /payment_providers
func (s *ProviderService) List() client.List[Provider] {
	return client.List[Provider](engine.List(s, engine.ListSpec{Path: "/payment_providers", Whole: true, Secrets: true}))
}

// Get returns a provider of the app.
//
//api:endpoint GET /payment_providers/{id}
func (s *ProviderService) Get(ctx context.Context, id uuid.UUID) (*Provider, error) {
	return engine.Result[Provider](ctx, s, engine.Request{Path: "/payment_providers/{id}", Args: []any{id}, Secrets: true})
}

// Update overwrites a provider. The contract does not specify whether the platform keeps members that are absent in
// in, so start from Provider.Input. The response has no body.
//
//api:endpoint PUT /payment_providers/{id}
func (s *ProviderService) Update(ctx context.Context, id uuid.UUID, in ProviderInput) error {
	if err := in.Check(); err != nil {
		return err
	}
	err := engine.Do(ctx, s, engine.Request{Method: http.MethodPut, Path: "/payment_providers/{id}", Args: []any{id}, Body: in.body(), Secrets: true}, nil)
	return withoutCredentials(err, in.Authentication)
}

// Delete deletes a provider.
//
//api:endpoint DELETE /payment_providers/{id}
func (s *ProviderService) Delete(ctx context.Context, id uuid.UUID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodDelete, Path: "/payment_providers/{id}", Args: []any{id}}, nil)
}

// Options returns a query for the payment providers of the store with their checkout options. This includes providers
// of other apps, and disabled ones. It requires only the scope read_payments.
//
//api:endpoint GET /payment_providers/options
func (s *ProviderService) Options() client.List[StoreProvider] {
	return client.List[StoreProvider](engine.List(s, engine.ListSpec{Path: "/payment_providers/options", Whole: true}))
}

// OptionService reads the payment options that customers can choose in the store. It requires the scope
// read_payment_options. All versions have it.
type OptionService engine.Service

// List returns a query for the payment providers with the checkout options that the merchant has enabled.
//
//api:endpoint GET /payment-options
func (s *OptionService) List() client.List[StoreProvider] {
	return client.List[StoreProvider](engine.List(s, engine.ListSpec{Path: "/payment-options", Whole: true}))
}
