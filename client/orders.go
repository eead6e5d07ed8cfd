package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Order is a purchase. Comments of fields name the versions that have them. In other versions these fields have their
// zero value.
type Order struct {
	ID ID `json:"id"`
	// Token identifies the order.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store of the order
	// Number counts the orders of the store, from 100; it differs from ID.
	Number Int `json:"number"`
	Contact
	Billing
	BillingCustomerType BillingCustomerType `json:"billing_customer_type"` // a person or a company
	BillingBusinessName string              `json:"billing_business_name"` // business name of a company
	BillingTradeName    string              `json:"billing_trade_name"`    // trade name of a company
	// BillingFiscalRegime and BillingInvoiceUse are for Mexican stores, 601 and G01 by default; nil for other stores.
	BillingFiscalRegime      *Code  `json:"billing_fiscal_regime"`
	BillingInvoiceUse        *Code  `json:"billing_invoice_use"`
	BillingStateRegistration string `json:"billing_state_registration"` // state registration of a company
	BillingDocumentType      string `json:"billing_document_type"`      // such as cnpj
	Delivery
	// ShippingCarrierName is nil for custom shipping. Only v1 has it.
	ShippingCarrierName *string `json:"shipping_carrier_name,omitzero"`
	// ShippingAddress is nil if nothing is shipped.
	ShippingAddress *OrderAddress `json:"shipping_address"`
	// SameBillingAndShippingAddress is in version 2025-03 and newer.
	SameBillingAndShippingAddress bool `json:"same_billing_and_shipping_address,omitzero"`
	// Coupon lists the applied coupons.
	Coupon              []Coupon                      `json:"coupon"`
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // the discount of promotions
	Totals
	PaidAmounts
	// CheckoutEnabled is deprecated by the platform.
	CheckoutEnabled bool    `json:"checkout_enabled"`
	Weight          Measure `json:"weight"`   // kilograms
	Language        string  `json:"language"` // language code, such as es
	// Gateway is the payment provider; "internal" means that the order was marked as paid manually.
	Gateway string `json:"gateway"`
	// GatewayID is the provider's id of the transaction, empty if absent.
	GatewayID   Code   `json:"gateway_id"`
	GatewayName string `json:"gateway_name"` // the payment provider, as customers know it
	// GatewayLink is nil if absent.
	GatewayLink *string `json:"gateway_link"`
	// CustomInfo is free-form data of the store, the member "extra".
	CustomInfo Object     `json:"extra"`
	Storefront Storefront `json:"storefront"` // the channel of the order
	// Note is the note of the customer. OwnerNote is the note of the store owner, nil if absent.
	Note        string      `json:"note"`
	OwnerNote   *string     `json:"owner_note"`
	CreatedAt   Time        `json:"created_at"`
	UpdatedAt   Time        `json:"updated_at"`
	CompletedAt CompletedAt `json:"completed_at"` // the same instant as CreatedAt
	// NextAction is only in v1.
	NextAction     NextAction               `json:"next_action,omitzero"`
	PaymentDetails Nullable[PaymentDetails] `json:"payment_details"` // how it was paid
	// Attributes are properties of line items.
	Attributes Object `json:"attributes"`
	// Customer requires the scope read_customers; nil without it.
	Customer *Customer  `json:"customer,omitzero"`
	Products []LineItem `json:"products"` // the line items
	// CancelReason is empty unless cancelled.
	CancelReason   CancelReason   `json:"cancel_reason"`
	CancelledAt    Time           `json:"cancelled_at"`    // zero unless cancelled
	ClosedAt       Time           `json:"closed_at"`       // zero unless closed
	ReadAt         Time           `json:"read_at"`         // when the merchant first opened it; zero if never
	PaidAt         Time           `json:"paid_at"`         // zero unless paid
	Status         OrderStatus    `json:"status"`          // open, closed or cancelled
	PaymentStatus  PaymentStatus  `json:"payment_status"`  // state of the payment
	ShippingStatus ShippingStatus `json:"shipping_status"` // state of the shipping
	// ShippedAt is when the first fulfillment order was shipped. Only v1 has it.
	ShippedAt Time `json:"shipped_at,omitzero"`
	// LandingURL is nil if an app created the order. Only v1 has it.
	LandingURL    *string                 `json:"landing_url,omitzero"`
	ClientDetails Nullable[ClientDetails] `json:"client_details"` // the browser of the customer
	// AppID is the app that created the order, nil if none did.
	AppID *ID `json:"app_id"`
	// IsSubscription is true for every purchase of a subscription. IsSubscriptionInitial is true for the first one.
	IsSubscription        bool `json:"is_subscription,omitzero"`
	IsSubscriptionInitial bool `json:"is_subscription_initial,omitzero"`
	// RiskManagement is for Brazilian stores; the contract does not describe its members.
	RiskManagement Object `json:"risk_management,omitzero"`
	OrderV1
	OrderFulfillments
	// CustomFields requires AggregateCustomFields in the request.
	CustomFields []OrderCustomField `json:"custom_fields,omitzero"`
	Extra        Extra              `json:",embed"`
}

