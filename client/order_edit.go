package client

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// OrderEdit changes the products of an order, in version unstable. It is allowed
// while every fulfillment order is unpacked, and may leave none without products.
type OrderEdit struct {
	Products []OrderEditProduct `json:"products"` // at least one change
	// SkipShippingRequote keeps the cost of shipping as it is.
	SkipShippingRequote bool `json:"skip_shipping_requote"`
	// AutoPartialRefund gives back what the customer paid too much;
	// OrderEdited.AutoPartialRefundStatus tells what became of it.
	AutoPartialRefund bool `json:"auto_partial_refund"`
	NotifyCustomer    bool `json:"notify_customer"` // writes to the customer
	// Reason is shown in the edition history.
	Reason string `json:"reason,omitzero"`
}

// OrderEditProduct is one change: LineItemID changes a line, and otherwise
// ProductID and VariantID add one.
type OrderEditProduct struct {
	LineItemID ID `json:"line_item_id,omitzero"`
	ProductID  ID `json:"product_id,omitzero"`
	VariantID  ID `json:"variant_id,omitzero"`
	// Quantity is the new one; 0 removes the line.
	Quantity int `json:"quantity"`
	// ModifyStock changes the stock too.
	ModifyStock        bool      `json:"modify_stock"`
	FulfillmentOrderID ulid.ULID `json:"fulfillment_order_id,omitzero"` // the part of the order that it is about
}

// Check returns an error with ErrValidation for an edit that cannot be meant.
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
	// AutoPartialRefundStatus is empty if it is not told.
	AutoPartialRefundStatus RefundStatus `json:"auto_partial_refund_status,omitzero"`
}

// RefundStatus is what became of an automatic refund.
type RefundStatus string

// The values of RefundStatus.
const (
	RefundSucceeded RefundStatus = "success" // what was too much is paid back
	RefundSkipped   RefundStatus = "skipped" // nothing was paid back
	RefundFailed    RefundStatus = "failed"  // it could not be paid back
)

// Known reports whether the contract names the value.
func (s RefundStatus) Known() bool {
	return enum.Known(s, RefundSucceeded, RefundSkipped, RefundFailed)
}
