package client

import (
	"context"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ValueChange is one change of the amount of an order.
type ValueChange struct {
	Status ValueStatus `json:"status"` // the event
	// TotalDelta is the change of the total. TotalPaidDiff is the difference between the total and the paid amount.
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
func (s ValueStatus) Known() bool { return wire.Known(s, ValuePending, ValueCancelled, ValuePaid) }

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
	return wire.Known(m,
		GatewayMethodCreditCard, GatewayMethodDebitCard, GatewayMethodCash, GatewayMethodWireTransfer, GatewayMethodPix, GatewayMethodOther,
	)
}

// Edition is one edit of an order.
type Edition struct {
	ProductChanges []ProductChange      `json:"product_changes"` // the changes of products
	ShippingCosts  []ShippingCostChange `json:"shipping_costs"`  // the changes of delivery costs
	// TransactionInformation is nil if the edit did not change the amount.
	TransactionInformation *ValueChange `json:"transaction_information"`
	// Reason is nil if absent.
	Reason     *string `json:"reason"`
	HappenedAt Time    `json:"happened_at"` // when it happened
	Extra      Extra   `json:",embed"`
}

// ProductChange is the change of one product in an edit.
type ProductChange struct {
	Type ProductChangeType `json:"type"` // whether pieces were added or removed
	// ModifiedStock is true if the edit also changed the stock.
	ModifiedStock    bool   `json:"modified_stock"`
	PreviousQuantity Int    `json:"previous_quantity"` // pieces before the edit
	NewQuantity      Int    `json:"new_quantity"`      // pieces after the edit
	ProductName      string `json:"product_name"`      // at the time of the edit
	Extra            Extra  `json:",embed"`
}

// ProductChangeType is the direction of a ProductChange.
type ProductChangeType string

// The values of ProductChangeType.
const (
	ProductChangeAdded   ProductChangeType = "ADD"     // the quantity increased
	ProductChangeRemoved ProductChangeType = "REMOVED" // the quantity decreased, or the product was removed
)

// Known reports whether the contract names the value.
func (t ProductChangeType) Known() bool {
	return wire.Known(t, ProductChangeAdded, ProductChangeRemoved)
}

// ShippingCostChange is the change of the cost of a fulfillment order in an edit.
type ShippingCostChange struct {
	FulfillmentNumber    Code        `json:"fulfillment_number"`     // the platform's number of the fulfillment order
	PreviousMerchantCost MoneyNumber `json:"previous_merchant_cost"` // cost for the merchant before the edit
	NewMerchantCost      MoneyNumber `json:"new_merchant_cost"`      // cost for the merchant after the edit
	PreviousConsumerCost MoneyNumber `json:"previous_consumer_cost"` // cost for the customer before the edit
	NewConsumerCost      MoneyNumber `json:"new_consumer_cost"`      // cost for the customer after the edit
	Extra                Extra       `json:",embed"`
}

// OrderSubscription is a subscription that an order belongs to.
type OrderSubscription struct {
	ID                 string                `json:"id"`
	StoreID            ID                    `json:"store_id"`            // the store of the subscription
	MetaplanID         string                `json:"metaplan_id"`         // the subscription plan
	MetaplanName       string                `json:"metaplan_name"`       // the merchant's name of the plan
	CustomerID         ID                    `json:"customer_id"`         // the subscriber
	Email              string                `json:"email"`               // of the customer
	Status             string                `json:"status"`              // such as "active"
	InitialOrderID     ID                    `json:"initial_order_id"`    // the first order of the subscription
	InitialDate        Time                  `json:"initial_date"`        // when the first order was made
	Products           []SubscriptionProduct `json:"products"`            // the products of each delivery
	SubscriptionOption SubscriptionOption    `json:"subscription_option"` // the interval and the discount
	Extra              Extra                 `json:",embed"`
}

// SubscriptionProduct is a product that a subscription delivers.
type SubscriptionProduct struct {
	ProductID ID    `json:"product_id"` // the product
	VariantID ID    `json:"variant_id"` // the variant
	Quantity  Int   `json:"quantity"`   // pieces in each delivery
	Extra     Extra `json:",embed"`
}

// SubscriptionOption is the interval and the discount of a subscription.
type SubscriptionOption struct {
	ID string `json:"id"`
	// FrequencyType is a unit such as "months". FrequencyParam is the number of units.
	FrequencyType      string  `json:"frequency_type"`
	FrequencyParam     Int     `json:"frequency_param"`
	DiscountPercentage Decimal `json:"discount_percentage"` // the discount in percent
	Extra              Extra   `json:",embed"`
}

// DatedOrderService extends OrderService with the history and the subscriptions of an order. It is in the dated
// versions from 2025-03 on and in unstable. It requires the scope read_orders.
type DatedOrderService struct{ *OrderService }

// ValueHistory returns the changes of the amount of an order.
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
