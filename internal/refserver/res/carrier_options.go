package res

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// carrierOptionOps are about the options of one carrier of the app that asks. The last
// one lists those of the whole store, for any app.
func carrierOptionOps() []api.Op {
	const all, one = "/shipping_carriers/{carrier_id}/options", "/shipping_carriers/{carrier_id}/options/{id}"
	noCarrier := []api.ErrCase{{Status: 404, Text: noSuchCarrier}}
	missing := append(noCarrier, api.ErrCase{Status: 404, Text: noSuchCarrierOption})
	op := func(id, method, path, scope string, handler api.Handler) api.Op {
		return api.Op{ID: "carrier_options." + id, Method: method, Path: path, Scopes: []string{scope}, Feature: shippingApps,
			Provenance: api.Supplement, Handler: handler}
	}
	create := op("create", "POST", all, "write_shipping", createCarrierOption)
	create.Success, create.Errors = 201, slices.Concat(noCarrier, carrierOptionFaults())
	list := op("list", "GET", all, "read_shipping", api.Collection(findCarrierOptions, showCarrierOption))
	list.Errors, list.Paging = noCarrier, api.Paging{Whole: true, EmptyOK: true}
	get := op("get", "GET", one, "read_shipping", getCarrierOption)
	get.Errors = missing
	update := op("update", "PUT", one, "write_shipping", updateCarrierOption)
	update.Errors = slices.Concat(missing, carrierOptionFaults())
	remove := op("delete", "DELETE", one, "write_shipping", deleteCarrierOption)
	remove.NoBody, remove.Errors = true, missing
	store := op("listStore", "GET", "/shipping_carriers/options", "read_shipping", api.Collection(findStoreCarriers, showStoreCarrier))
	store.Feature, store.Paging = "", list.Paging
	return []api.Op{create, list, get, update, remove, store}
}

const (
	noSuchCarrierOption = "Shipping carrier option with such id does not exist"
	beAddedDays         = "must be an integer from 0 to 999"
)

// maxAdditionalDays is assumed, so that a date stays one.
const maxAdditionalDays = 999

func carrierOptionFaults() []api.ErrCase {
	return unprocessable(
		"code: "+notEmpty,
		"name: "+notEmpty,
		"code: "+alreadyTaken,
		"additional_days: "+beAddedDays,
		"additional_cost: "+beRate,
		"allow_free_shipping: "+beBool,
		"active: "+beBool,
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

func getCarrierOption(tx *world.Tx, in *api.In) (any, error) {
	o, err := carrierOption(tx, in)
	if err != nil {
		return nil, err
	}
	return showCarrierOption(tx, in, o), nil
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
	b, err := readForm(in.Raw)
	if err != nil {
		return o, err
	}
	b.ignore("id", "created_at", "updated_at")
	b.require(o.ID == 0, "code", "name")
	b.text("code", &o.Code)
	b.text("name", &o.Name)
	if other, taken := tx.CarrierOptions.Find("code", strconv.FormatInt(o.CarrierID, 10)+"/"+o.Code); taken && other.ID != o.ID {
		b.wrong.add("code", alreadyTaken)
	}
	b.additionalDays(&o.AdditionalDays)
	b.additionalCost(&o.AdditionalCost)
	b.flag("allow_free_shipping", &o.AllowFreeShipping)
	b.flag("active", &o.Active)
	return o, b.refused(in)
}

// additionalDays reads a number of days; null is none.
func (f form) additionalDays(to *int) {
	var s scalar.Value
	if !value(f, "additional_days", beAddedDays, &s) {
		return
	}
	n, ok := s.Int()
	if s.Text != "" && (!ok || n < 0 || n > maxAdditionalDays) {
		f.wrong.add("additional_days", beAddedDays)
		return
	}
	*to = int(n)
}

// additionalCost reads an amount; null is nothing.
func (f form) additionalCost(to *decimal.Decimal) {
	var s scalar.Value
	if !value(f, "additional_cost", beRate, &s) {
		return
	}
	d, ok := s.Decimal()
	if s.Text != "" && (!ok || d.IsNegative()) {
		f.wrong.add("additional_cost", beRate)
		return
	}
	*to = d
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

// nativeCarrier is the merchant's own way of delivering, which every store has. What it
// is called is assumed.
func nativeCarrier() storeCarrier {
	return storeCarrier{"custom", "Custom shipping", []storeOptionJSON{{"custom", "Custom shipping", "custom", true}}}
}
