package res

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// soldLines are the lines for a quantity of a variant: one, or for a kit one for each of its components. A kit that has
// lost a component cannot be sold.
func soldLines(tx *world.Tx, v world.Variant, quantity int64, language string) (lines []world.Line, ok bool) {
	whole := newLine(tx, v, language)
	whole.Quantity = quantity
	k, isKit := tx.Kits.Get(v.ProductID)
	if !isKit {
		return []world.Line{whole}, true
	}
	sold := &world.SoldKit{ProductID: k.ID, VariantID: v.ID, OrderKitID: tx.NewID(), Name: whole.Name, ImageID: whole.ImageID, Price: whole.Price}
	for _, c := range k.Components {
		if !tx.Products.Has(c.ProductID) {
			return nil, false
		}
		l := newLine(tx, single(tx, c.ProductID), language)
		l.Quantity, l.Kit = quantity*c.Quantity, sold
		if k.DiscountPercent.Valid {
			l.Price = l.Price.Mul(hundred().Sub(k.DiscountPercent.Decimal)).Div(hundred()).Round(2)
		}
		lines = append(lines, l)
	}
	return lines, len(lines) > 0
}

// repriced gives the lines of one product the price that the body has for it. The
// components of a kit share it in the proportion of their own prices; of a kit without
// a price the first component has it.
func repriced(tx *world.Tx, lines []world.Line, price decimal.Decimal) []world.Line {
	for i, l := range lines {
		switch {
		case l.Kit == nil:
			lines[i].Price = price
		case l.Kit.Price.IsPositive():
			lines[i].Price = l.Price.Mul(price).DivRound(l.Kit.Price, 2)
		case i == 0:
			k, _ := tx.Kits.Get(l.Kit.ProductID)
			lines[i].Price = price.DivRound(decimal.NewFromInt(max(k.Components[0].Quantity, 1)), 2)
		default:
			lines[i].Price = decimal.Decimal{}
		}
	}
	return lines
}

func hundred() decimal.Decimal { return decimal.NewFromInt(100) }

// soldKitJSON is the kit that a line of an order, a draft or a checkout is a component of.
type soldKitJSON struct {
	ID        int64  `json:"id"`
	VariantID int64  `json:"variant_id"`
	Name      string `json:"name"`
	Image     any    `json:"image"`
	Price     string `json:"price"`
}

func soldKitOnWire(tx *world.Tx, k *world.SoldKit) lineKitJSON {
	if k == nil {
		return lineKitJSON{}
	}
	return lineKitJSON{&k.ProductID, &k.OrderKitID, &soldKitJSON{k.ProductID, k.VariantID, k.Name, lineImage(tx, k.ImageID), money(k.Price)}}
}

// kitRefJSON is the kit that a line of a fulfillment order is a component of.
type kitRefJSON struct {
	CatalogKitID string `json:"catalog_kit_id"`
	OrderKitID   string `json:"order_kit_id"`
}

func kitRef(k *world.SoldKit) *kitRefJSON {
	if k == nil {
		return nil
	}
	return &kitRefJSON{strconv.FormatInt(k.ProductID, 10), strconv.FormatInt(k.OrderKitID, 10)}
}
