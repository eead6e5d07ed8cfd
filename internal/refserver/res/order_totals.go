package res

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// addUp computes the total of a sale from its lines, its coupons, its other discounts, and its shipping. Amounts are
// exact; only shares of an amount are rounded, half a cent up. No total is negative, because the coupons are limited to
// the rest.
func addUp(tx *world.Tx, s world.Sale) world.Sale { return addUpWith(tx, s, usable) }

// addUpGranted is addUp for coupons that were granted: they take off what they are
// worth, whatever has become of them since.
func addUpGranted(tx *world.Tx, s world.Sale) world.Sale {
	return addUpWith(tx, s, func(*world.Tx, world.Sale, world.Coupon) bool { return true })
}

func addUpWith(tx *world.Tx, s world.Sale, counts func(*world.Tx, world.Sale, world.Coupon) bool) world.Sale {
	granted := s.Discount.Sub(s.DiscountCoupon).Add(s.Excess)
	s.Subtotal, s.Weight = decimal.Decimal{}, decimal.Decimal{}
	for _, l := range s.Lines {
		n := decimal.NewFromInt(l.Quantity)
		s.Subtotal = s.Subtotal.Add(l.Price.Mul(n))
		s.Weight = s.Weight.Add(l.Weight.Mul(n))
	}
	var coupons decimal.Decimal
	for _, id := range s.Coupons {
		if c, ok := tx.Coupons.Get(id); ok && counts(tx, s, c) {
			coupons = coupons.Add(worth(tx, s, c))
		}
	}
	full := s.Subtotal.Add(s.ShippingCostCustomer)
	other := decimal.Min(granted, full)
	s.Excess = granted.Sub(other)
	s.DiscountCoupon = decimal.Min(coupons, full.Sub(other))
	s.Discount = other.Add(s.DiscountCoupon)
	s.Total = full.Sub(s.Discount)
	s.TotalUSD = inUSD(s.Total, s.Currency)
	return s
}

// usable reports whether a coupon may be used for a sale now.
func usable(tx *world.Tx, s world.Sale, c world.Coupon) bool { return whyUnusable(tx, s, c) == "" }

// worth is what a coupon takes off a sale that it may be used for.
func worth(tx *world.Tx, s world.Sale, c world.Coupon) decimal.Decimal {
	var eligible decimal.Decimal
	for _, l := range s.Lines {
		if applies(tx, c, l) {
			eligible = eligible.Add(l.Price.Mul(decimal.NewFromInt(l.Quantity)))
		}
	}
	if c.IncludesShipping {
		eligible = eligible.Add(s.ShippingCostCustomer)
	}
	switch c.Type {
	case "percentage":
		return decimal.Min(eligible.Mul(c.Value.Decimal).Shift(-2).Round(2), eligible)
	case "absolute":
		return decimal.Min(c.Value.Decimal, eligible)
	case "shipping":
		return s.ShippingCostCustomer
	}
	return decimal.Decimal{}
}

// applies reports whether the coupon is for the product of a line.
func applies(tx *world.Tx, c world.Coupon, l world.Line) bool {
	if len(c.Products) > 0 {
		return slices.Contains(c.Products, l.ProductID)
	}
	if len(c.Categories) == 0 {
		return true
	}
	p, _ := tx.Products.Get(l.ProductID)
	return slices.ContainsFunc(p.Categories, func(k int64) bool { return slices.Contains(c.Categories, k) })
}

// bought reports whether an order that stands was made with the email.
func bought(tx *world.Tx, email string) bool {
	for _, o := range tx.Orders.All() {
		if email != "" && o.Status != orderCancelled && strings.EqualFold(o.ContactEmail, email) {
			return true
		}
	}
	return false
}

// inUSD converts at rates that are made up and never change.
func inUSD(d decimal.Decimal, currency string) decimal.Decimal {
	rate := int64(1)
	switch currency {
	case "ARS", "CLP":
		rate = 1000
	case "COP":
		rate = 4000
	case "BRL":
		rate = 5
	case "MXN":
		rate = 20
	}
	return d.DivRound(decimal.NewFromInt(rate), 2)
}
