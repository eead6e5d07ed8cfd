package res

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// carrierOptionOps are about the options of one carrier of the app that asks. The last
// one lists those of the whole store, for any app.
func carrierOptionOps() []api.Op {
	const all, one = "/shipping_carriers/{carrier_id}/options", "/shipping_carriers/{carrier_id}/options/{id}"
	read, write := []string{"read_shipping"}, []string{"write_shipping"}
	noCarrier := []api.ErrCase{{Status: 404, Text: noSuchCarrier}}
	missing := []api.ErrCase{{Status: 404, Text: noSuchCarrier}, {Status: 404, Text: noSuchCarrierOption}}
	return []api.Op{
		{ID: "carrier_options.create", Method: "POST", Path: all, Scopes: write, Feature: shippingApps, Success: 201,
			Provenance: api.Supplement, Errors: slices.Concat(noCarrier, carrierOptionFaults()),
			Handler: createCarrierOption},
		{ID: "carrier_options.list", Method: "GET", Path: all, Scopes: read, Feature: shippingApps,
			Provenance: api.Supplement, Errors: noCarrier, Paging: api.Paging{Whole: true, EmptyOK: true},
			Handler: api.Collection(findCarrierOptions, showCarrierOption)},
		{ID: "carrier_options.get", Method: "GET", Path: one, Scopes: read, Feature: shippingApps,
			Provenance: api.Supplement, Errors: missing, Handler: api.Record(carrierOption, showCarrierOption)},
		{ID: "carrier_options.update", Method: "PUT", Path: one, Scopes: write, Feature: shippingApps,
			Provenance: api.Supplement, Errors: slices.Concat(missing, carrierOptionFaults()),
			Handler: updateCarrierOption},
		{ID: "carrier_options.delete", Method: "DELETE", Path: one, Scopes: write, Feature: shippingApps, NoBody: true,
			Provenance: api.Supplement, Errors: missing, Handler: deleteCarrierOption},
		{ID: "carrier_options.listStore", Method: "GET", Path: "/shipping_carriers/options", Scopes: read,
			Provenance: api.Supplement, Paging: api.Paging{Whole: true, EmptyOK: true},
			Handler: api.Collection(findStoreCarriers, showStoreCarrier)},
	}
}

const (
	noSuchCarrierOption = "Shipping carrier option with such id does not exist"
	beAddedDays         = "must be an integer from 0 to 999"
)

// maxAdditionalDays is assumed, so that a date stays one.
const maxAdditionalDays = 999

func carrierOptionFaults() []api.ErrCase {
	return unprocessable(
		"code: "+body.NotEmpty,
		"name: "+body.NotEmpty,
		"code: "+body.AlreadyTaken,
		"additional_days: "+beAddedDays,
		"additional_cost: "+body.BeRate,
		"allow_free_shipping: "+body.BeBool,
		"active: "+body.BeBool,
	)
}

type carrierOptionJSON struct {
	ID                int64       `json:"id"`
	Code              string      `json:"code"`
	Name              string      `json:"name"`
	AdditionalDays    int         `json:"additional_days"`
	AdditionalCost    json.Number `json:"additional_cost"`
	AllowFreeShipping bool        `json:"allow_free_shipping"`
	Active            bool        `json:"active"`
	CreatedAt         string      `json:"created_at"`
	UpdatedAt         string      `json:"updated_at"`
}

func showCarrierOption(_ *world.Tx, _ *api.In, o world.CarrierOption) any {
	return carrierOptionJSON{
		ID:                o.ID,
		Code:              o.Code,
		Name:              o.Name,
		AdditionalDays:    o.AdditionalDays,
		AdditionalCost:    json.Number(o.AdditionalCost.StringFixed(max(1, -o.AdditionalCost.Exponent()))),
		AllowFreeShipping: o.AllowFreeShipping,
		Active:            o.Active,
		CreatedAt:         api.Stamp(o.CreatedAt),
		UpdatedAt:         api.Stamp(o.UpdatedAt),
	}
}

