package shop

import (
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// View is a cart as the customer sees it. It shares nothing with the world.
type View struct {
	ID         int64
	Currency   string
	Language   string
	CustomerID int64
	Lines      []Line
	// Discounts are those per product, then those over the cart.
	Discounts []Discount
	Coupons   []string
	// Subtotal is what the lines cost. Of what is taken off, Promotions and Coupon are
	// the parts. Total includes Shipping.
	Subtotal, Promotions, Coupon, Shipping, Total decimal.Decimal
}

// Line is one of a cart.
type Line struct {
	world.Line
	// Kit is set for a component.
	Kit *world.LineKit
	// Full is what the pieces cost together, Off what apps take off them.
	Full, Off decimal.Decimal
}

// Discount is what a promotion takes off a line, or off the cart.
type Discount struct {
	App       int64
	Promotion string
	// Name is that of the promotion, and Text is displayed, by language id.
	Name string
	Text map[string]string
	Tier world.Tier
	// Line is 0 for a discount over the cart.
	Line int64
	// Percentage is true if Value is one.
	Percentage bool
	Value      decimal.Decimal
	// Amount is what is taken off.
	Amount decimal.Decimal
}

// view works out what a cart costs.
func view(tx *world.Tx, c cart) View {
	v := View{ID: c.ID, Currency: c.Currency, Language: c.Language, CustomerID: c.CustomerID, Shipping: c.ShippingCost}
	for _, l := range c.Lines {
		line := Line{Line: own(l), Full: l.Price.Mul(decimal.NewFromInt(l.Quantity))}
		if k, ok := c.Kits[l.ID]; ok {
			line.Kit = &k
		}
		v.Subtotal = v.Subtotal.Add(line.Full)
		v.Lines = append(v.Lines, line)
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		for _, d := range c.Discounts {
			if r, ok := d.Lines[l.ID]; ok {
				l.Off = l.Off.Add(v.take(tx, d, r, l.ID, l.Full, l.Full.Sub(l.Off)))
			}
		}
		v.Promotions = v.Promotions.Add(l.Off)
	}
	base := v.Subtotal.Sub(v.Promotions)
	left := base
	for _, d := range c.Discounts {
		if d.Tier == world.CrossItems {
			left = left.Sub(v.take(tx, d, d.Cart, 0, base, left))
		}
	}
	v.Promotions = v.Subtotal.Sub(left)
	v.coupons(tx, c, left.Add(v.Shipping))
	v.Total = left.Add(v.Shipping).Sub(v.Coupon)
	return v
}

// own is a line that shares nothing with the one of the world.
func own(l world.Line) world.Line {
	l.VariantValues, l.Claims, l.Properties = slices.Clone(l.VariantValues), slices.Clone(l.Claims), maps.Clone(l.Properties)
	for name, raw := range l.Properties {
		l.Properties[name] = slices.Clone(raw)
	}
	return l
}

// take notes a discount of the given amount, and of no more than the rest.
func (v *View) take(tx *world.Tx, d world.CartDiscount, r world.Reduction, line int64, whole, left decimal.Decimal) decimal.Decimal {
	amount := r.Amount
	if r.Percentage {
		amount = whole.Mul(r.Amount).Shift(-2).Round(2)
	}
	amount = decimal.Min(amount, left)
	p, _ := tx.Promotions.Get(d.PromotionID)
	v.Discounts = append(v.Discounts, Discount{
		App: d.AppID, Promotion: d.PromotionID, Name: p.Name, Text: maps.Clone(r.Text), Tier: d.Tier, Line: line,
		Percentage: r.Percentage, Value: r.Amount, Amount: amount,
	})
	return amount
}

func (v *View) coupons(tx *world.Tx, c cart, left decimal.Decimal) {
	for _, id := range c.Coupons {
		k, _ := tx.Coupons.Get(id)
		v.Coupons = append(v.Coupons, k.Code)
	}
	sale := world.Sale{Lines: c.Lines, Coupons: c.Coupons, ShippingCostCustomer: c.ShippingCost, Currency: c.Currency}
	if customer, ok := tx.Customers.Get(c.CustomerID); ok {
		sale.ContactEmail = customer.Email
	}
	v.Coupon = decimal.Min(res.CouponDiscount(tx, sale), left)
}
