package res

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TablePrices returns the lines of a cart at what they cost its customer now: by the price table that the customer is
// approved for, or without one. The visit is that of the cart. Parts of kits keep their prices.
//
// All lines together have to reach the minimums of the table, at their prices without it. The lines that are given stay
// as they are.
func TablePrices(tx *world.Tx, v world.Visit, lines []world.Line) []world.Line {
	c, _ := tx.PriceTableCustomers.Get(v.CustomerID)
	t, ok := tx.PriceTables.Get(c.TableID)
	ok = ok && !c.ApprovedAt.IsZero() && t.Active && reaches(t, lines)
	lines = slices.Clone(lines)
	for i, l := range lines {
		if _, part := v.Kits[l.ID]; part {
			continue
		}
		price, base := basePrice(l), decimal.NullDecimal{}
		if ok {
			base = decimal.NewNullDecimal(price)
			variant, categories := exceptions(tx, t, l)
			price = tablePrice(t, price, variant, categories)
		}
		lines[i].Price, lines[i].BasePrice = price, base
	}
	return lines
}

// basePrice is what a line costs without a table.
func basePrice(l world.Line) decimal.Decimal {
	if l.BasePrice.Valid {
		return l.BasePrice.Decimal
	}
	return l.Price
}

// reaches reports whether a cart is as large as a table requires.
func reaches(t world.PriceTable, lines []world.Line) bool {
	var value decimal.Decimal
	var items int64
	for _, l := range lines {
		value = value.Add(basePrice(l).Mul(decimal.NewFromInt(l.Quantity)))
		items += l.Quantity
	}
	return (!t.MinimumPrice.Valid || value.GreaterThanOrEqual(t.MinimumPrice.Decimal)) &&
		(t.MinimumQuantity == nil || items >= *t.MinimumQuantity)
}

// exceptions are those of a table that a line falls under: that for its variant, if there is one, and those for the
// categories that its product is in.
func exceptions(tx *world.Tx, t world.PriceTable, l world.Line) (*world.PriceTableVariant, []world.PriceTableCategory) {
	var variant *world.PriceTableVariant
	if v, ok := tx.PriceTableVariants.Find("entry", world.TableEntry(t.ID, l.VariantID)); ok {
		variant = &v
	}
	var categories []world.PriceTableCategory
	p, _ := tx.Products.Get(l.ProductID)
	for _, id := range p.Categories {
		if c, ok := tx.PriceTableCategories.Find("entry", world.TableEntry(t.ID, id)); ok {
			categories = append(categories, c)
		}
	}
	return variant, categories
}

// tablePrice is what one piece costs in a table: the most exact rule wins. Of several categories the greatest discount
// counts. Percentages are taken off base and rounded to the cent, half a cent up.
func tablePrice(
	t world.PriceTable, base decimal.Decimal, variant *world.PriceTableVariant, categories []world.PriceTableCategory,
) decimal.Decimal {
	discount := t.DefaultDiscount
	switch {
	case variant != nil && variant.Price.Valid:
		return variant.Price.Decimal
	case variant != nil:
		discount = variant.Discount
	case len(categories) > 0:
		discount = categories[0].Discount
		for _, c := range categories[1:] {
			discount = decimal.Max(discount, c.Discount)
		}
	}
	return base.Mul(decimal.NewFromInt(100).Sub(discount)).Shift(-2).Round(2)
}
