package res

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// listProducts lists products. The pages of a whole catalog, and those of a search, are read without a look
// at what is not on them.
func listProducts(tx *world.Tx, in *api.In) (any, error) {
	switch {
	case isSearch(in):
		found := tx.ProductsWith(in.Text("q"))
		list := searched(found, &tx.Products, func(p world.Product) any { return showProduct(tx, p) })
		list.Key = func(i int) int64 { return found[i] }
		return list, nil
	case in.Unfiltered():
		return &api.List{
			Len:  tx.Products.Len(),
			Item: func(i int) any { return showProduct(tx, tx.Products.At(i)) },
			Key:  func(i int) int64 { return tx.Products.At(i).ID },
		}, nil
	}
	return findAndShowProducts(tx, in)
}

func findAndShowProducts(tx *world.Tx, in *api.In) (any, error) {
	return api.Kept(findProducts, showProduct, func(p world.Product) int64 { return p.ID })(tx, in)
}

// findProducts applies the filters of the list. Where a filter is about variants,
// one variant that fits is enough.
func findProducts(tx *world.Tx, in *api.In) ([]world.Product, error) {
	only := in.Ints("ids")
	if most := tx.Limits().ProductIDs; len(only) > most {
		return nil, body.Refuse("ids", fmt.Sprintf("The ids may not have more than %d items.", most))
	}
	if in.Has("published") && in.Has("visibility") {
		return nil, api.Unprocessable(publishedOrVisibility)
	}
	var out []world.Product
	keep := func(p world.Product) {
		if in.Selects(p.ID, p.CreatedAt, p.UpdatedAt) && matchesProduct(in, p) && matchesVariants(tx, in, p) {
			out = append(out, p)
		}
	}
	category, inCategory := in.Int("category_id")
	filed := func(p world.Product) bool { return !inCategory || slices.Contains(p.Categories, category) }
	switch {
	case in.Has("q"):
		for id, p := range candidates(tx, in, &tx.Products, (*world.Tx).ProductsWith) {
			if filed(p) && (!in.Has("ids") || slices.Contains(only, id)) {
				keep(p)
			}
		}
	case in.Has("ids"):
		slices.Sort(only)
		for _, id := range slices.Compact(only) {
			if p, ok := tx.Products.Get(id); ok && filed(p) {
				keep(p)
			}
		}
	case inCategory:
		for _, p := range tx.Products.Where("category", strconv.FormatInt(category, 10)) {
			keep(p)
		}
	default:
		since, _ := in.Int("since_id")
		for _, p := range tx.Products.After(since) {
			keep(p)
		}
	}
	if !in.Has("since_id") {
		sortProducts(tx, in.Text("sort_by"), out)
	}
	return out, nil
}

// matchesProduct applies the filters that depend on the product alone. language is that of handle.
func matchesProduct(in *api.In, p world.Product) bool {
	if handle := in.Text("handle"); handle != "" && !slices.Contains(anyText(p.Handle, in.Text("language")), handle) {
		return false
	}
	if published, ok := in.Bool("published"); ok && p.Published != published {
		return false
	}
	switch in.Text("visibility") {
	case "visible":
		if !p.Published {
			return false
		}
	case "hidden":
		if p.Published {
			return false
		}
	case "unlisted":
		return false // no product of this catalog is half published
	}
	free, ok := in.Bool("free_shipping")
	return !ok || p.FreeShipping == free
}

// aboutVariants are the parameters that need a look at the variants.
var aboutVariants = []string{
	"max_stock", "min_stock", "has_promotional_price", "has_weight", "has_all_dimensions", "has_weight_and_all_dimensions",
}

