package client

import (
	"context"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Times in the life of an abandoned checkout.
const (
	CheckoutReadable = 30 * 24 * time.Hour // it can be read for 30 days
	CheckoutDeleted  = 90 * 24 * time.Hour // it is deleted after 90 days
	CheckoutCart     = 6 * time.Hour       // a cart can be made of it up to 6 hours after
)

// Checkout is a purchase that the customer did not finish after the second step
// of the checkout.
type Checkout struct {
	ID ID `json:"id"`
	// Token locates the checkout.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store that it belongs to
	Contact
	Billing
	ShippingContact
	Delivery
	// ShippingAddress holds only the street, in Address; the rest is in
	// ShippingContact. Nil if nothing is shipped.
	ShippingAddress     *OrderAddress                 `json:"shipping_address"`
	Coupon              []Coupon                      `json:"coupon"`               // the coupons that were entered
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // what promotions take off
	Totals
	Note            *string `json:"note"`             // the customer's; nil if there is none
	CheckoutEnabled bool    `json:"checkout_enabled"` // as the platform tells; the contract does not say what for
	Weight          Measure `json:"weight"`           // kilograms
	Language        string  `json:"language"`         // language code, such as es
	// Gateway and GatewayID are empty until the customer chose a way of payment.
	Gateway   string `json:"gateway"`
	GatewayID Code   `json:"gateway_id"`
	// CustomInfo is free information of the store, the member "extra".
	CustomInfo Object     `json:"extra"`
	Storefront Storefront `json:"storefront"` // where the purchase was begun
	CreatedAt  Time       `json:"created_at"`
	UpdatedAt  Time       `json:"updated_at"`
	// CompletedAt is zero.
	CompletedAt CompletedAt `json:"completed_at"`
	// NextAction is one of the first four values.
	NextAction     NextAction               `json:"next_action"`
	PaymentDetails Nullable[PaymentDetails] `json:"payment_details"` // how it was paid
	// Attributes are properties of line items.
	Attributes Object `json:"attributes"`
	// Customer is nil: the contact is in Contact.
	Customer *Customer  `json:"customer,omitzero"`
	Products []LineItem `json:"products"` // what is in it, line by line
	// AbandonedCheckoutURL leads the customer back to the checkout.
	AbandonedCheckoutURL string `json:"abandoned_checkout_url"`
	CheckoutURL          string `json:"checkout_url,omitzero"` // that of the checkout; empty if it is not told
	Extra                Extra  `json:",embed"`
}

// CheckoutFilter selects abandoned checkouts of the last 30 days. The zero filter
// selects all of them.
type CheckoutFilter struct {
	Paging
	// SinceID selects checkouts with a greater id.
	SinceID ID
	// CreatedMax and UpdatedMax are the last instants to include; zero is no bound.
	CreatedMax, UpdatedMax time.Time
}

func (f CheckoutFilter) query() *query {
	return newQuery().paging(f.Paging).id("since_id", f.SinceID).
		time("created_at_max", f.CreatedMax).time("updated_at_max", f.UpdatedMax)
}

// CheckoutService reads abandoned checkouts with the scope read_orders; attaching
// a coupon needs write_orders. All versions have it.
type CheckoutService engine.Service

// List selects abandoned checkouts. None found is an empty page, although the
// platform answers 404 then.
//
//api:endpoint GET /checkouts
func (s *CheckoutService) List(f CheckoutFilter) List[Checkout] {
	return listOf[Checkout](s, f.query(), engine.ListSpec{Path: "/checkouts", SinceID: true, EmptyNotFound: true})
}

// Get returns an abandoned checkout.
//
//api:endpoint GET /checkouts/{checkout_id}
func (s *CheckoutService) Get(ctx context.Context, id ID) (*Checkout, error) {
	return engine.Get[Checkout](ctx, s, "/checkouts/{checkout_id}", nil, id)
}

// AttachCoupon gives the checkout a coupon that exists already. A checkout takes
// only one. The contract calls the id that of the cart; the reference server takes
// Checkout.ID.
//
//api:endpoint POST /checkouts/{cart_id}/coupon
func (s *CheckoutService) AttachCoupon(ctx context.Context, cartID, couponID ID) (*Checkout, error) {
	if couponID <= 0 {
		return nil, engine.Invalid("coupon_id", couponID, "the id of a coupon")
	}
	in := struct {
		CouponID ID `json:"coupon_id"`
	}{couponID}
	return engine.Send[Checkout](ctx, s, http.MethodPost, "/checkouts/{cart_id}/coupon", in, cartID)
}
