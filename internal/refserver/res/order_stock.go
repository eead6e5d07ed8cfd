package res

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// notEnoughStock is assumed; the id of the variant follows.
const notEnoughStock = "There is not enough stock of the variant "

// drawnAt says that all lines leave from a location, if there is one.
func drawnAt(lines []world.Line, location string) []drawn {
	if location == "" {
		return nil
	}
	var out []drawn
	for _, l := range lines {
		out = append(out, drawn{line: l.ID, location: location, quantity: l.Quantity})
	}
	return out
}

// claimStock takes the stock of the lines: at the location or, without one, from
// the locations by priority. Unlimited stock is not counted. If there is too little
// of anything, nothing is claimed.
func claimStock(tx *world.Tx, lines []world.Line, location string) ([]world.Line, []drawn, error) {
	out, from := slices.Clone(lines), drawnAt(lines, location)
	var changed []int64
	for i, l := range out {
		claims, err := claim(tx, l.VariantID, l.Quantity, location)
		if err != nil {
			return nil, nil, err
		}
		out[i].Claims = claims
		for _, c := range claims {
			changed = append(changed, c.VariantID)
			if location == "" {
				from = append(from, drawn{line: l.ID, location: c.LocationID, quantity: c.Quantity})
			}
		}
	}
	return out, from, stockChanged(tx, changed)
}

// claim takes so many pieces of one variant.
func claim(tx *world.Tx, variant, quantity int64, location string) ([]world.Claim, error) {
	var levels []world.InventoryLevel
	for _, l := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
		levels = append(levels, l)
	}
	if len(levels) == 0 {
		return nil, nil
	}
	if location != "" {
		levels = slices.DeleteFunc(levels, func(l world.InventoryLevel) bool { return l.LocationID != location })
	}
	slices.SortStableFunc(levels, func(a, b world.InventoryLevel) int {
		first, _ := tx.Locations.Get(a.LocationID)
		second, _ := tx.Locations.Get(b.LocationID)
		return cmp.Compare(first.Priority, second.Priority)
	})
	var out []world.Claim
	for _, l := range levels {
		n := min(quantity, l.Stock)
		if n <= 0 {
			continue
		}
		l.Stock, l.UpdatedAt = l.Stock-n, tx.Now()
		if err := tx.InventoryLevels.Put(l.ID, l); err != nil {
			return nil, err
		}
		quantity -= n
		out = append(out, world.Claim{VariantID: variant, LocationID: l.LocationID, Quantity: n})
	}
	if quantity > 0 {
		return nil, api.Unprocessable(notEnoughStock + strconv.FormatInt(variant, 10))
	}
	return out, nil
}

// restock gives claimed stock back to where it came from. What has become unlimited
// or is gone takes nothing back.
func restock(tx *world.Tx, claims []world.Claim) error {
	var changed []int64
	for _, c := range claims {
		l, ok := tx.InventoryLevels.Find("place", world.Place(c.VariantID, c.LocationID))
		if !ok {
			continue
		}
		l.Stock, l.UpdatedAt = l.Stock+c.Quantity, tx.Now()
		if err := tx.InventoryLevels.Put(l.ID, l); err != nil {
			return err
		}
		changed = append(changed, c.VariantID)
	}
	return stockChanged(tx, changed)
}

// stockChanged dates the variants and their products, and tells of each product.
func stockChanged(tx *world.Tx, variants []int64) error {
	slices.Sort(variants)
	var products []int64
	for _, id := range slices.Compact(variants) {
		v, ok := tx.Variants.Get(id)
		if !ok {
			continue
		}
		v.UpdatedAt = tx.Now()
		if err := keepVariant(tx, v); err != nil {
			return err
		}
		products = append(products, v.ProductID)
	}
	slices.Sort(products)
	for _, id := range slices.Compact(products) {
		p, err := product(tx, id)
		if err != nil {
			return err
		}
		if _, err := touch(tx, p); err != nil {
			return err
		}
	}
	return nil
}