func matchesVariants(tx *world.Tx, in *api.In, p world.Product) bool {
	if !slices.ContainsFunc(aboutVariants, in.Has) {
		return true
	}
	variants := variantsOf(tx, p.ID)
	has := func(parameter string, fits func(world.Variant) bool) bool {
		want, ok := in.Bool(parameter)
		return !ok || slices.ContainsFunc(variants, fits) == want
	}
	return matchesStock(tx, in, variants) &&
		has("has_promotional_price", func(v world.Variant) bool { return v.PromotionalPrice.Valid }) &&
		has("has_weight", weighs) &&
		has("has_all_dimensions", measured) &&
		has("has_weight_and_all_dimensions", func(v world.Variant) bool { return weighs(v) && measured(v) })
}

func weighs(v world.Variant) bool { return positive(v.Weight) }

func measured(v world.Variant) bool {
	return positive(v.Width) && positive(v.Height) && positive(v.Depth)
}

func positive(d decimal.NullDecimal) bool { return d.Valid && d.Decimal.IsPositive() }

// matchesStock applies min_stock and max_stock. Unlimited stock is more than any.
func matchesStock(tx *world.Tx, in *api.In, variants []world.Variant) bool {
	most, hasMost := in.Int("max_stock")
	least, hasLeast := in.Int("min_stock")
	if !hasMost && !hasLeast {
		return true
	}
	return slices.ContainsFunc(variants, func(v world.Variant) bool {
		stock, finite := stockOf(tx, v.ID)
		if !finite {
			return !hasMost
		}
		return (!hasMost || stock <= most) && (!hasLeast || stock >= least)
	})
}

// sortProducts orders by one of the values of sort_by. Without one, or with the
// merchant's own order, products stay in the order they were created in.
func sortProducts(tx *world.Tx, by string, list []world.Product) {
	cut := max(strings.LastIndex(by, "-"), 0)
	direction := strings.TrimPrefix(by[cut:], "-")
	switch by[:cut] {
	case "price", "cost":
		prices := map[int64]decimal.NullDecimal{}
		for _, p := range list {
			prices[p.ID] = lowestPrice(tx, p.ID)
		}
		sortBy(list, direction, func(a, b world.Product) int { return comparePrices(prices[a.ID], prices[b.ID], direction) })
	case "alpha", "name":
		sortBy(list, direction, func(a, b world.Product) int {
			return cmp.Compare(strings.ToLower(tx.Store().MainText(a.Name)), strings.ToLower(tx.Store().MainText(b.Name)))
		})
	case "created-at":
		sortBy(list, direction, func(a, b world.Product) int { return a.CreatedAt.Compare(b.CreatedAt) })
	case "best": // best-selling
		sold := soldQuantities(tx)
		sortBy(list, "descending", func(a, b world.Product) int { return cmp.Compare(sold[a.ID], sold[b.ID]) })
	}
}

func sortBy[T any](list []T, direction string, compare func(a, b T) int) {
	slices.SortStableFunc(list, func(a, b T) int {
		if direction == "descending" {
			return compare(b, a)
		}
		return compare(a, b)
	})
}

// comparePrices puts products without a price last in either direction.
func comparePrices(a, b decimal.NullDecimal, direction string) int {
	if a.Valid && b.Valid {
		return a.Decimal.Cmp(b.Decimal)
	}
	order := cmp.Compare(boolToInt(b.Valid), boolToInt(a.Valid))
	if direction == "descending" {
		return -order
	}
	return order
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func lowestPrice(tx *world.Tx, product int64) decimal.NullDecimal {
	var lowest decimal.NullDecimal
	for _, v := range variantsOf(tx, product) {
		if v.Price.Valid && (!lowest.Valid || v.Price.Decimal.LessThan(lowest.Decimal)) {
			lowest = v.Price
		}
	}
	return lowest
}

// soldQuantities counts, per product, the pieces in orders that were not cancelled.
func soldQuantities(tx *world.Tx) map[int64]int64 {
	sold := map[int64]int64{}
	for _, o := range tx.Orders.All() {
		if o.Status == "cancelled" {
			continue
		}
		for _, l := range o.Lines {
			sold[l.ProductID] += l.Quantity
		}
	}
	return sold
}
