package res

import (
	"cmp"
	"fmt"
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

// claimFrom is claimStock for lines with a location. If it lacks stock, the rest is taken from the others by priority.
func claimFrom(tx *world.Tx, lines []world.Line, origins map[int64]string) ([]world.Line, []drawn, error) {
	out := slices.Clone(lines)
	var from []drawn
	var changed []int64
	for i, l := range out {
		levels := shelves(tx, l.VariantID)
		if len(levels) == 0 && origins[l.ID] != "" {
			from = append(from, drawn{line: l.ID, location: origins[l.ID], quantity: l.Quantity})
		}
		slices.SortStableFunc(levels, func(a, b world.InventoryLevel) int {
			return cmp.Compare(distance(a, origins[l.ID]), distance(b, origins[l.ID]))
		})
		claims, missing, err := claimLevels(tx, l.VariantID, l.Quantity, levels)
		if err != nil {
			return nil, nil, err
		}
		if missing > 0 {
			return nil, nil, fmt.Errorf("line %d is for %d pieces of variant %d, and there are %d", l.ID, l.Quantity, l.VariantID, l.Quantity-missing)
		}
		out[i].Claims = claims
		for _, c := range claims {
			from = append(from, drawn{line: l.ID, location: c.LocationID, quantity: c.Quantity})
			changed = append(changed, c.VariantID)
		}
	}
	return out, from, stockChanged(tx, changed)
}

// distance is 0 for stock at the location, and 1 elsewhere.
func distance(l world.InventoryLevel, location string) int {
	if l.LocationID == location {
		return 0
	}
	return 1
}

// claim takes a number of pieces of one variant.
func claim(tx *world.Tx, variant, quantity int64, location string) ([]world.Claim, error) {
	levels := shelves(tx, variant)
	if len(levels) > 0 && location != "" {
		levels = slices.DeleteFunc(levels, func(l world.InventoryLevel) bool { return l.LocationID != location })
		if len(levels) == 0 {
			return nil, lacking(variant)
		}
	}
	claims, missing, err := claimLevels(tx, variant, quantity, levels)
	if err == nil && missing > 0 {
		err = lacking(variant)
	}
	return claims, err
}

// shelves are where there is stock of a variant, by the priority of the locations;
// unlimited stock is nowhere.
func shelves(tx *world.Tx, variant int64) []world.InventoryLevel {
	var levels []world.InventoryLevel
	for _, l := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
		levels = append(levels, l)
	}
	slices.SortStableFunc(levels, func(a, b world.InventoryLevel) int {
		first, _ := tx.Locations.Get(a.LocationID)
		second, _ := tx.Locations.Get(b.LocationID)
		return cmp.Compare(first.Priority, second.Priority)
	})
	return levels
}

func lacking(variant int64) error {
	return api.Unprocessable(notEnoughStock + strconv.FormatInt(variant, 10))
}

// claimLevels takes a number of pieces from levels in their order, and returns how many are missing. No levels are
// unlimited stock.
func claimLevels(
	tx *world.Tx, variant, quantity int64, levels []world.InventoryLevel,
) (out []world.Claim, missing int64, err error) {
	if len(levels) == 0 {
		return nil, 0, nil
	}
	for _, l := range levels {
		n := min(quantity, l.Stock)
		if n <= 0 {
			continue
		}
		l.Stock, l.UpdatedAt = l.Stock-n, tx.Now()
		if err := tx.InventoryLevels.Put(l.ID, l); err != nil {
			return nil, 0, err
		}
		quantity -= n
		out = append(out, world.Claim{VariantID: variant, LocationID: l.LocationID, Quantity: n})
	}
	return out, quantity, nil
}

// restock returns claimed stock to its levels. A level that has become unlimited or was deleted takes nothing back.
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

// stockChanged dates the variants and their products, and sends an event for each product.
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
