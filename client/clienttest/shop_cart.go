package clienttest

import (
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// Cart is a cart as its customer sees it.
type Cart struct {
	ID       client.ID
	Currency string     // ISO 4217 code of all amounts
	Language string     // language code, such as es
	Lines    []CartLine // in the order in which they were added
	// Discounts are the discounts per product, followed by the discounts over the cart.
	Discounts []CartDiscount
	Coupons   []string // codes of the coupons
	// Subtotal is the price of the lines. Promotions is the discount by apps, Coupon the discount by coupons. Total
	// includes Shipping.
	Subtotal, Promotions, Coupon, Shipping, Total client.Money
}

// CartLine is a line of a cart.
type CartLine struct {
	ID, ProductID, VariantID client.ID // of the line, its product and its variant
	Name                     string    // name of the product, in the language of the cart
	// Price is the price of a piece, Full the price of all pieces, Discount the discount by apps.
	Price, Full, Discount client.Money
	Quantity              int // pieces
	// KitID is the kit that the line is a component of; 0 if none.
	KitID client.ID
}

// CartDiscount is the discount of a promotion on a line, or on the cart.
type CartDiscount struct {
	AppID       client.ID // the app of the promotion
	PromotionID string    // a promotion of that app
	// Name is the name of the promotion, Text the text that the app shows, by language id.
	Name string
	Text map[string]string
	// Tier is line_item or cross_items.
	Tier string
	// LineID is 0 for a discount over the cart.
	LineID client.ID
	Amount client.Money // the discount
}

// Run is one cart that was sent to an app, and its outcome.
type Run struct {
	At            time.Time // time of the request, by the server's clock
	AppID, CartID client.ID // the app, and the cart
	// Tier is line_item or cross_items.
	Tier string
	URL  string // the app's discount callback
	// Request is the body that was sent, Signature its signature; empty if not signed.
	Request   []byte
	Signature string
	// Status is the app's answer, 0 if there was none in time. Late means that the time was over. Duration is by the
	// server's clock.
	Status   int
	Answer   []byte // body; nil if none came in time
	Late     bool
	Duration time.Duration
	// Outcome is applied, kept, removed (all discounts of the cart were removed), uninstalled (by a status 310) or
	// ignored (the app is not installed).
	Outcome string
	// Reason describes why the answer was not applied; empty if it was.
	Reason string
	// Faults describes the invalid commands of the answer, such as "command 2: …"; empty if all are valid.
	Faults []string
	// Warnings are about After. They name promotions and coupons that act on one cart although one of them does not
	// combine with the other. The platform's behaviour is not documented for this case, so the server applies both.
	Warnings []string
	// After is the cart after the run.
	After Cart
}

// Runs returns the last 10,000 carts that this Shop sent, the oldest first.
func (s *Shop) Runs() []Run {
	var out []Run
	for _, r := range storefront(s.front).Runs() {
		run := Run{
			At: r.At, AppID: client.ID(r.App), CartID: client.ID(r.Cart), Tier: string(r.Tier), URL: r.URL,
			Request: slices.Clone(r.Request), Signature: r.Signature, Status: r.Status, Answer: slices.Clone(r.Answer),
			Late: r.Late, Duration: r.Duration, Outcome: string(r.Outcome), Reason: r.Reason, Warnings: slices.Clone(r.Warnings),
			After: cartOf(r.After),
		}
		for i, v := range r.Commands {
			if v.Err != nil {
				run.Faults = append(run.Faults, fmt.Sprintf("command %d: %v", i+1, v.Err))
			}
		}
		out = append(out, run)
	}
	return out
}

// seen returns the cart after a possible change.
func seen(v shop.View, err error) (Cart, error) {
	if err != nil {
		return Cart{}, err
	}
	return cartOf(v), nil
}

func cartOf(v shop.View) Cart {
	c := Cart{
		ID: client.ID(v.ID), Currency: v.Currency, Language: v.Language, Coupons: v.Coupons,
		Subtotal: amount(v.Subtotal), Promotions: amount(v.Promotions), Coupon: amount(v.Coupon), Shipping: amount(v.Shipping), Total: amount(v.Total),
	}
	for _, l := range v.Lines {
		line := CartLine{
			ID: client.ID(l.ID), ProductID: client.ID(l.ProductID), VariantID: client.ID(l.VariantID), Name: l.Name,
			Price: amount(l.Price), Full: amount(l.Full), Discount: amount(l.Off), Quantity: int(l.Quantity),
		}
		if l.Kit != nil {
			line.KitID = client.ID(l.Kit.Catalog)
		}
		c.Lines = append(c.Lines, line)
	}
	for _, d := range v.Discounts {
		c.Discounts = append(c.Discounts, CartDiscount{
			AppID: client.ID(d.App), PromotionID: d.Promotion, Name: d.Name, Text: d.Text, Tier: string(d.Tier),
			LineID: client.ID(d.Line), Amount: amount(d.Amount),
		})
	}
	return c
}

// amount returns an amount with its two decimals. The storefront has no other amounts, and none that Money cannot hold.
func amount(d interface{ StringFixed(places int32) string }) client.Money {
	m, _ := client.ParseMoney(d.StringFixed(2))
	return m
}
