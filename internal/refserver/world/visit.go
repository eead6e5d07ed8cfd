package world

import (
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

// Visit has the storefront's data of a cart except its lines and coupons, under the id of the cart.
type Visit struct {
	CartID int64
	// CustomerID is 0 while nobody has logged in.
	CustomerID int64
	// Contact is who buys, as far as the first step of the checkout was filled in.
	Contact Contact
	// Country, City and Zipcode are empty for null.
	Country, City, Zipcode string
	ShippingCost           decimal.Decimal
	// PaymentMethod and CreditCardCompany are empty for null; Installments is 0 until
	// they are chosen.
	PaymentMethod     string
	CreditCardCompany string
	Installments      int
	UTM               []UTM
	// SoldBy is the seller staff user who started the sale, empty for null.
	SoldBy string
	// Kits has the kit of each line that was put into the cart as a part of one.
	Kits map[int64]LineKit
	// Discounts are what apps take off.
	Discounts []CartDiscount
}

// Contact is who buys. Empty texts are unknown.
type Contact struct {
	Name, Email, Phone, Identification string
}

// UTM is a campaign that the customer came from. The texts are empty for null.
type UTM struct {
	Source, Medium, Campaign, Term, Content string
	// Timestamp is in seconds.
	Timestamp int64
}

// LineKit is the kit that a line of a cart belongs to.
type LineKit struct {
	// Catalog is the kit of the catalog, Order the one in this cart.
	Catalog, Order int64
	// Quantity is how many kits, Each how many of the line in one.
	Quantity, Each int64
}

// CartDiscount is a promotion applied to a cart.
type CartDiscount struct {
	AppID       int64
	PromotionID string
	Tier        Tier
	// Cart is what a promotion over all products takes off, Lines what one per
	// product does, by line.
	Cart  Reduction
	Lines map[int64]Reduction
}

// Reduction is how much is taken off: an amount of money, or a part in percent.
type Reduction struct {
	Percentage bool
	Amount     decimal.Decimal
	// Text is shown to the customer, by language id.
	Text map[string]string
}

// With returns the discount with another reduction on a line, or over the cart if the
// line is 0.
func (d CartDiscount) With(line int64, r Reduction) CartDiscount {
	if line == 0 {
		d.Cart = r
		return d
	}
	lines := maps.Clone(d.Lines)
	if lines == nil {
		lines = map[int64]Reduction{}
	}
	lines[line] = r
	d.Lines = lines
	return d
}

// Without returns the discount without what it takes off a line.
func (d CartDiscount) Without(line int64) CartDiscount {
	d.Lines = maps.Clone(d.Lines)
	delete(d.Lines, line)
	return d
}

// LineIDs are the lines that a discount is on, in order; none for one over the cart.
func (d CartDiscount) LineIDs() []int64 { return slices.Sorted(maps.Keys(d.Lines)) }

func (tx *Tx) dropDiscounts(gone func(CartDiscount) bool) error {
	for _, v := range tx.Visits.All() {
		if !slices.ContainsFunc(v.Discounts, gone) {
			continue
		}
		v.Discounts = slices.DeleteFunc(slices.Clone(v.Discounts), gone)
		if err := tx.KeepVisit(v); err != nil {
			return err
		}
	}
	return nil
}

// KeepVisit writes a visit and lists its discounts with the cart.
func (tx *Tx) KeepVisit(v Visit) error {
	c, ok := tx.Carts.Get(v.CartID)
	if ok {
		c.Promotions = nil
		for _, d := range v.Discounts {
			c.Promotions = append(c.Promotions, CartPromotion{AppID: d.AppID, PromotionID: d.PromotionID, LineItems: d.LineIDs()})
		}
		if err := tx.Carts.Put(c.ID, c); err != nil {
			return err
		}
	}
	return tx.Visits.Put(v.CartID, v)
}
