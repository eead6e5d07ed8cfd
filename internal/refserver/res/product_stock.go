package res

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostStock bounds stock and its variations, so that no sum of them overflows. That
// there is a bound, and where, is assumed.
const mostStock = 1_000_000_000_000_000

// Texts about stock. validActions is the platform's; the others are assumed, in
// its way of putting things.
const (
	validActions     = "Valid actions are 'replace', 'variation'."
	tooMuchStock     = "The stock may not be greater than 1000000000000000."
	oneLocation      = "Several locations are not enabled for the store"
	severalLocations = "inventory-levels" // the feature of a store
)

// stockErrors are the refusals of whatever sets stock.
func stockErrors() []api.ErrCase {
	return unprocessable(
		"stock: "+body.NotInteger("stock"),
		"stock: "+body.TooSmall("stock", 0),
		"stock: "+body.Required("stock"),
		"stock: "+tooMuchStock,
		"location_id: "+body.NotSelectable("location id"),
		"inventory_levels: "+oneLocation,
	)
}

type levelJSON struct {
	ID         int64  `json:"id"`
	VariantID  int64  `json:"variant_id"`
	LocationID string `json:"location_id"`
	Stock      int64  `json:"stock"`
}

// levelsOnWire are the levels of a variant in the order they were made.
func levelsOnWire(tx *world.Tx, variant int64) []levelJSON {
	out := []levelJSON{}
	for _, l := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
		out = append(out, levelJSON{ID: l.ID, VariantID: l.VariantID, LocationID: l.LocationID, Stock: l.Stock})
	}
	return out
}

// stockOf is the sum over all locations; stock without any level is not finite.
func stockOf(tx *world.Tx, variant int64) (stock int64, finite bool) {
	for _, l := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
		stock, finite = stock+l.Stock, true
	}
	return stock, finite
}

// levelIn is one element of inventory_levels.
type levelIn struct {
	LocationID body.Scalar `json:"location_id"`
	Stock      body.Scalar `json:"stock"`

	// Members of an answer that may be sent back and change nothing.
	VariantID json.RawMessage `json:"variant_id"`
	body.ReadOnly
}

// stocking is the stock of a variant in a body: no change, unlimited, or a number at each location.
type stocking struct {
	unlimited bool
	at        map[string]int64
}

// levels reads stock and inventory_levels. If both are there, stock is ignored; a level without a location belongs to
// the first.
func (b variantIn) levels(tx *world.Tx, in *api.In, wrong *body.Problems) (stocking, error) {
	out := stocking{at: map[string]int64{}}
	list, err := b.InventoryLevels.Value.Read(in, "inventory_levels")
	if err != nil {
		return out, err
	}
	for _, l := range list {
		location := l.LocationID.Text
		if location == "" {
			location = tx.FirstLocation().ID
		}
		switch {
		case !tx.Locations.Has(location):
			wrong.Add("location_id", body.NotSelectable("location id"))
		case l.Stock.Text == "":
			wrong.Add("stock", body.Required("stock"))
		default:
			out.at[location] = count(wrong, l.Stock)
		}
	}
	if len(out.at) > 1 && !slices.Contains(in.Store.Features, severalLocations) {
		wrong.Add("inventory_levels", oneLocation)
	}
	switch {
	case len(list) > 0 || !b.Stock.Present:
	case b.Stock.Null():
		out.unlimited = true
	default:
		out.at[tx.FirstLocation().ID] = count(wrong, b.Stock)
	}
	return out, nil
}

// count reads a number of pieces.
func count(wrong *body.Problems, s body.Scalar) int64 {
	n, ok := s.Whole()
	switch {
	case !ok:
		wrong.Add("stock", body.NotInteger("stock"))
	case n.IsNegative():
		wrong.Add("stock", body.TooSmall("stock", 0))
	case excessive(n):
		wrong.Add("stock", tooMuchStock)
	}
	return n.IntPart()
}

// excessive reports whether a number is beyond the bound of stock, on either side.
func excessive(n decimal.Decimal) bool { return n.Abs().GreaterThan(decimal.NewFromInt(mostStock)) }

// setLevels gives a variant its stock. Locations that are not named keep theirs.
// It reports whether anything changed.
func setLevels(tx *world.Tx, variant int64, s stocking) (bool, error) {
	if s.unlimited {
		changed := false
		for id := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
			changed = tx.InventoryLevels.Delete(id)
		}
		return changed, nil
	}
	changed := false
	for _, location := range slices.Sorted(maps.Keys(s.at)) {
		l, ok := tx.InventoryLevels.Find("place", world.Place(variant, location))
		if ok && l.Stock == s.at[location] {
			continue
		}
		if !ok {
			l = world.InventoryLevel{ID: tx.NewID(), VariantID: variant, LocationID: location, CreatedAt: tx.Now()}
		}
		l.Stock, l.UpdatedAt = s.at[location], tx.Now()
		if err := tx.InventoryLevels.Put(l.ID, l); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

// changeStock replaces or varies the stock of one variant, or of all of them. Stock below 0 becomes 0.
func changeStock(tx *world.Tx, in *api.In) (any, error) {
	p, err := product(tx, in.ID("product_id"))
	if err != nil {
		return nil, err
	}
	var b struct {
		Action     string      `json:"action"`
		Value      body.Scalar `json:"value"`
		ID         body.Scalar `json:"id"`
		LocationID body.Scalar `json:"location_id"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Action != "replace" && b.Action != "variation" {
		return nil, stated("action", validActions)
	}
	value, isInt := b.Value.Whole()
	wrong := &body.Problems{}
	switch {
	case b.Value.Null() && b.Action == "replace":
	case !isInt:
		wrong.Add("value", body.NotInteger("value"))
	case excessive(value):
		wrong.Add("stock", tooMuchStock)
	}
	location := b.LocationID.Or("")
	if location == "" {
		location = tx.FirstLocation().ID
	}
	wrong.Select("location_id", tx.Locations.Has(location))
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	variants := variantsOf(tx, p.ID)
	if b.ID.Text != "" {
		id, _ := b.ID.Int()
		if variants = slices.DeleteFunc(variants, func(v world.Variant) bool { return v.ID != id }); len(variants) == 0 {
			return nil, api.NotFound("")
		}
	}
	out := []variantJSON{}
	changed := false
	for _, v := range variants {
		want := stocking{unlimited: b.Value.Null(), at: map[string]int64{location: max(value.IntPart(), 0)}}
		if b.Action == "variation" {
			want = varied(tx, v.ID, location, value.IntPart(), wrong)
		}
		if err := wrong.Err(); err != nil {
			return nil, err
		}
		moved, err := setLevels(tx, v.ID, want)
		if err != nil {
			return nil, err
		}
		if moved {
			changed, v.UpdatedAt = true, tx.Now()
			if err := keepVariant(tx, v); err != nil {
				return nil, err
			}
		}
		out = append(out, variantOnWire(tx, v))
	}
	if changed {
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// varied is the stock of a variant at a location after a variation: never below 0,
// and unlimited stock stays unlimited.
func varied(tx *world.Tx, variant int64, location string, by int64, wrong *body.Problems) stocking {
	if _, finite := stockOf(tx, variant); !finite {
		return stocking{}
	}
	l, _ := tx.InventoryLevels.Find("place", world.Place(variant, location))
	if by > 0 && l.Stock > mostStock-by {
		wrong.Add("stock", tooMuchStock)
		return stocking{}
	}
	return stocking{at: map[string]int64{location: max(l.Stock+by, 0)}}
}
