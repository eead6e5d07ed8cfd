package client

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// OrderEdit changes the products of an order, in version unstable. It is allowed while every fulfillment order is
// unpacked. It must not remove all products of a fulfillment order.
type OrderEdit struct {
	Products []OrderEditProduct `json:"products"` // at least one change
	// SkipShippingRequote leaves the cost of shipping unchanged.
	SkipShippingRequote bool `json:"skip_shipping_requote"`
	// AutoPartialRefund refunds the amount that the customer has overpaid. OrderEdited.AutoPartialRefundStatus reports
	// the result.
	AutoPartialRefund bool `json:"auto_partial_refund"`
	NotifyCustomer    bool `json:"notify_customer"` // sends an email to the customer
	// Reason is shown in the history of edits: see DatedOrderService.EditionHistory.
	Reason string `json:"reason,omitzero"`
}

// OrderEditProduct is one change. LineItemID changes an existing line; ProductID and VariantID add one.
type OrderEditProduct struct {
	LineItemID ID `json:"line_item_id,omitzero"`
	ProductID  ID `json:"product_id,omitzero"`
	VariantID  ID `json:"variant_id,omitzero"`
	// Quantity is the new quantity; 0 removes the line.
	Quantity int `json:"quantity"`
	// ModifyStock also changes the stock.
	ModifyStock        bool      `json:"modify_stock"`
	FulfillmentOrderID ulid.ULID `json:"fulfillment_order_id,omitzero"` // the fulfillment order that it applies to
}

// Check returns an error with ErrValidation if the edit is invalid.
func (e OrderEdit) Check() error {
	if len(e.Products) == 0 {
		return engine.Invalid("products", len(e.Products), "at least one change")
	}
	for i, p := range e.Products {
		field := fmt.Sprintf("products[%d].", i)
		switch {
		case p.Quantity < 0:
			return engine.Invalid(field+"quantity", p.Quantity, "0 or more")
		case p.LineItemID <= 0 && (p.ProductID <= 0 || p.VariantID <= 0):
			return engine.Invalid(field+"line_item_id", p.LineItemID, "a line to change, or a product and a variant to add")
		case p.LineItemID > 0 && (p.ProductID != 0 || p.VariantID != 0):
			return engine.Invalid(field+"product_id", p.ProductID, "a line to change or a product to add, not both")
		case p.LineItemID <= 0 && p.Quantity == 0:
			return engine.Invalid(field+"quantity", p.Quantity, "1 or more for a product to add")
		}
	}
	return nil
}

// OrderEdited is an order after an edit.
type OrderEdited struct {
	Order
	// AutoPartialRefundStatus is empty if absent.
	AutoPartialRefundStatus RefundStatus `json:"auto_partial_refund_status,omitzero"`
}

// RefundStatus is the result of an automatic refund.
type RefundStatus string

// The values of RefundStatus.
const (
	RefundSucceeded RefundStatus = "success" // the overpaid amount was refunded
	RefundSkipped   RefundStatus = "skipped" // nothing was refunded
	RefundFailed    RefundStatus = "failed"  // the refund failed
)

// Known reports whether the contract names the value.
func (s RefundStatus) Known() bool {
	return wire.Known(s, RefundSucceeded, RefundSkipped, RefundFailed)
}
