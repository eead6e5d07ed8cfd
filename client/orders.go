package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Order is a purchase. What only some versions tell says so; its zero value stands
// for "not told" too.
type Order struct {
	ID ID `json:"id"`
	// Token locates the order.
	Token   string `json:"token"`
	StoreID ID     `json:"store_id"` // the store that it belongs to
	// Number counts the orders of the store, from 100; it differs from ID.
	Number Int `json:"number"`
	Contact
	Billing
	BillingCustomerType BillingCustomerType `json:"billing_customer_type"` // a person or a company
	BillingBusinessName string              `json:"billing_business_name"` // of a company
	BillingTradeName    string              `json:"billing_trade_name"`    // of a company
	// BillingFiscalRegime and BillingInvoiceUse are of Mexican stores, 601 and G01 by
	// default; nil elsewhere.
	BillingFiscalRegime      *Code  `json:"billing_fiscal_regime"`
	BillingInvoiceUse        *Code  `json:"billing_invoice_use"`
	BillingStateRegistration string `json:"billing_state_registration"` // of a company
	BillingDocumentType      string `json:"billing_document_type"`      // such as cnpj
	Delivery
	// ShippingCarrierName is nil for custom shipping; v1.
	ShippingCarrierName *string `json:"shipping_carrier_name,omitzero"`
	// ShippingAddress is nil if nothing is shipped.
	ShippingAddress *OrderAddress `json:"shipping_address"`
	// SameBillingAndShippingAddress is told from version 2025-03 on.
	SameBillingAndShippingAddress bool `json:"same_billing_and_shipping_address,omitzero"`
	// Coupon are the coupons applied.
	Coupon              []Coupon                      `json:"coupon"`
	PromotionalDiscount Nullable[PromotionalDiscount] `json:"promotional_discount"` // what promotions take off
	Totals
	PaidAmounts
	// CheckoutEnabled is deprecated by the platform.
	CheckoutEnabled bool    `json:"checkout_enabled"`
	Weight          Measure `json:"weight"`   // kilograms
	Language        string  `json:"language"` // language code, such as es
	// Gateway is the payment provider; "internal" marks a manual mark as paid.
	Gateway string `json:"gateway"`
	// GatewayID is the provider's id of the transaction; empty if there is none.
	GatewayID   Code   `json:"gateway_id"`
	GatewayName string `json:"gateway_name"` // the payment provider, as customers know it
	// GatewayLink is nil if the provider gave none.
	GatewayLink *string `json:"gateway_link"`
	// CustomInfo is free information of the store, the member "extra".
	CustomInfo Object     `json:"extra"`
	Storefront Storefront `json:"storefront"` // where the order was made
	// Note is the customer's, OwnerNote the store owner's; OwnerNote is nil if there is none.
	Note        string      `json:"note"`
	OwnerNote   *string     `json:"owner_note"`
	CreatedAt   Time        `json:"created_at"`
	UpdatedAt   Time        `json:"updated_at"`
	CompletedAt CompletedAt `json:"completed_at"` // the same instant as CreatedAt
	// NextAction is told in v1.
	NextAction     NextAction               `json:"next_action,omitzero"`
	PaymentDetails Nullable[PaymentDetails] `json:"payment_details"` // how it was paid
	// Attributes are properties of line items.
	Attributes Object `json:"attributes"`
	// Customer is told to apps with the scope read_customers; nil for others.
	Customer *Customer  `json:"customer,omitzero"`
	Products []LineItem `json:"products"` // what was bought, line by line
	// CancelReason is empty for an order that is not cancelled.
	CancelReason   CancelReason   `json:"cancel_reason"`
	CancelledAt    Time           `json:"cancelled_at"`    // zero if it was not cancelled
	ClosedAt       Time           `json:"closed_at"`       // zero if it is not closed
	ReadAt         Time           `json:"read_at"`         // when the merchant looked at it first; zero if never
	PaidAt         Time           `json:"paid_at"`         // zero if it was not paid
	Status         OrderStatus    `json:"status"`          // open, closed or cancelled
	PaymentStatus  PaymentStatus  `json:"payment_status"`  // how far it is paid
	ShippingStatus ShippingStatus `json:"shipping_status"` // how far it is shipped
	// ShippedAt is when the first fulfillment order was shipped; v1.
	ShippedAt Time `json:"shipped_at,omitzero"`
	// LandingURL is nil for orders that an app created; v1.
	LandingURL    *string                 `json:"landing_url,omitzero"`
	ClientDetails Nullable[ClientDetails] `json:"client_details"` // the browser that it came from
	// AppID is the app that created the order; nil if none did.
	AppID *ID `json:"app_id"`
	// IsSubscription is true for every purchase of a subscription,
	// IsSubscriptionInitial for the first one.
	IsSubscription        bool `json:"is_subscription,omitzero"`
	IsSubscriptionInitial bool `json:"is_subscription_initial,omitzero"`
	// RiskManagement is of Brazilian stores; the contract names no members.
	RiskManagement Object `json:"risk_management,omitzero"`
	OrderV1
	OrderFulfillments
	// CustomFields are told if AggregateCustomFields is asked for.
	CustomFields []OrderCustomField `json:"custom_fields,omitzero"`
	Extra        Extra              `json:",embed"`
}

