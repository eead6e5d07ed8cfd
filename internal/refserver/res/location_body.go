package res

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// locationErrors are the refusals of a body; the texts are assumed, the fields are
// those that the contract requires.
func locationErrors() []api.ErrCase {
	rows := unprocessable(
		"name: is invalid",
		"address: is invalid",
		"tags: The selected tags is invalid.",
	)
	for _, field := range []string{"name", "address", "address.zipcode", "address.street", "address.city",
		"address.province", "address.region", "address.country"} {
		rows = append(rows, unprocessable(field+": The "+field+" field is required.")...)
	}
	return rows
}

// locationIn is the body of a location. is_default and priority are changed by
// operations of their own.
type locationIn struct {
	Name    api.Opt[map[string]string] `json:"name"`
	Address api.Opt[json.RawMessage]   `json:"address"`
	Tags    api.Opt[[]string]          `json:"tags"`

	// Members of an answer that may be sent back and change nothing.
	StoreID   json.RawMessage `json:"store_id"`
	IsDefault json.RawMessage `json:"is_default"`
	Priority  json.RawMessage `json:"priority"`
	readOnly
}

type locationAddressIn struct {
	Zipcode        api.Opt[loose]    `json:"zipcode"`
	Street         api.Opt[string]   `json:"street"`
	Number         api.Opt[loose]    `json:"number"`
	Floor          api.Opt[loose]    `json:"floor"`
	Locality       api.Opt[string]   `json:"locality"`
	City           api.Opt[string]   `json:"city"`
	Reference      api.Opt[string]   `json:"reference"`
	BetweenStreets api.Opt[string]   `json:"between_streets"`
	Province       api.Opt[regionIn] `json:"province"`
	Region         api.Opt[regionIn] `json:"region"`
	Country        api.Opt[regionIn] `json:"country"`

	// Verifying an address is up to the platform.
	VerifiedAt json.RawMessage `json:"verified_at"`
}

type regionIn struct {
	Name string `json:"name"`
	Code loose  `json:"code"`
}

// apply returns the location with what the body changes. An address that is sent
// replaces the whole address. Tags are both unless they are sent.
func (b locationIn) apply(in *api.In, l world.Location) (world.Location, error) {
	wrong := problems{}
	if b.Name.Present || l.Name == nil {
		l.Name = b.Name.Value
		require(wrong, "name", !blank(l.Name))
	}
	if b.Address.Present || l.Address.Street == "" {
		address, err := b.address(in, wrong)
		if err != nil {
			return l, err
		}
		// An address that changed is to be verified again.
		verified := address
		if verified.VerifiedAt = l.Address.VerifiedAt; verified == l.Address {
			address = verified
		}
		l.Address = address
	}
	if b.Tags.Set() {
		l.Tags = b.Tags.Value
	} else if l.Tags == nil {
		l.Tags = []string{online, offline}
	}
	for _, tag := range l.Tags {
		if tag != online && tag != offline {
			wrong.add("tags", "The selected tags is invalid.")
		}
	}
	return l, wrong.err()
}

// The tags of a location: e-commerce channels and points of sale.
const (
	online  = "online"
	offline = "offline"
)

// require notes a field that is not there.
func require(wrong problems, field string, there bool) {
	if !there {
		wrong.add(field, fieldRequired, field)
	}
}

// address reads an address with everything that is required of one.
func (b locationIn) address(in *api.In, wrong problems) (world.LocationAddress, error) {
	if !b.Address.Set() {
		require(wrong, "address", false)
		return world.LocationAddress{}, nil
	}
	bodies, err := elements[locationAddressIn](in, "address", []json.RawMessage{b.Address.Value})
	if err != nil {
		return world.LocationAddress{}, err
	}
	a := bodies[0]
	out := world.LocationAddress{
		Zipcode:        string(a.Zipcode.Value),
		Street:         strings.TrimSpace(a.Street.Value),
		Number:         string(a.Number.Value),
		Floor:          string(a.Floor.Value),
		Locality:       a.Locality.Value,
		City:           strings.TrimSpace(a.City.Value),
		Reference:      a.Reference.Value,
		BetweenStreets: a.BetweenStreets.Value,
		Province:       world.Region{Name: a.Province.Value.Name, Code: string(a.Province.Value.Code)},
		Region:         world.Region{Name: a.Region.Value.Name, Code: string(a.Region.Value.Code)},
		Country:        world.Region{Name: a.Country.Value.Name, Code: string(a.Country.Value.Code)},
	}
	require(wrong, "address.zipcode", out.Zipcode != "")
	require(wrong, "address.street", out.Street != "")
	require(wrong, "address.city", out.City != "")
	require(wrong, "address.province", !slices.Contains([]string{out.Province.Name, out.Province.Code}, ""))
	require(wrong, "address.region", !slices.Contains([]string{out.Region.Name, out.Region.Code}, ""))
	require(wrong, "address.country", !slices.Contains([]string{out.Country.Name, out.Country.Code}, ""))
	return out, nil
}