// OrderV1 has members that appear in published examples of v1 but not in the contract's field tables. Absent members
// are nil or empty.
type OrderV1 struct {
	Name        string  `json:"name,omitzero"`      // # and the number, as shown to customers
	Price       *Money  `json:"price,omitzero"`     // the former name of Total
	PriceUSD    *Money  `json:"price_usd,omitzero"` // the former name of TotalUSD
	LandingSite *string `json:"landing_site"`       // the former name of LandingURL
	// BillingDefault is not documented. Its name suggests that it reports whether the billing address is the customer's
	// default.
	BillingDefault *bool `json:"billing_default,omitzero"`
	// LocationID is null in all examples. The fulfillment orders name the locations.
	LocationID *ulid.ULID `json:"location_id"`
}

// PaidAmounts are the amounts that the customer paid, under the names of each version.
type PaidAmounts struct {
	// PaidV1 is the member total_paid of v1. PaidIncludingFees is the same amount in newer versions. TotalPaid reads
	// either.
	PaidV1            *Money `json:"total_paid,omitzero"`
	PaidIncludingFees *Money `json:"total_paid_by_customer_including_fees,omitzero"`
	// TotalPaidByCustomer is the amount without the customer's fees, in version 2025-03 and newer; nil if absent.
	TotalPaidByCustomer *Money `json:"total_paid_by_customer,omitzero"`
}

// TotalPaid returns the amount that the customer paid, from reported transactions, including the customer's fees. It
// works in every version and returns 0 if the amount is absent.
func (p *PaidAmounts) TotalPaid() Money {
	for _, m := range []*Money{p.PaidIncludingFees, p.PaidV1} {
		if m != nil {
			return *m
		}
	}
	return Money{}
}

// OrderCustomField is a custom field of an order with its value.
type OrderCustomField struct {
	ID            uuid.UUID   `json:"id"`
	Name          string      `json:"name"`           // name of the field
	Key           string      `json:"key"`            // a slug of the name
	Description   string      `json:"description"`    // description of the field
	OwnerResource FieldOwner  `json:"owner_resource"` // always FieldOwnerOrder
	Source        FieldSource `json:"source"`         // creator of the field
	ValueType     ValueType   `json:"value_type"`     // text, number or date
	ReadOnly      bool        `json:"read_only"`      // merchants cannot set it in the admin panel
	// Value is a text for every type, empty if unset.
	Value Code  `json:"value"`
	Extra Extra `json:",embed"`
}

// Aggregate is a related record that an order includes on request.
type Aggregate string

// The values of Aggregate.
const (
	// AggregateFulfillmentOrders includes full fulfillment orders instead of their ids.
	AggregateFulfillmentOrders Aggregate = "fulfillment_orders"
	// AggregateCustomFields includes the custom fields with their values.
	AggregateCustomFields Aggregate = "custom_fields"
)