// OrderV1 are members that published examples of v1 have and the fields of the contract do not. What is not told is nil
// or empty.
type OrderV1 struct {
	Name        string  `json:"name,omitzero"`      // # and the number, as customers see it
	Price       *Money  `json:"price,omitzero"`     // the former name of Total
	PriceUSD    *Money  `json:"price_usd,omitzero"` // the former name of TotalUSD
	LandingSite *string `json:"landing_site"`       // the former name of LandingURL
	// BillingDefault has no description. By its name it says whether the billing address is the customer's default.
	BillingDefault *bool `json:"billing_default,omitzero"`
	// LocationID is null in all examples. The fulfillment orders name the locations.
	LocationID *ulid.ULID `json:"location_id"`
}

// PaidAmounts are what the customer paid, under the names of the versions.
type PaidAmounts struct {
	// PaidV1 is the member total_paid of v1, PaidIncludingFees the same amount in
	// newer versions; TotalPaid reads either.
	PaidV1            *Money `json:"total_paid,omitzero"`
	PaidIncludingFees *Money `json:"total_paid_by_customer_including_fees,omitzero"`
	// TotalPaidByCustomer is the amount without the customer's fees, from version
	// 2025-03 on; nil if it is not told.
	TotalPaidByCustomer *Money `json:"total_paid_by_customer,omitzero"`
}

// TotalPaid returns the amount that the customer paid, from reported transactions,
// including the customer's fees, in every version; 0 if it is not told.
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
	Name          string      `json:"name"`           // that of the field
	Key           string      `json:"key"`            // a slug of the name
	Description   string      `json:"description"`    // that of the field
	OwnerResource FieldOwner  `json:"owner_resource"` // always FieldOwnerOrder
	Source        FieldSource `json:"source"`         // who made the field
	ValueType     ValueType   `json:"value_type"`     // what the value is: text, number or date
	ReadOnly      bool        `json:"read_only"`      // merchants cannot set it in the admin panel
	// Value is text, whatever the type; empty if there is none.
	Value Code  `json:"value"`
	Extra Extra `json:",embed"`
}

// Aggregate names something that is added to an order on demand.
type Aggregate string

// The values of Aggregate.
const (
	// AggregateFulfillmentOrders gives whole fulfillment orders instead of their ids.
	AggregateFulfillmentOrders Aggregate = "fulfillment_orders"
	// AggregateCustomFields gives the custom fields with their values.
	AggregateCustomFields Aggregate = "custom_fields"
)

// OrderOptions say what GetWith answers. The zero OrderOptions ask for the plain order.
type OrderOptions struct {
	// Fields names the members to answer; empty for all.
	Fields     []string
	Aggregates []Aggregate // what is answered in full beside the order
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

// OrderService reads orders with the scope read_orders and writes them with
// write_orders. All versions have it; v1 adds Pack and Fulfill, the others what
// DatedOrderService adds. No version deletes orders or marks them as paid: an order
// is paid when a transaction says so.
type OrderService engine.Service

// List selects orders. One query gives 10,000 orders at most; Crawl goes beyond.
//
//api:endpoint GET /orders
func (s *OrderService) List(f OrderFilter) List[Order] {
	return listOf[Order](s, f.query(), engine.ListSpec{Path: "/orders", SinceID: true, MostResults: MaxOrders})
}

// Get returns an order. With fields, only these members are answered.
//
//api:endpoint GET /orders/{id}
func (s *OrderService) Get(ctx context.Context, id ID, fields ...string) (*Order, error) {
	return s.GetWith(ctx, id, OrderOptions{Fields: fields})
}

// GetWith is Get for orders with what is told only if it is asked for.
func (s *OrderService) GetWith(ctx context.Context, id ID, o OrderOptions) (*Order, error) {
	return engine.Get[Order](ctx, s, "/orders/{id}", o.query(), id)
}

// Create adds an order and returns it. It is not repeated after a failure that may have come too
// late, because an order may send mail and claim stock; Once finds out what became of it.
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

// Cancel cancels an open or closed order. By default it sends mail to the customer
// and puts the stock back. The payment status stays as it is: nothing is paid back. On
// ErrOutcomeUnknown read Order.Status; an order that is cancelled is refused with ErrValidation.
//
//api:endpoint POST /orders/{id}/cancel
func (s *OrderService) Cancel(ctx context.Context, id ID, in OrderCancel) (*Order, error) {
	if in.Reason != "" && !in.Reason.Known() {
		return nil, engine.Invalid("reason", in.Reason, "customer, inventory, fraud or other")
	}
	return engine.Send[Order](ctx, s, http.MethodPost, "/orders/{id}/cancel", in, id)
}
