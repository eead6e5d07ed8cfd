package res

import (
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// CartLine is a line of the variant at what it costs a customer now: the promotional
// price, with the price to compare it with, or the price. A variant without a price
// cannot be put into a cart.
func CartLine(tx *world.Tx, v world.Variant, language string) (world.Line, bool) {
	if !v.Price.Valid {
		return world.Line{}, false
	}
	l := newLine(tx, v, language)
	l.CompareAtPrice = v.Price
	if v.PromotionalPrice.Valid {
		l.Price = v.PromotionalPrice.Decimal
	}
	return l, true
}

// CouponDiscount is what the coupons of a sale take off it now.
func CouponDiscount(tx *world.Tx, s world.Sale) decimal.Decimal {
	return addUp(tx, s).DiscountCoupon
}
