package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// DraftOrder is an order that is not confirmed yet.
type DraftOrder struct {
	ID ID `json:"id"`
	// Token locates the draft.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store that it belongs to
	// Number is 0 until the draft is confirmed.
	Number Int `json:"number"`
	Contact
	Billing
	ShippingContact
	Delivery
	// ShippingAddress is nil if nothing is shipped. In the answer to Create it holds
	// only the street; the rest is in ShippingContact.
	ShippingAddress     *OrderAddress                 `json:"shipping_address"`
	Coupon              []Coupon                      `json:"coupon"`               // the coupons that were entered
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // what promotions take off
	Totals
	CheckoutEnabled bool    `json:"checkout_enabled"` // as the platform tells; the contract does not say what for
	Weight          Measure `json:"weight"`           // kilograms
	Language        string  `json:"language"`         // language code, such as es
	// Gateway is "not-provided".
	Gateway string `json:"gateway"`
	// GatewayID is empty if there is none.
	GatewayID Code `json:"gateway_id"`
	// CustomInfo is free information of the store, the member "extra".
	CustomInfo Object `json:"extra"`
	// Storefront is StorefrontForm.
	Storefront Storefront `json:"storefront"`
	Note       string     `json:"note"`
	// OwnerNote holds the Note of DraftOrderInput; nil if there is none.
	OwnerNote *string `json:"owner_note"`
	CreatedAt Time    `json:"created_at"`
	UpdatedAt Time    `json:"updated_at"`
	// CompletedAt is zero until the draft is confirmed.
	CompletedAt CompletedAt `json:"completed_at"`
	// NextAction is NextActionNoop.
	NextAction     NextAction               `json:"next_action"`
	PaymentDetails Nullable[PaymentDetails] `json:"payment_details"` // how it was paid
	// Attributes are properties of line items.
	Attributes Object `json:"attributes"`
	// Customer is nil without the scope read_customers, and until the draft is confirmed.
	Customer     *Customer    `json:"customer"`
	Products     []LineItem   `json:"products"`      // what is in it, line by line
	CancelReason CancelReason `json:"cancel_reason"` // empty if it was not cancelled
	CancelledAt  Time         `json:"cancelled_at"`  // zero if it was not cancelled
	ClosedAt     Time         `json:"closed_at"`     // zero if it is not closed
	ReadAt       Time         `json:"read_at"`       // when the merchant looked at it first; zero if never
	ShippedAt    Time         `json:"shipped_at"`    // zero if it was not shipped
	PaidAt       Time         `json:"paid_at"`       // zero if it was not paid
	Status       OrderStatus  `json:"status"`        // open, closed or cancelled
	// PaymentStatus is PaymentPending, PaymentPendingConfirmation or PaymentPaid.
	PaymentStatus PaymentStatus `json:"payment_status"`
	// ShippingStatus is ShippingStatusUnpacked.
	ShippingStatus ShippingStatus `json:"shipping_status"`
	// LandingURL is nil for drafts that an app created.
	LandingURL    *string                 `json:"landing_url"`
	ClientDetails Nullable[ClientDetails] `json:"client_details"` // the browser that it came from
	// AppID is the app that created the draft; nil if none did.
	AppID *ID `json:"app_id"`
	// AbandonedCheckoutURL leads to the checkout; it is told by Create.
	AbandonedCheckoutURL string `json:"abandoned_checkout_url,omitzero"`
	CheckoutURL          string `json:"checkout_url"` // where the customer can pay it
	// SaleChannel is that of DraftOrderInput; nil if there was none, or the platform does not tell.
	SaleChannel *string `json:"sale_channel,omitzero"`
	// RiskManagement is of Brazilian stores; the contract names no members.
	RiskManagement Object `json:"risk_management,omitzero"`
	Extra          Extra  `json:",embed"`
}

// DraftOrderInput is the body of DraftOrderService.Create. The contact's names and
// email, the payment status and the products are required.
type DraftOrderInput struct {
	ContactName     string `json:"contact_name"`           // first name of who buys
	ContactLastname string `json:"contact_lastname"`       // last name of who buys
	ContactEmail    string `json:"contact_email"`          // where the customer is written to
	ContactPhone    string `json:"contact_phone,omitzero"` // phone number
	// IdentityNumber is the customer's, such as a CPF or CNPJ.
	IdentityNumber string `json:"cpf_cnpj,omitzero"`
	SaleChannel    string `json:"sale_channel,omitzero"` // how the sale came about, in words of the app
	// Note is kept as DraftOrder.OwnerNote.
	Note string `json:"note,omitzero"`
	// PaymentStatus is PaymentUnpaid, PaymentPendingConfirmation or PaymentPaid.
	PaymentStatus PaymentStatus       `json:"payment_status"`
	Products      []DraftProductInput `json:"products"` // at least one line
	// Discount is a percentage or an amount, as DiscountType says.
	Discount Opt[Money] `json:"discount,omitzero"`
	// DiscountType is DraftDiscountPercentage by default.
	DiscountType DraftDiscountType       `json:"discount_type,omitzero"`
	Shipping     Opt[DraftShippingInput] `json:"shipping,omitzero"` // how it is delivered, and for how much
}

