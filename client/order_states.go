package client

import "github.com/commerceplatform/commerce-go/internal/enum"

// OrderStatus is the state of an order or a draft.
type OrderStatus string

// The values of OrderStatus.
const (
	OrderOpen      OrderStatus = "open"      // there is something to do
	OrderClosed    OrderStatus = "closed"    // archived; it can be opened again
	OrderCancelled OrderStatus = "cancelled" // for good
)

// Known reports whether the contract names the value.
func (s OrderStatus) Known() bool { return enum.Known(s, OrderOpen, OrderClosed, OrderCancelled) }

// PaymentStatus is how far an order or a draft is paid. The platform computes that
// of an order from its transactions.
type PaymentStatus string

// The values of PaymentStatus.
const (
	PaymentAuthorized PaymentStatus = "authorized" // the money is reserved, and not taken yet
	PaymentPending    PaymentStatus = "pending"    // not paid
	PaymentPaid       PaymentStatus = "paid"       // paid in full
	PaymentAbandoned  PaymentStatus = "abandoned"  // the customer did not finish paying
	PaymentRefunded   PaymentStatus = "refunded"   // paid back in full
	PaymentVoided     PaymentStatus = "voided"     // the authorization was given up
	// PaymentPartiallyPaid and PaymentPartiallyRefunded are read, not filtered by.
	PaymentPartiallyPaid     PaymentStatus = "partially_paid"
	PaymentPartiallyRefunded PaymentStatus = "partially_refunded"
	// PaymentPendingConfirmation and PaymentUnpaid are of drafts: unpaid is written,
	// and read as pending.
	PaymentPendingConfirmation PaymentStatus = "pending_confirmation"
	PaymentUnpaid              PaymentStatus = "unpaid"
)

// Known reports whether the contract names the value.
func (s PaymentStatus) Known() bool {
	return enum.Known(s,
		PaymentAuthorized, PaymentPending, PaymentPaid, PaymentAbandoned, PaymentRefunded, PaymentVoided,
		PaymentPartiallyPaid, PaymentPartiallyRefunded, PaymentPendingConfirmation, PaymentUnpaid,
	)
}

// ShippingStatus is how far an order is shipped. Two words exist for two of the
// values: filters and the field tables say fulfilled and unfulfilled, many answers
// say shipped and unshipped. Common makes them comparable.
type ShippingStatus string

// The values of ShippingStatus.
const (
	ShippingStatusUnpacked      ShippingStatus = "unpacked"       // nothing is packed
	ShippingStatusUnfulfilled   ShippingStatus = "unfulfilled"    // packed, not shipped
	ShippingStatusUnshipped     ShippingStatus = "unshipped"      // the same
	ShippingStatusFulfilled     ShippingStatus = "fulfilled"      // sent off
	ShippingStatusShipped       ShippingStatus = "shipped"        // the same
	ShippingStatusInPreparation ShippingStatus = "in_preparation" // the merchant is at it
	// The others come with fulfillment orders.
	ShippingStatusPacked             ShippingStatus = "packed"              // all packed, none dispatched
	ShippingStatusPartiallyPacked    ShippingStatus = "partially_packed"    // some packed, none dispatched
	ShippingStatusPartiallyFulfilled ShippingStatus = "partially_fulfilled" // some dispatched
	ShippingStatusDelivered          ShippingStatus = "delivered"           // all delivered
)

// Known reports whether the contract names the value.
func (s ShippingStatus) Known() bool {
	return enum.Known(s,
		ShippingStatusUnpacked, ShippingStatusUnfulfilled, ShippingStatusUnshipped, ShippingStatusFulfilled, ShippingStatusShipped, ShippingStatusInPreparation, ShippingStatusPacked, ShippingStatusPartiallyPacked,
		ShippingStatusPartiallyFulfilled, ShippingStatusDelivered,
	)
}

// Common returns ShippingStatusFulfilled for ShippingStatusShipped, ShippingStatusUnfulfilled for
// ShippingStatusUnshipped, and others unchanged. So an order that v1 calls unfulfilled may be ShippingStatusPacked in
// newer versions.
func (s ShippingStatus) Common() ShippingStatus {
	switch s {
	case ShippingStatusShipped:
		return ShippingStatusFulfilled
	case ShippingStatusUnshipped:
		return ShippingStatusUnfulfilled
	}
	return s
}

// NextAction is what is due next with an order.
type NextAction string

// The values of NextAction. Checkouts have the first four, drafts only NextActionNoop.
const (
	NextActionNoop                      NextAction = "noop"
	NextActionClose                     NextAction = "close"                       // everything is done: close it
	NextActionWaitingIPN                NextAction = "waiting_ipn"                 // the payment provider has to confirm the payment
	NextActionWaitingManualConfirmation NextAction = "waiting_manual_confirmation" // the merchant has to confirm the payment
	NextActionWaitingPacking            NextAction = "waiting_packing"             // it has to be packed
	NextActionWaitingPickup             NextAction = "waiting_pickup"              // the carrier has to fetch it
	NextActionWaitingClientPickup       NextAction = "waiting_client_pickup"       // the customer has to fetch it
	NextActionWaitingShipment           NextAction = "waiting_shipment"            // it has to be sent off
)

// Known reports whether the contract names the value.
func (a NextAction) Known() bool {
	return enum.Known(a,
		NextActionNoop, NextActionClose, NextActionWaitingIPN, NextActionWaitingManualConfirmation, NextActionWaitingPacking, NextActionWaitingPickup, NextActionWaitingClientPickup,
		NextActionWaitingShipment,
	)
}

// Storefront is the channel that an order came through.
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
	return enum.Known(s, StorefrontStore, StorefrontMarketplace, StorefrontAPI, StorefrontForm, StorefrontPOS)
}

// CancelReason is why an order was cancelled.
type CancelReason string

// The values of CancelReason.
const (
	CancelReasonCustomer  CancelReason = "customer"  // the customer did not want it any more
	CancelReasonFraud     CancelReason = "fraud"     // it was a fraud
	CancelReasonInventory CancelReason = "inventory" // there was no stock
	CancelReasonOther     CancelReason = "other"     // any other reason
)

// Known reports whether the contract names the value.
func (r CancelReason) Known() bool {
	return enum.Known(r,
		CancelReasonCustomer, CancelReasonFraud, CancelReasonInventory, CancelReasonOther,
	)
}

// BillingCustomerType says who is billed.
type BillingCustomerType string

// The values of BillingCustomerType.
const (
	BillingCustomerPerson  BillingCustomerType = "person"  // a person
	BillingCustomerCompany BillingCustomerType = "company" // a company
)

// Known reports whether the contract names the value.
func (t BillingCustomerType) Known() bool {
	return enum.Known(t, BillingCustomerPerson, BillingCustomerCompany)
}
