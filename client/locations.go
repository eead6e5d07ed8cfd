package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Location is a place that holds stock.
type Location struct {
	ID      ulid.ULID `json:"id"`
	StoreID ID        `json:"store_id"` // the store that it belongs to
	// Name is keyed by locale, such as es_AR, pt_BR or en_US.
	Name    Text            `json:"name"`
	Address LocationAddress `json:"address"` // the address of the location
	// IsDefault is true for the location with priority 0.
	IsDefault bool `json:"is_default"`
	// Priority is the order in which stock is taken. The location with the lowest value is first.
	Priority  Int           `json:"priority"`
	Tags      []LocationTag `json:"tags"` // the channels that its stock is sold in
	CreatedAt Time          `json:"created_at"`
	UpdatedAt Time          `json:"updated_at"`
	Extra     Extra         `json:",embed"`
}

// LocationAddress is the address of a location.
type LocationAddress struct {
	Zipcode  Code   `json:"zipcode"`  // postal code
	Street   string `json:"street"`   // without the number
	Number   Code   `json:"number"`   // house number, which may have letters
	Floor    string `json:"floor"`    // floor or apartment
	Locality string `json:"locality"` // quarter or part of the city
	City     string `json:"city"`     // city or town
	// Reference is a hint for finding the address, such as "blue door".
	Reference      string `json:"reference"`
	BetweenStreets string `json:"between_streets"` // the streets on both sides of it
	Province       Named  `json:"province"`        // province or state
	Region         Named  `json:"region"`          // region that the province is in
	Country        Named  `json:"country"`         // its code is an ISO 3166-1 code
	// VerifiedAt is zero for an address that was not verified.
	VerifiedAt Time  `json:"verified_at"`
	Extra      Extra `json:",embed"`
}

// LocationTag is a channel that sells the stock of a location.
type LocationTag string

// The values of LocationTag.
const (
	LocationOnline  LocationTag = "online"  // e-commerce channels
	LocationOffline LocationTag = "offline" // points of sale
)

// Known reports whether the contract names the value.
func (t LocationTag) Known() bool { return wire.Known(t, LocationOnline, LocationOffline) }

// LocationInput is the body of Create and Update. Update changes the members that are present, and leaves the others
// unchanged.
type LocationInput struct {
	// Name is keyed by locale. Create requires Name and Address.
	Name Text `json:"name,omitzero"`
	// Address replaces the whole address.
	Address Opt[LocationAddressInput] `json:"address,omitzero"`
	// Tags are the channels. A new location without tags has both. Also send them with an update, because the contract
	// does not say that an update retains absent tags. Otherwise, stock of a point of sale could be sold online. The
	// reference server retains them.
	Tags []LocationTag `json:"tags,omitzero"`
}

// LocationAddressInput is the address in a LocationInput. Zipcode, Street, City, Province, Region and Country are
// required.
type LocationAddressInput struct {
	Zipcode        string     `json:"zipcode"`
	Street         string     `json:"street"`
	Number         string     `json:"number,omitzero"`   // house number
	Floor          string     `json:"floor,omitzero"`    // floor or apartment
	Locality       string     `json:"locality,omitzero"` // quarter or part of the city
	City           string     `json:"city"`
	Reference      string     `json:"reference,omitzero"`       // a hint for finding it
	BetweenStreets string     `json:"between_streets,omitzero"` // the streets on both sides of it
	Province       NamedInput `json:"province"`
	Region         NamedInput `json:"region"`
	Country        NamedInput `json:"country"`
}

func (in LocationInput) check(creating bool) error {
	if (creating || in.Name != nil) && blank(in.Name) {
		return engine.Invalid("name", in.Name, "a text in at least one locale")
	}
	if _, bare := in.Name[""]; bare {
		return engine.Invalid("name", in.Name, "an object keyed by locale")
	}
	if address, ok := in.Address.Get(); ok || creating {
		if err := address.check(); err != nil {
			return fmt.Errorf("address.%w", err)
		}
	}
	for i, tag := range in.Tags {
		if !tag.Known() {
			return engine.Invalid(fmt.Sprintf("tags[%d]", i), tag, "online or offline")
		}
	}
	return nil
}

func (in LocationAddressInput) check() error {
	for _, required := range []struct{ field, value string }{
		{"zipcode", in.Zipcode}, {"street", in.Street}, {"city", in.City},
		{"province.name", in.Province.Name}, {"province.code", in.Province.Code},
		{"region.name", in.Region.Name}, {"region.code", in.Region.Code},
		{"country.name", in.Country.Name}, {"country.code", in.Country.Code},
	} {
		if required.value == "" {
			return engine.Invalid(required.field, required.value, "a text, because it is required")
		}
	}
	return nil
}

