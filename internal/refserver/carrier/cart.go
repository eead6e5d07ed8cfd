package carrier

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// CartParcel is the parcel of a cart of the storefront, or of an abandoned checkout: its lines without what is
// digital. The id of an item is that of its variant, so that carts with the same
// articles are alike. Each leaves from the first of places that has enough
// of it, or of all locations by priority if places is nil. A coupon of type shipping makes the delivery free.
func (p *Platform) CartParcel(store, cart int64, to Address, places []string) (Parcel, error) {
	out := Parcel{CartID: cart, To: to}
	err := p.world.View(0, store, func(tx *world.Tx) error {
		c, ok := tx.Carts.Get(cart)
		if k, abandoned := tx.Checkouts.Get(cart); !ok && abandoned {
			c = world.Cart{Lines: k.Lines, Coupons: k.Coupons, Language: k.Language, Converted: k.OrderID != 0}
			ok = true
		}
		if !ok || c.Converted {
			return fmt.Errorf("carrier: cart %d does not exist in store %d", cart, store)
		}
		out.Language = c.Language
		visit, _ := tx.Visits.Get(cart)
		for _, l := range res.TablePrices(tx, visit, c.Lines) {
			if product, ok := tx.Products.Get(l.ProductID); ok && !product.RequiresShipping {
				continue
			}
			out.Items = append(out.Items, Item{
				ID: l.VariantID, ProductID: l.ProductID, Name: l.Name, SKU: l.SKU, Quantity: l.Quantity, FreeShipping: l.FreeShipping,
				Grams: l.Weight.Mul(decimal.NewFromInt(1000)).Round(0).IntPart(), Price: l.Price, Cost: l.Cost,
				Width: l.Width, Height: l.Height, Depth: l.Depth, Location: stocked(tx, l, places),
			})
		}
		for _, id := range c.Coupons {
			k, _ := tx.Coupons.Get(id)
			out.FreeShipping = out.FreeShipping || k.Type == "shipping"
		}
		return nil
	})
	return out, err
}

// stocked is the location that a line of a cart leaves from: the first if none has enough, which is empty without
// places.
func stocked(tx *world.Tx, l world.Line, places []string) string {
	first := ""
	if len(places) > 0 {
		first = places[0]
	} else {
		all := tx.Locations.Values()
		slices.SortStableFunc(all, func(a, b world.Location) int { return cmp.Compare(a.Priority, b.Priority) })
		for _, place := range all {
			places = append(places, place.ID)
		}
	}
	for _, place := range places {
		if level, ok := tx.InventoryLevels.Find("place", world.Place(l.VariantID, place)); ok && level.Stock >= l.Quantity {
			return place
		}
	}
	return first
}
