package res

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// locationErrors are the refusals of a body; the texts are assumed, and the contract requires the fields.
func locationErrors() []api.ErrCase {
	rows := unprocessable(
		"name: "+body.IsInvalid,
		"address: "+body.IsInvalid,
		"tags: "+body.NotSelectable("tags"),
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
	Name    body.Opt[map[string]string] `json:"name"`
	Address body.Opt[json.RawMessage]   `json:"address"`
	Tags    body.Opt[[]string]          `json:"tags"`

	// Members of an answer that may be sent back and change nothing.
	StoreID   json.RawMessage `json:"store_id"`
	IsDefault json.RawMessage `json:"is_default"`
	Priority  json.RawMessage `json:"priority"`
	body.ReadOnly
}

type locationAddressIn struct {
	Zipcode        body.Opt[body.Text] `json:"zipcode"`
	Street         body.Opt[string]    `json:"street"`
	Number         body.Opt[body.Text] `json:"number"`
	Floor          body.Opt[body.Text] `json:"floor"`
	Locality       body.Opt[string]    `json:"locality"`
	City           body.Opt[string]    `json:"city"`
	Reference      body.Opt[string]    `json:"reference"`
	BetweenStreets body.Opt[string]    `json:"between_streets"`
	Province       body.Opt[regionIn]  `json:"province"`
	Region         body.Opt[regionIn]  `json:"region"`
	Country        body.Opt[regionIn]  `json:"country"`

	// Verifying an address is up to the platform.
	VerifiedAt json.RawMessage `json:"verified_at"`
}

type regionIn struct {
	Name string    `json:"name"`
	Code body.Text `json:"code"`
}

// apply returns the location with what the body changes. An address that is sent
// replaces the whole address. Tags are both unless they are sent.
func (b locationIn) apply(in *api.In, l world.Location) (world.Location, error) {
	wrong := &body.Problems{}
	if b.Name.Present || l.Name == nil {
		l.Name = b.Name.Value
		wrong.Require("name", !blank(l.Name))
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
		wrong.Choice("tags", tag, []string{online, offline})
	}
	return l, wrong.Err()
}

// The tags of a location: e-commerce channels and points of sale.
const (
	online  = "online"
	offline = "offline"
)

// address reads an address with everything that is required of one.
func (b locationIn) address(in *api.In, wrong *body.Problems) (world.LocationAddress, error) {
	if !b.Address.Set() {
		wrong.Require("address", false)
		return world.LocationAddress{}, nil
	}
	a, err := body.ReadObject[locationAddressIn](in, "address", b.Address.Value)
	if err != nil {
		return world.LocationAddress{}, err
	}
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
	wrong.Require("address.zipcode", out.Zipcode != "")
	wrong.Require("address.street", out.Street != "")
	wrong.Require("address.city", out.City != "")
	wrong.Require("address.province", !slices.Contains([]string{out.Province.Name, out.Province.Code}, ""))
	wrong.Require("address.region", !slices.Contains([]string{out.Region.Name, out.Region.Code}, ""))
	wrong.Require("address.country", !slices.Contains([]string{out.Country.Name, out.Country.Code}, ""))
	return out, nil
}
