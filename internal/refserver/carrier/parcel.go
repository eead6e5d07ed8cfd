package carrier

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Parcel is the purchase of a customer at the checkout.
type Parcel struct {
	// CartID is 0 for null.
	CartID int64
	// Language is empty for the main one of the store.
	Language string
	To       Address
	Items    []Item
	// FreeShipping is set if a promotion of the store makes the delivery free: options
	// that allow it cost the customer nothing.
	FreeShipping bool
}

// Address is a place. Empty texts are null.
type Address struct {
	Name, Address, Number, Floor, Locality, City, Province, Country, PostalCode, Phone string
}

// Item is a number of pieces of an article.
type Item struct {
	ID, ProductID int64
	Name          string
	// SKU is empty for null.
	SKU          string
	Quantity     int64
	FreeShipping bool
	Grams        int64
	Price        decimal.Decimal
	// Cost that is not valid is null.
	Cost decimal.NullDecimal
	// The dimensions are in centimetres.
	Width, Height, Depth decimal.Decimal
	// Location is where it leaves from; empty is the first location of the store.
	Location string
}

// origin is a location and the items that leave from it.
type origin struct {
	location world.Location
	items    []Item
}

// origins splits the parcel, in the order in which the locations occur.
func (p Parcel) origins(tx *world.Tx) ([]origin, error) {
	if len(p.Items) == 0 {
		return nil, errors.New("items: must have at least one")
	}
	var out []origin
	for i, item := range p.Items {
		l, ok := tx.FirstLocation(), true
		if item.Location != "" {
			l, ok = tx.Locations.Get(item.Location)
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("items[%d].location %q does not exist in the store", i, item.Location)
		case item.Quantity < 1:
			return nil, fmt.Errorf("items[%d].quantity %d: must be 1 or more", i, item.Quantity)
		case item.Grams < 0 || item.Price.IsNegative() || item.Width.IsNegative() || item.Height.IsNegative() || item.Depth.IsNegative():
			return nil, fmt.Errorf("items[%d]: price, weight and dimensions must be 0 or more", i)
		}
		at := slices.IndexFunc(out, func(o origin) bool { return o.location.ID == l.ID })
		if at < 0 {
			at = len(out)
			out = append(out, origin{location: l})
		}
		out[at].items = append(out[at].items, item)
	}
	return out, nil
}