func createCarrierOption(tx *world.Tx, in *api.In) (any, error) {
	c, err := carrier(tx, in, "carrier_id")
	if err != nil {
		return nil, err
	}
	o, err := readCarrierOption(tx, in, world.CarrierOption{CarrierID: c.ID, Active: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	if err != nil {
		return nil, err
	}
	o.ID = tx.NewID()
	return showCarrierOption(tx, in, o), tx.CarrierOptions.Put(o.ID, o)
}

// findCarrierOptions lists those of the carrier, the oldest first.
func findCarrierOptions(tx *world.Tx, in *api.In) ([]world.CarrierOption, error) {
	c, err := carrier(tx, in, "carrier_id")
	if err != nil {
		return nil, err
	}
	return tx.OptionsOf(c.ID), nil
}

// carrierOption is the one that the path names.
func carrierOption(tx *world.Tx, in *api.In) (world.CarrierOption, error) {
	c, err := carrier(tx, in, "carrier_id")
	if err != nil {
		return world.CarrierOption{}, err
	}
	o, ok := tx.CarrierOptions.Get(in.ID("id"))
	if !ok || o.CarrierID != c.ID {
		return o, api.NotFound(noSuchCarrierOption)
	}
	return o, nil
}

func updateCarrierOption(tx *world.Tx, in *api.In) (any, error) {
	before, err := carrierOption(tx, in)
	if err != nil {
		return nil, err
	}
	o, err := readCarrierOption(tx, in, before)
	if err != nil {
		return nil, err
	}
	o.UpdatedAt = tx.Now()
	return showCarrierOption(tx, in, o), tx.CarrierOptions.Put(o.ID, o)
}

func deleteCarrierOption(tx *world.Tx, in *api.In) (any, error) {
	o, err := carrierOption(tx, in)
	if err != nil {
		return nil, err
	}
	tx.CarrierOptions.Delete(o.ID)
	return api.Empty{}, nil
}

// readCarrierOption returns the option with what the body changes.
func readCarrierOption(tx *world.Tx, in *api.In, o world.CarrierOption) (world.CarrierOption, error) {
	b, err := body.Read(in)
	if err != nil {
		return o, err
	}
	b.Ignore("id", "created_at", "updated_at")
	b.Require(o.ID == 0, "code", "name")
	b.Text("code", &o.Code)
	b.Text("name", &o.Name)
	if other, taken := tx.CarrierOptions.Find("code", strconv.FormatInt(o.CarrierID, 10)+"/"+o.Code); taken && other.ID != o.ID {
		b.Refuse("code", body.AlreadyTaken)
	}
	readAdditional(b, "additional_days", beAddedDays, &o.AdditionalDays, func(s body.Scalar) (int, bool) {
		n, ok := s.Within(0, maxAdditionalDays)
		return int(n), ok
	})
	readAdditional(b, "additional_cost", body.BeRate, &o.AdditionalCost, body.Scalar.Amount)
	b.Flag("allow_free_shipping", &o.AllowFreeShipping)
	b.Flag("active", &o.Active)
	return o, b.Done(in).Err()
}

// readAdditional reads what the merchant adds to a quote; null is nothing.
func readAdditional[T any](b body.Members, name, text string, to *T, parse func(body.Scalar) (T, bool)) {
	var s body.Scalar
	if !body.Value(b, name, text, &s) {
		return
	}
	added, ok := parse(s)
	if s.Text != "" && !ok {
		b.Refuse(name, text)
		return
	}
	*to = added
}

// storeCarrier is a carrier as the store has it, of whatever app or native.
type storeCarrier struct {
	id, name string
	options  []storeOptionJSON
}

type storeCarrierJSON struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Options []storeOptionJSON `json:"options"`
}

type storeOptionJSON struct {
	ID                string `json:"id"`
	Name              string `json:"name"`
	Code              string `json:"code"`
	AllowFreeShipping bool   `json:"allow_free_shipping"`
}

func showStoreCarrier(_ *world.Tx, _ *api.In, c storeCarrier) any {
	return storeCarrierJSON{c.id, c.name, append([]storeOptionJSON{}, c.options...)}
}

// findStoreCarriers lists the carriers of every app in the store, active or not, and
// then the native one.
func findStoreCarriers(tx *world.Tx, _ *api.In) ([]storeCarrier, error) {
	var out []storeCarrier
	for _, c := range tx.Carriers.All() {
		if !tx.Installed(c.AppID) {
			continue
		}
		shown := storeCarrier{id: strconv.FormatInt(c.ID, 10), name: c.Name}
		for _, o := range tx.OptionsOf(c.ID) {
			shown.options = append(shown.options, storeOptionJSON{strconv.FormatInt(o.ID, 10), o.Name, o.Code, o.AllowFreeShipping})
		}
		out = append(out, shown)
	}
	return append(out, nativeCarrier()), nil
}

// nativeCarrier is the merchant's own way of delivering, which every store has. Its name is assumed.
func nativeCarrier() storeCarrier {
	return storeCarrier{"custom", "Custom shipping", []storeOptionJSON{{"custom", "Custom shipping", "custom", true}}}
}