// DraftProductInput is a line of a new draft.
type DraftProductInput struct {
	VariantID ID  `json:"variant_id"` // required
	Quantity  int `json:"quantity"`   // pieces, at least 1
	// Properties are what the customer filled in.
	Properties map[string]json.RawMessage `json:"properties,omitzero"`
}

// DraftShippingInput is how a new draft is shipped.
type DraftShippingInput struct {
	// Cost is paid by the customer.
	Cost            Opt[Money]        `json:"cost,omitzero"`
	ShippingAddress DraftAddressInput `json:"shipping_address,omitzero"` // where to
}

// DraftAddressInput is where a new draft is shipped.
type DraftAddressInput struct {
	Address  string `json:"address,omitzero"`  // the street
	Number   string `json:"number,omitzero"`   // house number
	Floor    string `json:"floor,omitzero"`    // floor or apartment
	Locality string `json:"locality,omitzero"` // quarter or part of the city
	City     string `json:"city,omitzero"`     // city or town
	Province string `json:"province,omitzero"` // province or state
	Zipcode  string `json:"zipcode,omitzero"`  // postal code
}

// DraftDiscountType says what the discount of a draft is.
type DraftDiscountType string

// The values of DraftDiscountType.
const (
	DraftDiscountPercentage DraftDiscountType = "percentage" // the discount is in percent
	DraftDiscountAbsolute   DraftDiscountType = "absolute"   // the discount is an amount in the store's currency
)

// Known reports whether the contract names the value.
func (t DraftDiscountType) Known() bool {
	return enum.Known(t, DraftDiscountPercentage, DraftDiscountAbsolute)
}

func (in DraftOrderInput) check() error {
	for _, required := range []struct{ name, value string }{
		{"contact_name", in.ContactName}, {"contact_lastname", in.ContactLastname}, {"contact_email", in.ContactEmail},
	} {
		if required.value == "" {
			return engine.Invalid(required.name, required.value, "a text")
		}
	}
	switch in.PaymentStatus {
	case PaymentUnpaid, PaymentPendingConfirmation, PaymentPaid:
	default:
		return engine.Invalid("payment_status", in.PaymentStatus, "unpaid, pending_confirmation or paid")
	}
	if len(in.Products) == 0 {
		return engine.Invalid("products", len(in.Products), "at least one product")
	}
	for i, p := range in.Products {
		if err := checkLine(p.VariantID, p.Quantity); err != nil {
			return fmt.Errorf("products[%d].%w", i, err)
		}
	}
	if in.DiscountType != "" && !in.DiscountType.Known() {
		return engine.Invalid("discount_type", in.DiscountType, "percentage or absolute")
	}
	return cmp.Or(checkDraftAmount("discount", in.Discount), checkDraftAmount("shipping.cost", in.Shipping.Or(DraftShippingInput{}).Cost))
}

func checkDraftAmount(field string, m Opt[Money]) error {
	if v := m.Or(Money{}); v.Cmp(Money{}) < 0 {
		return engine.Invalid(field, v, "0 or more")
	}
	return nil
}

// DraftOrderService reads drafts with the scope read_draft_orders and writes them
// with write_draft_orders. All versions have it. Drafts cannot be changed.
type DraftOrderService engine.Service

// List selects all drafts.
//
//api:endpoint GET /draft_orders
func (s *DraftOrderService) List() List[DraftOrder] {
	return listOf[DraftOrder](s, newQuery(), engine.ListSpec{Path: "/draft_orders", Whole: true})
}

// Get returns a draft.
//
//api:endpoint GET /draft_orders/{id}
func (s *DraftOrderService) Get(ctx context.Context, id ID) (*DraftOrder, error) {
	return engine.Get[DraftOrder](ctx, s, "/draft_orders/{id}", nil, id)
}

// Create adds a draft and returns it. It is not repeated after a failure that may have come too late: on
// ErrOutcomeUnknown look for a mark in its Note among all drafts, where it is the OwnerNote, or let Once do so.
//
//api:endpoint POST /draft_orders
func (s *DraftOrderService) Create(ctx context.Context, in DraftOrderInput) (*DraftOrder, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[DraftOrder](ctx, s, http.MethodPost, "/draft_orders", in)
}

// Confirm turns a draft into an order with the same id. It is not repeated after a failure
// that may have come too late: on ErrOutcomeUnknown ask OrderService.Get for that id. A
// draft that was confirmed is none any more, and is answered ErrNotFound.
//
//api:endpoint POST /draft_orders/{id}/confirm
func (s *DraftOrderService) Confirm(ctx context.Context, id ID) (*Order, error) {
	return engine.Send[Order](ctx, s, http.MethodPost, "/draft_orders/{id}/confirm", struct{}{}, id)
}

// Delete removes a draft.
//
//api:endpoint DELETE /draft_orders/{id}
func (s *DraftOrderService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/draft_orders/{id}", id)
}
