package res

import (
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// carrierOps are about the carriers of the app that asks, in one store. The carrier of
// another app is not found.
func carrierOps() []api.Op {
	const all, one = "/shipping_carriers", "/shipping_carriers/{id}"
	read, write := []string{"read_shipping"}, []string{"write_shipping"}
	missing := []api.ErrCase{{Status: 404, Text: noSuchCarrier}}
	return []api.Op{
		{ID: "shipping_carriers.create", Method: "POST", Path: all, Scopes: write, Feature: shippingApps, Success: 201,
			Provenance: api.Supplement, Errors: carrierFaults(), Handler: createCarrier},
		{ID: "shipping_carriers.list", Method: "GET", Path: all, Scopes: read, Feature: shippingApps,
			Provenance: api.Supplement, Paging: api.Paging{Whole: true, EmptyOK: true},
			Handler: api.Collection(findCarriers, showCarrier)},
		{ID: "shipping_carriers.get", Method: "GET", Path: one, Scopes: read, Feature: shippingApps,
			Provenance: api.Supplement, Errors: missing, Handler: getCarrier},
		{ID: "shipping_carriers.update", Method: "PUT", Path: one, Scopes: write, Feature: shippingApps,
			Provenance: api.Supplement, Errors: slices.Concat(missing, carrierFaults()), Handler: updateCarrier},
		{ID: "shipping_carriers.delete", Method: "DELETE", Path: one, Scopes: write, Feature: shippingApps, NoBody: true,
			Provenance: api.Supplement, Errors: missing, Handler: deleteCarrier},
	}
}

// shippingApps is the feature of an app that the platform lets add carriers.
const shippingApps = "shipping"

// Texts about carriers and their options. All are assumed: the contract has the rules,
// not the words.
const (
	noSuchCarrier = "Shipping carrier with such id does not exist"
	beTypes       = "must be ship, pickup or both, separated by a comma"
)

func carrierFaults() []api.ErrCase {
	return unprocessable(
		"name: "+body.NotEmpty,
		"callback_url: "+body.NotEmpty,
		"types: "+body.NotEmpty,
		"callback_url: "+body.BePublic,
		"callback_labels_url: "+body.BePublic,
		"types: "+beTypes,
		"active: "+body.BeBool,
	)
}

type carrierJSON struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	RatesURL  string  `json:"callback_url"`
	LabelsURL *string `json:"callback_labels_url"`
	Types     string  `json:"types"`
	Active    bool    `json:"active"`
	CreatedAt string  `json:"created_at"`
	UpdatedAt string  `json:"updated_at"`
}

func showCarrier(_ *world.Tx, _ *api.In, c world.Carrier) any {
	return carrierJSON{
		ID:        c.ID,
		Name:      c.Name,
		RatesURL:  c.RatesURL,
		LabelsURL: api.TextOrNil(c.LabelsURL),
		Types:     strings.Join(c.Types, ","),
		Active:    c.Active,
		CreatedAt: api.Stamp(c.CreatedAt),
		UpdatedAt: api.Stamp(c.UpdatedAt),
	}
}

func createCarrier(tx *world.Tx, in *api.In) (any, error) {
	c, err := readCarrier(in, world.Carrier{AppID: in.App.ID, Active: true, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	if err != nil {
		return nil, err
	}
	c.ID = tx.NewID()
	return showCarrier(tx, in, c), tx.Carriers.Put(c.ID, c)
}

// findCarriers lists those of the app, the oldest first.
func findCarriers(tx *world.Tx, in *api.In) ([]world.Carrier, error) {
	var out []world.Carrier
	for _, c := range tx.Carriers.Where("app", strconv.FormatInt(in.App.ID, 10)) {
		out = append(out, c)
	}
	return out, nil
}

func getCarrier(tx *world.Tx, in *api.In) (any, error) {
	c, err := carrier(tx, in, "id")
	if err != nil {
		return nil, err
	}
	return showCarrier(tx, in, c), nil
}

// carrier is the one that the path names, which is the app's.
func carrier(tx *world.Tx, in *api.In, name string) (world.Carrier, error) {
	c, ok := tx.Carriers.Get(in.ID(name))
	if !ok || c.AppID != in.App.ID {
		return c, api.NotFound(noSuchCarrier)
	}
	return c, nil
}

func updateCarrier(tx *world.Tx, in *api.In) (any, error) {
	before, err := carrier(tx, in, "id")
	if err != nil {
		return nil, err
	}
	c, err := readCarrier(in, before)
	if err != nil {
		return nil, err
	}
	c.UpdatedAt = tx.Now()
	return showCarrier(tx, in, c), tx.Carriers.Put(c.ID, c)
}

// deleteCarrier takes the options along.
func deleteCarrier(tx *world.Tx, in *api.In) (any, error) {
	c, err := carrier(tx, in, "id")
	if err != nil {
		return nil, err
	}
	for _, o := range tx.OptionsOf(c.ID) {
		tx.CarrierOptions.Delete(o.ID)
	}
	tx.Carriers.Delete(c.ID)
	return api.Empty{}, nil
}

// readCarrier returns the carrier with what the body changes. One that has no id yet
// needs what the contract calls required.
func readCarrier(in *api.In, c world.Carrier) (world.Carrier, error) {
	b, err := body.Read(in)
	if err != nil {
		return c, err
	}
	b.Ignore("id", "created_at", "updated_at")
	b.Require(c.ID == 0, "name", "callback_url", "types")
	b.Text("name", &c.Name)
	b.Public(in, "callback_url", &c.RatesURL)
	b.Public(in, "callback_labels_url", &c.LabelsURL)
	readTypes(b, &c.Types)
	b.Flag("active", &c.Active)
	return c, b.Done(in).Err()
}

// readTypes reads a list that is written as a text.
func readTypes(b body.Members, to *[]string) {
	var text string
	if !body.Value(b, "types", beTypes, &text) {
		return
	}
	var types []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part != world.Ship && part != world.Pickup || slices.Contains(types, part) {
			b.Refuse("types", beTypes)
			return
		}
		types = append(types, part)
	}
	*to = types
}