// OrderOptions selects the members of the answer of GetWith. The zero value requests the plain order.
type OrderOptions struct {
	// Fields lists the members to return; empty returns all.
	Fields     []string
	Aggregates []Aggregate // the related records that are included in full
}

func (o OrderOptions) query() url.Values {
	return newQuery().list("fields", o.Fields).aggregates(o.Aggregates).values
}

func (q *query) aggregates(aggregates []Aggregate) *query {
	return q.list("aggregates", texts(aggregates))
}

// texts returns typed strings as plain ones.
func texts[S ~string](values []S) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// OrderService reads orders with the scope read_orders and writes them with write_orders. It is in all versions. v1
// adds Pack and Fulfill; the other versions add the methods of DatedOrderService. No version deletes orders or marks
// them as paid. An order is paid when a transaction reports it.
type OrderService engine.Service

// List selects orders. One query returns 10,000 orders at most; Crawl reads more.
//
//api:endpoint GET /orders
func (s *OrderService) List(f OrderFilter) List[Order] {
	return listOf[Order](s, f.query(), engine.ListSpec{Path: "/orders", SinceID: true, MostResults: MaxOrders})
}

// Get returns an order. If fields are given, only these members are returned.
//
//api:endpoint GET /orders/{id}
func (s *OrderService) Get(ctx context.Context, id ID, fields ...string) (*Order, error) {
	return s.GetWith(ctx, id, OrderOptions{Fields: fields})
}

// GetWith is Get with the members and related records that o selects.
func (s *OrderService) GetWith(ctx context.Context, id ID, o OrderOptions) (*Order, error) {
	return engine.Get[Order](ctx, s, "/orders/{id}", o.query(), id)
}

// Create adds an order and returns it. It is not retried after a failure if the platform may have processed the
// request, because an order may send email and claim stock. Use Once to resolve an unknown outcome.
//
//api:endpoint POST /orders
func (s *OrderService) Create(ctx context.Context, in OrderInput) (*Order, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[Order](ctx, s, http.MethodPost, "/orders", in.body(Version(engine.VersionOf(s))))
}

// Update changes the owner's note, the status or both.
//
//api:endpoint PUT /orders/{id}
func (s *OrderService) Update(ctx context.Context, id ID, in OrderUpdate) (*Order, error) {
	if err := in.check(Version(engine.VersionOf(s))); err != nil {
		return nil, err
	}
	return engine.Send[Order](ctx, s, http.MethodPut, "/orders/{id}", in, id)
}

// Close archives an open order.
//
//api:endpoint POST /orders/{id}/close
func (s *OrderService) Close(ctx context.Context, id ID) (*Order, error) {
	return engine.Send[Order](ctx, s, http.MethodPost, "/orders/{id}/close", struct{}{}, id)
}

// Open reopens a closed order. A cancelled order cannot be reopened.
//
//api:endpoint POST /orders/{id}/open
func (s *OrderService) Open(ctx context.Context, id ID) (*Order, error) {
	return engine.Send[Order](ctx, s, http.MethodPost, "/orders/{id}/open", struct{}{}, id)
}

// Cancel cancels an open or closed order. By default it sends an email to the customer and returns the products to the
// stock. The payment status is unchanged; nothing is refunded. On ErrOutcomeUnknown, read Order.Status. Cancelling a
// cancelled order returns ErrValidation.
//
//api:endpoint POST /orders/{id}/cancel
func (s *OrderService) Cancel(ctx context.Context, id ID, in OrderCancel) (*Order, error) {
	if in.Reason != "" && !in.Reason.Known() {
		return nil, engine.Invalid("reason", in.Reason, "customer, inventory, fraud or other")
	}
	return engine.Send[Order](ctx, s, http.MethodPost, "/orders/{id}/cancel", in, id)
}