// LocationPriority is the priority of one location in the body and the response of Prioritize.
type LocationPriority struct {
	ID       ulid.ULID `json:"id"`
	Priority Int       `json:"priority"` // 0 or more; the default location has 0
}

// InventoryLevelFilter selects inventory levels of a location. The zero filter selects all. The list cannot select
// fields.
type InventoryLevelFilter struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page, 1 to MaxPerPage. Zero means the platform's default (1 here) for single pages and
	// MaxPerPage for the iterators.
	PerPage int
	// VariantID selects the level of one variant; 0 selects all.
	VariantID ID
}

func (f InventoryLevelFilter) query() *query {
	return newQuery().paging(Paging{Page: f.Page, PerPage: f.PerPage}).id("variant_id", f.VariantID)
}

// LocationService reads locations with the scope read_locations, which read_products and read_shipping include, and
// writes them with write_locations. All versions have it.
type LocationService engine.Service

// List selects all locations of the store. The contract gives it no parameters.
//
//api:endpoint GET /locations
func (s *LocationService) List() List[Location] {
	return listOf[Location](s, newQuery(), engine.ListSpec{Path: "/locations", Whole: true})
}

// Get returns a location.
//
//api:endpoint GET /locations/{id}
func (s *LocationService) Get(ctx context.Context, id ulid.ULID) (*Location, error) {
	return engine.Get[Location](ctx, s, "/locations/{id}", nil, id)
}

// Create adds a location and returns it. Name and address are required.
//
//api:endpoint POST /locations
func (s *LocationService) Create(ctx context.Context, in LocationInput) (*Location, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Send[Location](ctx, s, http.MethodPost, "/locations", in)
}

// Update changes the members that are present in the input.
//
//api:endpoint PUT /locations/{id}
func (s *LocationService) Update(ctx context.Context, id ulid.ULID, in LocationInput) (*Location, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Location](ctx, s, http.MethodPut, "/locations/{id}", in, id)
}

// Delete removes a location. It requires that the location has no inventory levels and is not the default. The other
// locations get new priorities.
//
//api:endpoint DELETE /locations/{id}
func (s *LocationService) Delete(ctx context.Context, id ulid.ULID) error {
	return engine.Delete(ctx, s, "/locations/{id}", id)
}

// Prioritize sets new priorities for all locations of the store. The location with priority 0 becomes the default. It
// returns the stored priorities.
//
//api:endpoint PATCH /locations/priorities
func (s *LocationService) Prioritize(ctx context.Context, in []LocationPriority) ([]LocationPriority, error) {
	if err := checkPriorities(in); err != nil {
		return nil, err
	}
	out, err := engine.Send[[]LocationPriority](ctx, s, http.MethodPatch, "/locations/priorities", in)
	if err != nil {
		return nil, err
	}
	return *out, nil
}

// MakeDefault sets the priority of the location to 0 and moves the others down. The platform rejects the call if the
// location is the default already. If the response is lost, the call is not repeated blindly. Instead MakeDefault reads
// the location, and succeeds if it is the default.
//
//api:endpoint PATCH /locations/{id}/chosen-as-default
func (s *LocationService) MakeDefault(ctx context.Context, id ulid.ULID) (*Location, error) {
	chosen, err := engine.Send[Location](ctx, s, http.MethodPatch, "/locations/{id}/chosen-as-default", nil, id)
	if errors.Is(err, ErrOutcomeUnknown) {
		if now, rereadErr := s.Get(ctx, id); rereadErr == nil && now.IsDefault {
			return now, nil
		}
	}
	return chosen, err
}

// Levels selects the stock of variants at a location.
//
//api:endpoint GET /locations/{id}/inventory-levels
func (s *LocationService) Levels(id ulid.ULID, f InventoryLevelFilter) List[InventoryLevel] {
	return listOf[InventoryLevel](s, f.query(), engine.ListSpec{Path: "/locations/{id}/inventory-levels", Args: []any{id}, Envelope: []string{"results"}, Total: "total"})
}

func checkPriorities(in []LocationPriority) error {
	if len(in) == 0 {
		return engine.Invalid("priorities", len(in), "all locations of the store")
	}
	seen, taken := map[ulid.ULID]bool{}, map[Int]bool{}
	for i, p := range in {
		switch {
		case p.ID == ulid.ULID{} || seen[p.ID]:
			return engine.Invalid(fmt.Sprintf("[%d].id", i), p.ID, "the id of a location, given only once")
		case p.Priority < 0 || taken[p.Priority]:
			return engine.Invalid(fmt.Sprintf("[%d].priority", i), p.Priority, "at least 0 and different for each location")
		}
		seen[p.ID], taken[p.Priority] = true, true
	}
	if !taken[0] {
		return engine.Invalid("priorities", len(in), "one location with priority 0, the default")
	}
	return nil
}
