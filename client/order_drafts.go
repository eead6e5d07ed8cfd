package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// DraftOrder is an order that has not been confirmed.
type DraftOrder struct {
	ID ID `json:"id"`
	// Token identifies the draft.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store of the draft
	// Number is 0 until the draft is confirmed.
	Number Int `json:"number"`
	Contact
	Billing
	ShippingContact
	Delivery
	// ShippingAddress is nil if nothing is shipped. The answer to Create has only the street; the rest is in
	// ShippingContact.
	ShippingAddress     *OrderAddress                 `json:"shipping_address"`
	Coupon              []Coupon                      `json:"coupon"`               // the coupons that the customer entered
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // the discount of promotions
	Totals
	CheckoutEnabled bool    `json:"checkout_enabled"` // as sent by the platform; the contract does not describe it
	Weight          Measure `json:"weight"`           // kilograms
	Language        string  `json:"language"`         // language code, such as es
	// Gateway is "not-provided".
	Gateway string `json:"gateway"`
	// GatewayID is empty if the platform sends none.
	GatewayID Code `json:"gateway_id"`
	// CustomInfo is free-form data of the store, the member "extra".
	CustomInfo Object `json:"extra"`
	// Storefront is StorefrontForm.
	Storefront Storefront `json:"storefront"`
	Note       string     `json:"note"`
	// OwnerNote holds the Note of DraftOrderInput, nil if absent.
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
	Products     []LineItem   `json:"products"`      // the line items
	CancelReason CancelReason `json:"cancel_reason"` // empty unless cancelled
	CancelledAt  Time         `json:"cancelled_at"`  // zero unless cancelled
	ClosedAt     Time         `json:"closed_at"`     // zero unless closed
	ReadAt       Time         `json:"read_at"`       // when the merchant first opened it; zero if never
	ShippedAt    Time         `json:"shipped_at"`    // zero unless shipped
	PaidAt       Time         `json:"paid_at"`       // zero unless paid
	Status       OrderStatus  `json:"status"`        // open, closed or cancelled
	// PaymentStatus is PaymentPending, PaymentPendingConfirmation or PaymentPaid.
	PaymentStatus PaymentStatus `json:"payment_status"`
	// ShippingStatus is ShippingStatusUnpacked.
	ShippingStatus ShippingStatus `json:"shipping_status"`
	// LandingURL is nil if an app created the draft.
	LandingURL    *string                 `json:"landing_url"`
	ClientDetails Nullable[ClientDetails] `json:"client_details"` // the browser of the customer
	// AppID is the app that created the draft, nil if none did.
	AppID *ID `json:"app_id"`
	// AbandonedCheckoutURL is the address of the checkout. Only the answer to Create has it.
	AbandonedCheckoutURL string `json:"abandoned_checkout_url,omitzero"`
	CheckoutURL          string `json:"checkout_url"` // where the customer can pay it
	// SaleChannel is that of DraftOrderInput, nil if it was unset or the platform does not send it.
	SaleChannel *string `json:"sale_channel,omitzero"`
	// RiskManagement is for Brazilian stores; the contract does not describe its members.
	RiskManagement Object `json:"risk_management,omitzero"`
	Extra          Extra  `json:",embed"`
}

// DraftOrderInput is the body of DraftOrderService.Create. ContactName, ContactLastname, ContactEmail, PaymentStatus
// and Products are required.
type DraftOrderInput struct {
	ContactName     string `json:"contact_name"`           // first name of the customer
	ContactLastname string `json:"contact_lastname"`       // last name of the customer
	ContactEmail    string `json:"contact_email"`          // email address of the customer
	ContactPhone    string `json:"contact_phone,omitzero"` // phone number
	// IdentityNumber is the identity document of the customer, such as a CPF or CNPJ.
	IdentityNumber string `json:"cpf_cnpj,omitzero"`
	SaleChannel    string `json:"sale_channel,omitzero"` // the origin of the sale, in the app's own words
	// Note is stored as DraftOrder.OwnerNote.
	Note string `json:"note,omitzero"`
	// PaymentStatus is PaymentUnpaid, PaymentPendingConfirmation or PaymentPaid.
	PaymentStatus PaymentStatus       `json:"payment_status"`
	Products      []DraftProductInput `json:"products"` // at least one line
	// Discount is a percentage or an amount, according to DiscountType.
	Discount Opt[Money] `json:"discount,omitzero"`
	// DiscountType is DraftDiscountPercentage by default.
	DiscountType DraftDiscountType       `json:"discount_type,omitzero"`
	Shipping     Opt[DraftShippingInput] `json:"shipping,omitzero"` // delivery and its cost
}

// DraftProductInput is a line of a new draft.
type DraftProductInput struct {
	VariantID ID  `json:"variant_id"` // required
	Quantity  int `json:"quantity"`   // pieces, at least 1
	// Properties are values that the customer entered.
	Properties map[string]json.RawMessage `json:"properties,omitzero"`
}

// DraftShippingInput is the delivery of a new draft.
type DraftShippingInput struct {
	// Cost is paid by the customer.
	Cost            Opt[Money]        `json:"cost,omitzero"`
	ShippingAddress DraftAddressInput `json:"shipping_address,omitzero"` // the destination
}

// DraftAddressInput is the shipping address of a new draft.
type DraftAddressInput struct {
	Address  string `json:"address,omitzero"`  // the street
	Number   string `json:"number,omitzero"`   // house number
	Floor    string `json:"floor,omitzero"`    // floor or apartment
	Locality string `json:"locality,omitzero"` // quarter or part of the city
	City     string `json:"city,omitzero"`     // city or town
	Province string `json:"province,omitzero"` // province or state
	Zipcode  string `json:"zipcode,omitzero"`  // postal code
}

// DraftDiscountType is the kind of discount of a draft.
type DraftDiscountType string

// The values of DraftDiscountType.
const (
	DraftDiscountPercentage DraftDiscountType = "percentage" // the discount is in percent
	DraftDiscountAbsolute   DraftDiscountType = "absolute"   // the discount is an amount in the store's currency
)

// Known reports whether the contract names the value.
func (t DraftDiscountType) Known() bool {
	return wire.Known(t, DraftDiscountPercentage, DraftDiscountAbsolute)
}

func (in DraftOrderInput) check() error {
	for _, required := range []struct{ name, value string }{
		{"contact_name", in.ContactName}, {"contact_lastname", in.ContactLastname}, {"contact_email", in.ContactEmail},
	} {
		if required.value == "" {
			return engine.Invalid(required.name, required.value, "a non-empty text")
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

// DraftOrderService reads drafts with the scope read_draft_orders and writes them with write_draft_orders. It is in all
// versions. Drafts cannot be changed.
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

// Create adds a draft and returns it. It is not retried after a failure if the platform may have processed the request.
// On ErrOutcomeUnknown, search all drafts for a marker in OwnerNote, which holds the Note of the input, or use Once.
//
//api:endpoint POST /draft_orders
func (s *DraftOrderService) Create(ctx context.Context, in DraftOrderInput) (*DraftOrder, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[DraftOrder](ctx, s, http.MethodPost, "/draft_orders", in)
}

// Confirm turns a draft into an order with the same id. It is not retried after a failure if the platform may have
// processed the request. On ErrOutcomeUnknown, call OrderService.Get with that id. A confirmed draft is no longer a
// draft, so confirming it again returns ErrNotFound.
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
