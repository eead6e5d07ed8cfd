package client

import (
	"context"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Periods of an abandoned checkout.
const (
	CheckoutReadable = 30 * 24 * time.Hour // it can be read for 30 days
	CheckoutDeleted  = 90 * 24 * time.Hour // the platform deletes it after 90 days
	CheckoutCart     = 6 * time.Hour       // for up to 6 hours, a cart can be made from it
)

// Checkout is an abandoned checkout: a purchase that the customer did not complete after its second step.
type Checkout struct {
	ID ID `json:"id"`
	// Token identifies the checkout.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store that it belongs to
	Contact
	Billing
	ShippingContact
	Delivery
	// ShippingAddress has only the street, in Address; the rest is in ShippingContact. It is nil if nothing is shipped.
	ShippingAddress     *OrderAddress                 `json:"shipping_address"`
	Coupon              []Coupon                      `json:"coupon"`               // the coupons that were entered
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // the discount of promotions
	Totals
	Note            *string `json:"note"`             // the customer's note; nil if there is none
	CheckoutEnabled bool    `json:"checkout_enabled"` // the contract does not describe it
	Weight          Measure `json:"weight"`           // kilograms
	Language        string  `json:"language"`         // language code, such as es
	// Gateway and GatewayID are empty until the customer has chosen a payment method.
	Gateway   string `json:"gateway"`
	GatewayID Code   `json:"gateway_id"`
	// CustomInfo is custom information of the store. It is "extra" on the wire.
	CustomInfo Object     `json:"extra"`
	Storefront Storefront `json:"storefront"` // the channel where the purchase began
	CreatedAt  Time       `json:"created_at"`
	UpdatedAt  Time       `json:"updated_at"`
	// CompletedAt is zero for an abandoned checkout.
	CompletedAt CompletedAt `json:"completed_at"`
	// NextAction is one of the first four values of NextAction.
	NextAction     NextAction               `json:"next_action"`
	PaymentDetails Nullable[PaymentDetails] `json:"payment_details"` // how it was paid
	// Attributes are properties of line items.
	Attributes Object `json:"attributes"`
	// Customer is nil, because the contact is in Contact.
	Customer *Customer  `json:"customer,omitzero"`
	Products []LineItem `json:"products"` // the lines of the purchase
	// AbandonedCheckoutURL is the address at which the customer can continue the checkout.
	AbandonedCheckoutURL string `json:"abandoned_checkout_url"`
	CheckoutURL          string `json:"checkout_url,omitzero"` // the URL of the checkout; empty if the platform does not report it
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

// CheckoutService reads abandoned checkouts with the scope read_orders. Attaching a coupon requires write_orders. All
// versions have it.
type CheckoutService engine.Service

// List selects abandoned checkouts. If there are none, the page is empty, although the platform answers 404.
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

// AttachCoupon attaches an existing coupon to the checkout. A checkout can have only one. The contract calls the id
// that of the cart. The reference server accepts Checkout.ID.
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
