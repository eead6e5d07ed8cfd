package res

import (
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func cartOps() []api.Op {
	read, write := []string{"read_orders"}, []string{"write_orders"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "carts.get", Method: "GET", Path: "/carts/{id}", Scopes: read, Versions: []string{api.V202503, api.Unstable},
			Errors: missing, Provenance: api.Assumed, Handler: getCart},
		{ID: "carts.removeLineItem", Method: "DELETE", Path: "/carts/{id}/line-items/{line_item_id}", Scopes: write, NoBody: true,
			Errors: missing, Handler: removeCartLine},
		{ID: "carts.removeCoupon", Method: "DELETE", Path: "/carts/{id}/coupons/{coupon_id}", Scopes: write, NoBody: true,
			Errors: missing, Handler: removeCartCoupon},
		{ID: "carts.discounts", Method: "GET", Path: "/carts/{id}/discounts", Feature: "discounts",
			Errors: missing, Provenance: api.Supplement, Handler: getCartDiscounts},
	}
}

type cartJSON struct {
	ID        int64      `json:"id"`
	Token     string     `json:"token"`
	StoreID   int64      `json:"store_id"`
	Currency  string     `json:"currency"`
	Language  string     `json:"language"`
	Products  []lineJSON `json:"products"`
	Coupon    []any      `json:"coupon"`
	CreatedAt string     `json:"created_at"`
	UpdatedAt string     `json:"updated_at"`
}

// getCart answers in the shape of checkouts, because no other is known.
func getCart(tx *world.Tx, in *api.In) (any, error) {
	c, err := cart(tx, in)
	if err != nil {
		return nil, err
	}
	out := cartJSON{
		ID:        c.ID,
		Token:     c.Token,
		StoreID:   tx.Store().ID,
		Currency:  c.Currency,
		Language:  c.Language,
		Products:  []lineJSON{},
		Coupon:    []any{},
		CreatedAt: api.Stamp(c.CreatedAt),
		UpdatedAt: api.Stamp(c.UpdatedAt),
	}
	for _, l := range c.Lines {
		out.Products = append(out.Products, lineOnWire(tx, in, l))
	}
	for _, id := range c.Coupons {
		if k, ok := tx.Coupons.Get(id); ok {
			out.Coupon = append(out.Coupon, showCoupon(tx, in, k))
		}
	}
	return out, nil
}

// cart is the one that the path names, as long as it can be changed. A checkout of
// the same id that was abandoned is a cart again for a few hours, and no longer.
func cart(tx *world.Tx, in *api.In) (world.Cart, error) {
	id := in.ID("id")
	c, isCart := tx.Carts.Get(id)
	k, isCheckout := tx.Checkouts.Get(id)
	switch {
	case isCart && c.Converted, !isCart && !isCheckout,
		isCheckout && (k.OrderID != 0 || !allows(tx, k, makeCart)):
		return c, api.NotFound("")
	case !isCart:
		c = world.Cart{ID: k.ID, Token: k.Token, Lines: k.Lines, Coupons: k.Coupons, Currency: k.Currency, Language: k.Language,
			CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt}
	}
	v, _ := tx.Visits.Get(id)
	c.Lines = TablePrices(tx, v, c.Lines)
	return c, nil
}

// keepCart writes a cart that has changed and, if the purchase was abandoned, the
// checkout that it is of.
func keepCart(tx *world.Tx, c world.Cart) (any, error) {
	v, _ := tx.Visits.Get(c.ID)
	c.Lines, c.UpdatedAt = TablePrices(tx, v, c.Lines), tx.Now()
	if k, ok := tx.Checkouts.Get(c.ID); ok {
		k.Lines, k.Coupons = c.Lines, c.Coupons
		if _, err := KeepCheckout(tx, k); err != nil {
			return nil, err
		}
	}
	return api.Empty{}, tx.Carts.Put(c.ID, c)
}

func removeCartLine(tx *world.Tx, in *api.In) (any, error) {
	c, err := cart(tx, in)
	if err != nil {
		return nil, err
	}
	id := in.ID("line_item_id")
	left := slices.DeleteFunc(slices.Clone(c.Lines), func(l world.Line) bool { return l.ID == id })
	if len(left) == len(c.Lines) {
		return nil, api.NotFound("")
	}
	c.Lines = left
	if k, ok := tx.Checkouts.Get(c.ID); ok {
		if err := tx.Checkouts.Put(c.ID, undiscounted(k, id)); err != nil {
			return nil, err
		}
	}
	if _, err := keepCart(tx, c); err != nil {
		return nil, err
	}
	return api.Empty{}, undiscount(tx, c.ID, id)
}

// undiscounted is a checkout without what apps take off a line that is gone from its cart.
func undiscounted(k world.Checkout, line int64) world.Checkout {
	k.Promotions = slices.DeleteFunc(slices.Clone(k.Promotions), func(p world.SalePromotion) bool {
		if p.LineID == line {
			k.Discount = k.Discount.Sub(p.Amount)
		}
		return p.LineID == line
	})
	return k
}

// undiscount forgets what apps take off a line that is gone from a cart.
func undiscount(tx *world.Tx, cart, line int64) error {
	v, ok := tx.Visits.Get(cart)
	if !ok {
		return nil
	}
	v.Discounts = each(v.Discounts, func(d world.CartDiscount) world.CartDiscount { return d.Without(line) })
	v.Discounts = slices.DeleteFunc(v.Discounts, func(d world.CartDiscount) bool { return d.Tier == world.LineItem && len(d.Lines) == 0 })
	return tx.KeepVisit(v)
}

func removeCartCoupon(tx *world.Tx, in *api.In) (any, error) {
	c, err := cart(tx, in)
	if err != nil {
		return nil, err
	}
	id := in.ID("coupon_id")
	left := slices.DeleteFunc(slices.Clone(c.Coupons), func(k int64) bool { return k == id })
	if len(left) == len(c.Coupons) {
		return nil, api.NotFound("")
	}
	c.Coupons = left
	return keepCart(tx, c)
}

type cartPromotionJSON struct {
	PromotionID string   `json:"promotion_id"`
	LineItems   []string `json:"line_items"`
}

// getCartDiscounts lists the promotions of the calling app.
func getCartDiscounts(tx *world.Tx, in *api.In) (any, error) {
	c, err := cart(tx, in)
	if err != nil {
		return nil, err
	}
	out := struct {
		Data []cartPromotionJSON `json:"data"`
	}{[]cartPromotionJSON{}}
	for _, p := range c.Promotions {
		if p.AppID != in.App.ID {
			continue
		}
		shown := cartPromotionJSON{PromotionID: p.PromotionID, LineItems: []string{}}
		for _, id := range p.LineItems {
			shown.LineItems = append(shown.LineItems, strconv.FormatInt(id, 10))
		}
		out.Data = append(out.Data, shown)
	}
	return out, nil
}
