package client

import (
	"context"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// ValueChange is one change of the amount of an order.
type ValueChange struct {
	Status ValueStatus `json:"status"` // what happened
	// TotalDelta is the change of the total, TotalPaidDiff the difference between the
	// total and what is paid.
	TotalDelta    MoneyNumber `json:"total_delta"`
	TotalPaidDiff MoneyNumber `json:"total_paid_diff"`
	// GatewayMethod is empty and GatewayName nil if nothing was paid.
	GatewayMethod GatewayMethod `json:"gateway_method"`
	GatewayName   *string       `json:"gateway_name"`
	// ClosedAt is zero while the change is pending.
	ClosedAt   Time  `json:"closed_at"`
	HappenedAt Time  `json:"happened_at"` // when it happened
	Extra      Extra `json:",embed"`
}

// ValueStatus is the state of a ValueChange.
type ValueStatus string

// The values of ValueStatus.
const (
	ValuePending   ValueStatus = "PENDING"   // the payment is pending
	ValueCancelled ValueStatus = "CANCELLED" // the order was cancelled
	ValuePaid      ValueStatus = "PAID"      // it was paid
)

// Known reports whether the contract names the value.
func (s ValueStatus) Known() bool { return enum.Known(s, ValuePending, ValueCancelled, ValuePaid) }

// GatewayMethod is how a change of the amount was paid.
type GatewayMethod string

// The values of GatewayMethod.
const (
	GatewayMethodCreditCard   GatewayMethod = "credit_card"   // by credit card
	GatewayMethodDebitCard    GatewayMethod = "debit_card"    // by debit card
	GatewayMethodCash         GatewayMethod = "cash"          // in cash
	GatewayMethodWireTransfer GatewayMethod = "wire_transfer" // by wire transfer
	GatewayMethodPix          GatewayMethod = "pix"           // by Pix
	GatewayMethodOther        GatewayMethod = "other"         // in another way
)

// Known reports whether the contract names the value.
func (m GatewayMethod) Known() bool {
	return enum.Known(m,
		GatewayMethodCreditCard, GatewayMethodDebitCard, GatewayMethodCash, GatewayMethodWireTransfer, GatewayMethodPix, GatewayMethodOther,
	)
}

// Edition is one edit of an order.
type Edition struct {
	ProductChanges []ProductChange      `json:"product_changes"` // what became of the products
	ShippingCosts  []ShippingCostChange `json:"shipping_costs"`  // what became of the costs of delivery
	// TransactionInformation is nil if the edit did not change the amount.
	TransactionInformation *ValueChange `json:"transaction_information"`
	// Reason is nil if none was given.
	Reason     *string `json:"reason"`
	HappenedAt Time    `json:"happened_at"` // when it happened
	Extra      Extra   `json:",embed"`
}

// ProductChange is what an edit did to a product of the order.
type ProductChange struct {
	Type ProductChangeType `json:"type"` // whether it came or went
	// ModifiedStock is true if the edit changed the stock too.
	ModifiedStock    bool   `json:"modified_stock"`
	PreviousQuantity Int    `json:"previous_quantity"` // pieces before
	NewQuantity      Int    `json:"new_quantity"`      // pieces afterwards
	ProductName      string `json:"product_name"`      // at the time of the edit
	Extra            Extra  `json:",embed"`
}

// ProductChangeType says whether pieces came or went.
type ProductChangeType string

// The values of ProductChangeType.
const (
	ProductChangeAdded   ProductChangeType = "ADD"     // there is more of it
	ProductChangeRemoved ProductChangeType = "REMOVED" // there is less of it, or none
)

// Known reports whether the contract names the value.
func (t ProductChangeType) Known() bool {
	return enum.Known(t, ProductChangeAdded, ProductChangeRemoved)
}

// ShippingCostChange is what an edit did to the cost of a fulfillment order.
type ShippingCostChange struct {
	FulfillmentNumber    Code        `json:"fulfillment_number"`     // which fulfillment order, as the platform numbers them
	PreviousMerchantCost MoneyNumber `json:"previous_merchant_cost"` // what the merchant paid before
	NewMerchantCost      MoneyNumber `json:"new_merchant_cost"`      // what the merchant pays now
	PreviousConsumerCost MoneyNumber `json:"previous_consumer_cost"` // what the customer paid before
	NewConsumerCost      MoneyNumber `json:"new_consumer_cost"`      // what the customer pays now
	Extra                Extra       `json:",embed"`
}

// OrderSubscription is a subscription that an order belongs to.
type OrderSubscription struct {
	ID                 string                `json:"id"`
	StoreID            ID                    `json:"store_id"`            // the store that it belongs to
	MetaplanID         string                `json:"metaplan_id"`         // the plan of the store's subscriptions
	MetaplanName       string                `json:"metaplan_name"`       // as the merchant calls it
	CustomerID         ID                    `json:"customer_id"`         // who subscribed
	Email              string                `json:"email"`               // of the customer
	Status             string                `json:"status"`              // such as "active"
	InitialOrderID     ID                    `json:"initial_order_id"`    // the first order of the subscription
	InitialDate        Time                  `json:"initial_date"`        // when that was made
	Products           []SubscriptionProduct `json:"products"`            // what is delivered each time
	SubscriptionOption SubscriptionOption    `json:"subscription_option"` // how often
	Extra              Extra                 `json:",embed"`
}

// SubscriptionProduct is what a subscription delivers.
type SubscriptionProduct struct {
	ProductID ID    `json:"product_id"` // the product
	VariantID ID    `json:"variant_id"` // the variant
	Quantity  Int   `json:"quantity"`   // pieces each time
	Extra     Extra `json:",embed"`
}

// SubscriptionOption is how often a subscription delivers, and for how much less.
type SubscriptionOption struct {
	ID string `json:"id"`
	// FrequencyType is a unit such as "months", FrequencyParam how many of them.
	FrequencyType      string  `json:"frequency_type"`
	FrequencyParam     Int     `json:"frequency_param"`
	DiscountPercentage Decimal `json:"discount_percentage"` // what is taken off, in percent
	Extra              Extra   `json:",embed"`
}

// DatedOrderService is OrderService with what the dated versions, from 2025-03 on,
// and unstable add to it: the history of an order, and its subscriptions. The scope is read_orders.
type DatedOrderService struct{ *OrderService }

// ValueHistory returns how the amount of an order changed.
//
//api:endpoint GET /orders/{id}/history/values
func (s *DatedOrderService) ValueHistory(ctx context.Context, id ID) ([]ValueChange, error) {
	return orderParts(engine.Get[[]ValueChange](ctx, s.OrderService, "/orders/{id}/history/values", nil, id))
}

// EditionHistory returns the edits of an order.
//
//api:endpoint GET /orders/{id}/history/editions
func (s *DatedOrderService) EditionHistory(ctx context.Context, id ID) ([]Edition, error) {
	return orderParts(engine.Get[[]Edition](ctx, s.OrderService, "/orders/{id}/history/editions", nil, id))
}

// Subscriptions returns the subscriptions that an order belongs to.
//
//api:endpoint GET /orders/{id}/subscriptions
func (s *DatedOrderService) Subscriptions(ctx context.Context, id ID) ([]OrderSubscription, error) {
	out, err := engine.Get[struct {
		Items []OrderSubscription `json:"items"`
	}](ctx, s.OrderService, "/orders/{id}/subscriptions", nil, id)
	if err != nil {
		return nil, err
	}
	return out.Items, nil
}

func orderParts[T any](parts *[]T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return *parts, nil
}
