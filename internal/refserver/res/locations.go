package res

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func locationOps() []api.Op {
	read := []string{"read_locations"}
	return []api.Op{
		{ID: "locations.list", Method: "GET", Path: "/locations", Scopes: read,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findLocations, showLocation)},
		{ID: "locations.get", Method: "GET", Path: "/locations/{id}", Scopes: read,
			Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Handler: getLocation},
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
			Number:         orNull(l.Address.Number),
			Floor:          orNull(l.Address.Floor),
			Locality:       orNull(l.Address.Locality),
			City:           l.Address.City,
			Reference:      orNull(l.Address.Reference),
			BetweenStreets: orNull(l.Address.BetweenStreets),
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

func getLocation(tx *world.Tx, in *api.In) (any, error) {
	l, ok := tx.Locations.Get(in.Var("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	return showLocation(tx, in, l), nil
}
