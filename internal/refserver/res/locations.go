package res

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func locationOps() []api.Op {
	read, write := []string{"read_locations"}, []string{"write_locations"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	updated := []string{"location/updated"}
	return []api.Op{
		{ID: "locations.list", Method: "GET", Path: "/locations", Scopes: read,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findLocations, showLocation)},
		{ID: "locations.get", Method: "GET", Path: "/locations/{id}", Scopes: read,
			Errors: missing, Handler: api.Record(location, showLocation)},
		{ID: "locations.create", Method: "POST", Path: "/locations", Scopes: write, Success: 201,
			Emits: []string{"location/created"}, Errors: locationErrors(), Handler: createLocation},
		{ID: "locations.update", Method: "PUT", Path: "/locations/{id}", Scopes: write,
			Emits: updated, Errors: slices.Concat(missing, locationErrors()), Handler: updateLocation},
		{ID: "locations.delete", Method: "DELETE", Path: "/locations/{id}", Scopes: write, Success: 204, NoBody: true,
			Emits: []string{"location/deleted", "location/updated"}, Handler: deleteLocation,
			Errors: append(missing, api.ErrCase{Status: 422, Text: locationIsDefault}, api.ErrCase{Status: 422, Text: locationHasStock})},
		{ID: "locations.prioritize", Method: "PATCH", Path: "/locations/priorities", Scopes: write,
			Emits: updated, Handler: prioritizeLocations, Errors: []api.ErrCase{
				{Status: 400, Text: "Invalid input format"},
				{Status: 422, Text: "id: " + body.NotSelectable("id")},
				{Status: 422, Text: "id: " + locationRepeated},
				{Status: 422, Text: "id: " + locationLeftOut},
				{Status: 422, Text: "priority: " + priorityNoInteger},
				{Status: 422, Text: "priority: " + priorityRepeated},
				{Status: 422, Text: "priority: " + priorityNoDefault},
			}},
		{ID: "locations.makeDefault", Method: "PATCH", Path: "/locations/{id}/chosen-as-default", Scopes: write, NoBody: true,
			Emits: updated, Errors: append(missing, api.ErrCase{Status: 422, Text: locationIsDefault}), Handler: makeLocationDefault},
		{ID: "locations.inventoryLevels", Method: "GET", Path: "/locations/{id}/inventory-levels", Scopes: read, Query: []string{"variant_id"},
			Paging: api.Paging{Default: 1, EmptyOK: true, Envelope: levelPage}, Errors: missing, Handler: api.Collection(findLevels, showLevel)},
	}
}

type locationJSON struct {
	ID        string              `json:"id"`
	StoreID   string              `json:"store_id"`
	Name      map[string]string   `json:"name"`
	Address   locationAddressJSON `json:"address"`
	IsDefault bool                `json:"is_default"`
	Priority  int                 `json:"priority"`
	Tags      []string            `json:"tags"`
	CreatedAt string              `json:"created_at"`
	UpdatedAt string              `json:"updated_at"`
}

type locationAddressJSON struct {
	Zipcode        string     `json:"zipcode"`
	Street         string     `json:"street"`
	Number         *string    `json:"number"`
	Floor          *string    `json:"floor"`
	Locality       *string    `json:"locality"`
	City           string     `json:"city"`
	Reference      *string    `json:"reference"`
	BetweenStreets *string    `json:"between_streets"`
	Province       regionJSON `json:"province"`
	Region         regionJSON `json:"region"`
	Country        regionJSON `json:"country"`
	VerifiedAt     any        `json:"verified_at"`
}

type regionJSON struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

func showLocation(tx *world.Tx, _ *api.In, l world.Location) any {
	return locationJSON{
		ID:      l.ID,
		StoreID: strconv.FormatInt(tx.Store().ID, 10),
		Name:    l.Name,
		Address: locationAddressJSON{
			Zipcode:        l.Address.Zipcode,
			Street:         l.Address.Street,
			Number:         api.TextOrNil(l.Address.Number),
			Floor:          api.TextOrNil(l.Address.Floor),
			Locality:       api.TextOrNil(l.Address.Locality),
			City:           l.Address.City,
			Reference:      api.TextOrNil(l.Address.Reference),
			BetweenStreets: api.TextOrNil(l.Address.BetweenStreets),
			Province:       regionJSON(l.Address.Province),
			Region:         regionJSON(l.Address.Region),
			Country:        regionJSON(l.Address.Country),
			VerifiedAt:     api.StampOrNil(l.Address.VerifiedAt),
		},
		IsDefault: l.Priority == 0,
		Priority:  l.Priority,
		Tags:      l.Tags,
		CreatedAt: api.Stamp(l.CreatedAt),
		UpdatedAt: api.Stamp(l.UpdatedAt),
	}
}

// findLocations lists by priority, the default location first.
func findLocations(tx *world.Tx, _ *api.In) ([]world.Location, error) {
	list := tx.Locations.Values()
	slices.SortStableFunc(list, func(a, b world.Location) int { return cmp.Compare(a.Priority, b.Priority) })
	return list, nil
}

func location(tx *world.Tx, in *api.In) (world.Location, error) {
	l, ok := tx.Locations.Get(strings.ToUpper(in.Var("id")))
	if !ok {
		return l, api.NotFound("")
	}
	return l, nil
}

// createLocation puts the location after the others.
func createLocation(tx *world.Tx, in *api.In) (any, error) {
	var b locationIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	l := world.Location{ID: tx.NewULID(), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	for _, other := range tx.Locations.All() {
		l.Priority = max(l.Priority, other.Priority+1)
	}
	l, err := b.apply(in, l)
	if err != nil {
		return nil, err
	}
	if err := tx.Locations.Put(l.ID, l); err != nil {
		return nil, err
	}
	tx.Emit("location/created", map[string]any{"id": l.ID})
	return showLocation(tx, in, l), nil
}

func updateLocation(tx *world.Tx, in *api.In) (any, error) {
	before, err := location(tx, in)
	if err != nil {
		return nil, err
	}
	var b locationIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	l, err := b.apply(in, before)
	if err != nil {
		return nil, err
	}
	if !same(before, l) {
		if l, err = keepLocation(tx, l); err != nil {
			return nil, err
		}
	}
	return showLocation(tx, in, l), nil
}

// keepLocation stores a location that changed and sends the event.
func keepLocation(tx *world.Tx, l world.Location) (world.Location, error) {
	l.UpdatedAt = tx.Now()
	tx.Emit("location/updated", map[string]any{"id": l.ID})
	return l, tx.Locations.Put(l.ID, l)
}
