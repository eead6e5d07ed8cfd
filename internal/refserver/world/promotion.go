package world

import (
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Tier is what a promotion is applied over.
type Tier string

const (
	// LineItem promotions apply per product.
	LineItem Tier = "line_item"
	// CrossItems promotions apply over all products.
	CrossItems Tier = "cross_items"
)

// Tiers returns both, in the order in which they are applied to a cart.
func Tiers() []Tier { return []Tier{LineItem, CrossItems} }

// Promotion is a set of business rules that a discount app registered in a store. Its discount on a cart is a
// CartDiscount.
type Promotion struct {
	// ID is a UUID.
	ID string
	// AppID is the app that created it, the only one that sees it.
	AppID       int64
	Name        string
	Description string
	Disclaimer  string
	// Tier never changes.
	Tier         Tier
	Active       bool
	Combines     Combines
	Translations []PromotionText
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Combines has the discounts that may be combined with a promotion.
type Combines struct {
	QuantityDiscounts   bool
	FreeShipping        bool
	CartAmountDiscounts bool
	AppDiscounts        bool
	PriceDiscounts      bool
}

// PromotionText is a promotion in a language.
type PromotionText struct {
	Language    string
	Name        string
	Description string
	Disclaimer  string
}

// Indexes find the promotions of an app.
func (p Promotion) Indexes() []table.Entry {
	return []table.Entry{table.Multi("app", strconv.FormatInt(p.AppID, 10))}
}

// DiscountCallback is the address to which the carts of a store are sent.
type DiscountCallback struct {
	AppID     int64
	URL       string
	UpdatedAt time.Time
}

// PromotionsOf returns the promotions of an app in the store, the oldest first.
func (tx *Tx) PromotionsOf(app int64) []Promotion {
	var out []Promotion
	for _, p := range tx.Promotions.Where("app", strconv.FormatInt(app, 10)) {
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Promotion) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out
}

// PromotionElsewhere reports whether another store has the promotion.
func (tx *Tx) PromotionElsewhere(id string) bool {
	for store, data := range tx.state.data.All() {
		if store != tx.store.ID && data.Promotions.Has(id) {
			return true
		}
	}
	return false
}

// DropPromotions removes the promotions of an app from the store, and their discounts from the carts.
func (tx *Tx) DropPromotions(app int64) error {
	for _, p := range tx.PromotionsOf(app) {
		tx.Promotions.Delete(p.ID)
	}
	return tx.dropDiscounts(func(d CartDiscount) bool { return d.AppID == app })
}

// DropDiscounts takes what one promotion takes off out of the carts.
func (tx *Tx) DropDiscounts(promotion string) error {
	return tx.dropDiscounts(func(d CartDiscount) bool { return d.PromotionID == promotion })
}
