package client

import "github.com/commerceplatform/commerce-go/internal/wire"

// OrderStatus is the state of an order or a draft.
type OrderStatus string

// The values of OrderStatus.
const (
	OrderOpen      OrderStatus = "open"      // not closed or cancelled
	OrderClosed    OrderStatus = "closed"    // archived; it can be opened again
	OrderCancelled OrderStatus = "cancelled" // permanently cancelled
)

// Known reports whether the contract names the value.
func (s OrderStatus) Known() bool { return wire.Known(s, OrderOpen, OrderClosed, OrderCancelled) }

// PaymentStatus is the payment state of an order or a draft. The platform computes the payment state of an order from
// its transactions.
type PaymentStatus string

// The values of PaymentStatus.
const (
	PaymentAuthorized PaymentStatus = "authorized" // the amount is reserved and not yet captured
	PaymentPending    PaymentStatus = "pending"    // not paid
	PaymentPaid       PaymentStatus = "paid"       // paid in full
	PaymentAbandoned  PaymentStatus = "abandoned"  // the customer did not complete the payment
	PaymentRefunded   PaymentStatus = "refunded"   // refunded in full
	PaymentVoided     PaymentStatus = "voided"     // the authorization was cancelled
	// PaymentPartiallyPaid and PaymentPartiallyRefunded appear in records and cannot be used as a filter.
	PaymentPartiallyPaid     PaymentStatus = "partially_paid"
	PaymentPartiallyRefunded PaymentStatus = "partially_refunded"
	// PaymentPendingConfirmation and PaymentUnpaid are for drafts. Unpaid is written and read back as pending.
	PaymentPendingConfirmation PaymentStatus = "pending_confirmation"
	PaymentUnpaid              PaymentStatus = "unpaid"
)

// Known reports whether the contract names the value.
func (s PaymentStatus) Known() bool {
	return wire.Known(s,
		PaymentAuthorized, PaymentPending, PaymentPaid, PaymentAbandoned, PaymentRefunded, PaymentVoided,
		PaymentPartiallyPaid, PaymentPartiallyRefunded, PaymentPendingConfirmation, PaymentUnpaid,
	)
}

// ShippingStatus is the shipping state of an order. Two of its states have two values each. Filters and field tables
// use fulfilled and unfulfilled; many answers use shipped and unshipped. Common makes them comparable.
type ShippingStatus string

// The values of ShippingStatus.
const (
	ShippingStatusUnpacked      ShippingStatus = "unpacked"       // nothing is packed
	ShippingStatusUnfulfilled   ShippingStatus = "unfulfilled"    // packed, not shipped
	ShippingStatusUnshipped     ShippingStatus = "unshipped"      // same as unfulfilled
	ShippingStatusFulfilled     ShippingStatus = "fulfilled"      // dispatched
	ShippingStatusShipped       ShippingStatus = "shipped"        // same as fulfilled
	ShippingStatusInPreparation ShippingStatus = "in_preparation" // the merchant is preparing it
	// The following values come from fulfillment orders.
	ShippingStatusPacked             ShippingStatus = "packed"              // all packed, none dispatched
	ShippingStatusPartiallyPacked    ShippingStatus = "partially_packed"    // some packed, none dispatched
	ShippingStatusPartiallyFulfilled ShippingStatus = "partially_fulfilled" // some dispatched
	ShippingStatusDelivered          ShippingStatus = "delivered"           // all delivered
)

// Known reports whether the contract names the value.
func (s ShippingStatus) Known() bool {
	return wire.Known(s,
		ShippingStatusUnpacked, ShippingStatusUnfulfilled, ShippingStatusUnshipped, ShippingStatusFulfilled, ShippingStatusShipped, ShippingStatusInPreparation, ShippingStatusPacked, ShippingStatusPartiallyPacked,
		ShippingStatusPartiallyFulfilled, ShippingStatusDelivered,
	)
}

// Common returns ShippingStatusFulfilled for ShippingStatusShipped, ShippingStatusUnfulfilled for
// ShippingStatusUnshipped, and other values unchanged. An order that is unfulfilled in v1 may be ShippingStatusPacked
// in newer versions.
func (s ShippingStatus) Common() ShippingStatus {
	switch s {
	case ShippingStatusShipped:
		return ShippingStatusFulfilled
	case ShippingStatusUnshipped:
		return ShippingStatusUnfulfilled
	}
	return s
}

// NextAction is the next action that an order requires.
type NextAction string

// The values of NextAction. Checkouts have the first four, drafts only NextActionNoop.
const (
	NextActionNoop                      NextAction = "noop"
	NextActionClose                     NextAction = "close"                       // the order is complete and can be closed
	NextActionWaitingIPN                NextAction = "waiting_ipn"                 // the payment provider must confirm the payment
	NextActionWaitingManualConfirmation NextAction = "waiting_manual_confirmation" // the merchant must confirm the payment
	NextActionWaitingPacking            NextAction = "waiting_packing"             // the order must be packed
	NextActionWaitingPickup             NextAction = "waiting_pickup"              // the carrier must collect it
	NextActionWaitingClientPickup       NextAction = "waiting_client_pickup"       // the customer must collect it
	NextActionWaitingShipment           NextAction = "waiting_shipment"            // the order must be dispatched
)

// Known reports whether the contract names the value.
func (a NextAction) Known() bool {
	return wire.Known(a,
		NextActionNoop, NextActionClose, NextActionWaitingIPN, NextActionWaitingManualConfirmation, NextActionWaitingPacking, NextActionWaitingPickup, NextActionWaitingClientPickup,
		NextActionWaitingShipment,
	)
}

// Storefront is the channel in which an order was placed.
type Storefront string

// The values of Storefront.
const (
	StorefrontStore       Storefront = "store" // the store's website
	StorefrontMarketplace Storefront = "meli"  // imported from an external marketplace
	StorefrontAPI         Storefront = "api"   // as a filter it excludes drafts
	StorefrontForm        Storefront = "form"  // every draft
	StorefrontPOS         Storefront = "pos"   // a point of sale
)

// Known reports whether the contract names the value.
func (s Storefront) Known() bool {
	return wire.Known(s, StorefrontStore, StorefrontMarketplace, StorefrontAPI, StorefrontForm, StorefrontPOS)
}

// CancelReason is the reason for a cancellation.
type CancelReason string

// The values of CancelReason.
const (
	CancelReasonCustomer  CancelReason = "customer"  // the customer cancelled
	CancelReasonFraud     CancelReason = "fraud"     // fraud
	CancelReasonInventory CancelReason = "inventory" // insufficient stock
	CancelReasonOther     CancelReason = "other"     // any other reason
)

// Known reports whether the contract names the value.
func (r CancelReason) Known() bool {
	return wire.Known(r,
		CancelReasonCustomer, CancelReasonFraud, CancelReasonInventory, CancelReasonOther,
	)
}

// BillingCustomerType is the kind of billed customer.
type BillingCustomerType string

// The values of BillingCustomerType.
const (
	BillingCustomerPerson  BillingCustomerType = "person"  // a person
	BillingCustomerCompany BillingCustomerType = "company" // a company
)

// Known reports whether the contract names the value.
func (t BillingCustomerType) Known() bool {
	return wire.Known(t, BillingCustomerPerson, BillingCustomerCompany)
}
