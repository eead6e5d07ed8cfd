package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func checkoutOps() []api.Op {
	read := []string{"read_orders"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "checkouts.list", Method: "GET", Path: "/checkouts", Scopes: read,
			Query: api.Recurring(), Handler: api.Collection(findCheckouts, showCheckout)},
		{ID: "checkouts.get", Method: "GET", Path: "/checkouts/{checkout_id}", Scopes: read, Errors: missing, Handler: getCheckout},
		{ID: "checkouts.addCoupon", Method: "POST", Path: "/checkouts/{cart_id}/coupon", Scopes: []string{"write_orders"}, Provenance: api.Supplement,
			Errors: append(missing, api.ErrCase{Status: 422, Text: "coupon_id: " + body.Required("coupon id")},
				api.ErrCase{Status: 422, Text: couponAssigned}), Handler: addCheckoutCoupon},
	}
}

// couponAssigned is the contract's text.
const couponAssigned = "The checkout already has an assigned coupon."

type checkoutJSON struct {
	ID      int64 `json:"id"`
	StoreID int64 `json:"store_id"`
	saleJSON
	shippingJSON
	flatAddressJSON
	Customer             *struct{} `json:"customer"`     // null: nobody has bought
	CompletedAt          any       `json:"completed_at"` // null unless it became an order
	AbandonedCheckoutURL string    `json:"abandoned_checkout_url"`
}

func showCheckout(tx *world.Tx, in *api.In, c world.Checkout) any {
	sale := saleOnWire(tx, in, c.ID, c.Sale)
	sale.PromotionalDiscount.OrderID = c.ID
	out := checkoutJSON{
		ID:                   c.ID,
		StoreID:              tx.Store().ID,
		saleJSON:             sale,
		shippingJSON:         shippingOnWire(c.Sale, "noop"),
		flatAddressJSON:      flatAddress(c.Sale.ShippingAddress),
		AbandonedCheckoutURL: c.AbandonedURL,
	}
	if !c.CompletedAt.IsZero() {
		out.CompletedAt = completedOn(c.CompletedAt)
	}
	return out
}

// findCheckouts lists the checkouts that can still be read.
func findCheckouts(tx *world.Tx, in *api.In) ([]world.Checkout, error) {
	var out []world.Checkout
	for _, c := range tx.Checkouts.All() {
		if allows(tx, c, readCheckout) && in.Selects(c.ID, c.CreatedAt, c.UpdatedAt) {
			out = append(out, c)
		}
	}
	return out, nil
}

func getCheckout(tx *world.Tx, in *api.In) (any, error) {
	c, ok := tx.Checkouts.Get(in.ID("checkout_id"))
	if !ok || !allows(tx, c, readCheckout) {
		return nil, api.NotFound("")
	}
	return showCheckout(tx, in, c), nil
}

// addCheckoutCoupon attaches a coupon that exists, and takes off what it takes off
// now. A checkout that can no longer be read is there until it is deleted, and can
// still become an order.
func addCheckoutCoupon(tx *world.Tx, in *api.In) (any, error) {
	c, ok := tx.Checkouts.Get(in.ID("cart_id"))
	if !ok || c.OrderID != 0 || !allows(tx, c, attachCoupon) {
		return nil, api.NotFound("")
	}
	var b struct {
		CouponID body.Scalar `json:"coupon_id"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.CouponID.Text == "" {
		return nil, body.Missing("coupon_id")
	}
	id, _ := b.CouponID.Int()
	k, ok := tx.Coupons.Get(id)
	if !ok || !k.DeletedAt.IsZero() {
		return nil, api.NotFound("")
	}
	if len(c.Coupons) > 0 {
		return nil, api.Unprocessable(couponAssigned)
	}
	c.Coupons = []int64{k.ID}
	if cart, ok := tx.Carts.Get(c.ID); ok {
		cart.Coupons, cart.UpdatedAt = slices.Clone(c.Coupons), tx.Now()
		if err := tx.Carts.Put(cart.ID, cart); err != nil {
			return nil, err
		}
	}
	c, err := KeepCheckout(tx, c)
	if err != nil {
		return nil, err
	}
	return showCheckout(tx, in, c), nil
}

// KeepCheckout adds up a checkout that has changed and writes it.
func KeepCheckout(tx *world.Tx, c world.Checkout) (world.Checkout, error) {
	c.Sale = addUp(tx, c.Sale)
	c.UpdatedAt = tx.Now()
	return c, tx.Checkouts.Put(c.ID, c)
}
