package carriers

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// CarrierService manages the app's carriers in a store, and their options. It requires the scopes read_shipping and
// write_shipping. The platform must enable the app to create carriers. All versions have it.
type CarrierService engine.Service

// Create adds a carrier and returns it. The platform allows several carriers with the same name. After
// client.ErrOutcomeUnknown, look for the carrier in List before you repeat the call. Ensure and client.Once do that.
//
//api:endpoint POST /shipping_carriers
func (s *CarrierService) Create(ctx context.Context, in CarrierInput) (*Carrier, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Result[Carrier](ctx, s, engine.Request{Method: http.MethodPost, Path: "/shipping_carriers", Body: in})
}

// Ensure creates a carrier with options, or updates the app's carrier with the same name. It updates the URLs, the
// types and Active if the input has them and they differ. It creates missing options and does not change existing
// ones, because they belong to the merchant. If the response to the creation is lost, Ensure looks for the carrier,
// as client.CreateOrGet does. So an installation may be repeated. Two concurrent processes can create two carriers.
func (s *CarrierService) Ensure(ctx context.Context, in CarrierInput, options ...OptionInput) (*Carrier, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	named := func(ctx context.Context) (*Carrier, error) {
		for c, err := range s.List().All(ctx) {
			if err != nil {
				return nil, err
			}
			if c.Name == in.Name {
				return c, nil
			}
		}
		return nil, nil
	}
	create := func(ctx context.Context) (*Carrier, error) { return s.Create(ctx, in) }
	c, _, err := client.CreateOrGet(ctx, named, create)
	if err == nil && c.differs(in) {
		c, err = s.Update(ctx, c.ID, in)
	}
	if err != nil {
		return nil, err
	}
	for _, option := range options {
		if _, _, err := s.CreateOrGetOption(ctx, c.ID, option); err != nil {
			return c, fmt.Errorf("option %s: %w", wire.Quote(option.Code), err)
		}
	}
	return c, nil
}

// differs reports whether an update with the input would change the carrier.
func (c *Carrier) differs(in CarrierInput) bool {
	labels, said := in.CallbackLabelsURL.Get()
	active, switched := in.Active.Get()
	missing := func(t Type) bool { return !c.Types.Has(t) }
	return c.CallbackURL != in.CallbackURL || len(c.Types) != len(in.Types) || slices.ContainsFunc(in.Types, missing) ||
		switched && active != c.Active || (said || in.CallbackLabelsURL.IsNull()) && labels != c.CallbackLabelsURL
}

// List returns a query for the app's carriers in the store.
//
//api:endpoint GET /shipping_carriers
func (s *CarrierService) List() client.List[Carrier] {
	return client.List[Carrier](engine.List(s, engine.ListSpec{Path: "/shipping_carriers", Whole: true}))
}

// Get returns a carrier.
//
//api:endpoint GET /shipping_carriers/{id}
func (s *CarrierService) Get(ctx context.Context, id client.ID) (*Carrier, error) {
	return engine.Result[Carrier](ctx, s, engine.Request{Path: "/shipping_carriers/{id}", Args: []any{id}})
}

// Update changes the members that are present in in.
//
//api:endpoint PUT /shipping_carriers/{id}
func (s *CarrierService) Update(ctx context.Context, id client.ID, in CarrierInput) (*Carrier, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Result[Carrier](ctx, s, engine.Request{Method: http.MethodPut, Path: "/shipping_carriers/{id}", Args: []any{id}, Body: in})
}

// Delete removes a carrier and its options.
//
//api:endpoint DELETE /shipping_carriers/{id}
func (s *CarrierService) Delete(ctx context.Context, id client.ID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodDelete, Path: "/shipping_carriers/{id}", Args: []any{id}}, nil)
}

// CreateOption adds an option to a carrier.
//
//api:endpoint POST /shipping_carriers/{carrier_id}/options
func (s *CarrierService) CreateOption(ctx context.Context, carrierID client.ID, in OptionInput) (*Option, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	in.AllowFreeShipping = client.Set(false)
	return engine.Result[Option](ctx, s, engine.Request{Method: http.MethodPost, Path: "/shipping_carriers/{carrier_id}/options", Args: []any{carrierID}, Body: in})
}

// CreateOrGetOption returns the option with the code of in, or creates it. An existing option is returned whatever
// its other members are. Made reports whether the option was created, as in client.CreateOrGet. If it is false,
// in.Differences(o) returns the names of the members that differ, for example because the merchant changed them.
//
// The call may be repeated, because codes are unique. After a lost response it looks for the option, for 15 seconds
// at most. It returns client.ErrOutcomeUnknown if the option was not found in that time.
func (s *CarrierService) CreateOrGetOption(
	ctx context.Context, carrierID client.ID, in OptionInput,
) (o *Option, made bool, err error) {
	if err := in.check(true); err != nil {
		return nil, false, err
	}
	return client.CreateOrGet(ctx,
		func(ctx context.Context) (*Option, error) { return s.option(ctx, carrierID, in.Code) },
		func(ctx context.Context) (*Option, error) { return s.CreateOption(ctx, carrierID, in) })
}

// option returns the option with the code, or nil.
func (s *CarrierService) option(ctx context.Context, carrierID client.ID, code string) (*Option, error) {
	for o, err := range s.Options(carrierID).All(ctx) {
		if err != nil {
			return nil, err
		}
		if o.Code == code && o.ID == 0 {
			return nil, &client.DecodeError{Index: -1, Err: fmt.Errorf("the option %q has no id", code)}
		}
		if o.Code == code {
			return o, nil
		}
	}
	return nil, nil
}

// Options returns a query for the options of a carrier.
//
//api:endpoint GET /shipping_carriers/{carrier_id}/options
func (s *CarrierService) Options(carrierID client.ID) client.List[Option] {
	return client.List[Option](engine.List(s, engine.ListSpec{Path: "/shipping_carriers/{carrier_id}/options", Args: []any{carrierID}, Whole: true}))
}

// GetOption returns an option of a carrier.
//
//api:endpoint GET /shipping_carriers/{carrier_id}/options/{id}
func (s *CarrierService) GetOption(ctx context.Context, carrierID, id client.ID) (*Option, error) {
	return engine.Result[Option](ctx, s, engine.Request{Path: "/shipping_carriers/{carrier_id}/options/{id}", Args: []any{carrierID, id}})
}

// UpdateOption changes the members that are present in in.
//
//api:endpoint PUT /shipping_carriers/{carrier_id}/options/{id}
func (s *CarrierService) UpdateOption(ctx context.Context, carrierID, id client.ID, in OptionInput) (*Option, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Result[Option](ctx, s, engine.Request{Method: http.MethodPut, Path: "/shipping_carriers/{carrier_id}/options/{id}", Args: []any{carrierID, id}, Body: in})
}

// DeleteOption removes an option. Rates with its code are no longer displayed.
//
//api:endpoint DELETE /shipping_carriers/{carrier_id}/options/{id}
func (s *CarrierService) DeleteOption(ctx context.Context, carrierID, id client.ID) error {
	return engine.Do(ctx, s, engine.Request{Method: http.MethodDelete, Path: "/shipping_carriers/{carrier_id}/options/{id}", Args: []any{carrierID, id}}, nil)
}

// OfStore returns a query for all carriers of the store with their options. This includes carriers of other apps and
// the platform's own.
//
//api:endpoint GET /shipping_carriers/options
func (s *CarrierService) OfStore() client.List[StoreCarrier] {
	return client.List[StoreCarrier](engine.List(s, engine.ListSpec{Path: "/shipping_carriers/options", Whole: true}))
}
