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
	Unpacked      ShippingStatus = "unpacked"       // nothing is packed
	Unfulfilled   ShippingStatus = "unfulfilled"    // packed, not shipped
	Unshipped     ShippingStatus = "unshipped"      // the same
	Fulfilled     ShippingStatus = "fulfilled"      // sent off
	Shipped       ShippingStatus = "shipped"        // the same
	InPreparation ShippingStatus = "in_preparation" // the merchant is at it
	// The others come with fulfillment orders.
	Packed             ShippingStatus = "packed"              // all packed, none dispatched
	PartiallyPacked    ShippingStatus = "partially_packed"    // some packed, none dispatched
	PartiallyFulfilled ShippingStatus = "partially_fulfilled" // some dispatched
	Delivered          ShippingStatus = "delivered"           // all delivered
)

// Known reports whether the contract names the value.
func (s ShippingStatus) Known() bool {
	return enum.Known(s,
		Unpacked, Unfulfilled, Unshipped, Fulfilled, Shipped, InPreparation, Packed, PartiallyPacked,
		PartiallyFulfilled, Delivered,
	)
}

// Common returns Fulfilled for Shipped, Unfulfilled for Unshipped, and others
// unchanged. So an order that v1 calls unfulfilled may be Packed in newer versions.
func (s ShippingStatus) Common() ShippingStatus {
	switch s {
	case Shipped:
		return Fulfilled
	case Unshipped:
		return Unfulfilled
	}
	return s
}

// NextAction is what is due next with an order.
type NextAction string

// The values of NextAction. Checkouts have the first four, drafts only Noop.
const (
	Noop                      NextAction = "noop"
	CloseNext                 NextAction = "close"                       // everything is done: close it
	WaitingIPN                NextAction = "waiting_ipn"                 // the payment provider has to confirm the payment
	WaitingManualConfirmation NextAction = "waiting_manual_confirmation" // the merchant has to confirm the payment
	WaitingPacking            NextAction = "waiting_packing"             // it has to be packed
	WaitingPickup             NextAction = "waiting_pickup"              // the carrier has to fetch it
	WaitingClientPickup       NextAction = "waiting_client_pickup"       // the customer has to fetch it
	WaitingShipment           NextAction = "waiting_shipment"            // it has to be sent off
)

// Known reports whether the contract names the value.
func (a NextAction) Known() bool {
	return enum.Known(a,
		Noop, CloseNext, WaitingIPN, WaitingManualConfirmation, WaitingPacking, WaitingPickup, WaitingClientPickup,
		WaitingShipment,
	)
}

// Storefront is the channel that an order came through.
type Storefront string

// The values of Storefront.
const (
	FromStore       Storefront = "store" // the store's website
	FromMarketplace Storefront = "meli"  // imported from an external marketplace
	FromAPI         Storefront = "api"   // as a filter it excludes drafts
	FromForm        Storefront = "form"  // every draft
	FromPOS         Storefront = "pos"   // a point of sale
)

// Known reports whether the contract names the value.
func (s Storefront) Known() bool {
	return enum.Known(s, FromStore, FromMarketplace, FromAPI, FromForm, FromPOS)
}

// CancelReason is why an order was cancelled.
type CancelReason string

// The values of CancelReason.
const (
	CancelledByCustomer  CancelReason = "customer"  // the customer did not want it any more
	CancelledAsFraud     CancelReason = "fraud"     // it was a fraud
	CancelledByInventory CancelReason = "inventory" // there was no stock
	CancelledOther       CancelReason = "other"     // any other reason
)

// Known reports whether the contract names the value.
func (r CancelReason) Known() bool {
	return enum.Known(r,
		CancelledByCustomer, CancelledAsFraud, CancelledByInventory, CancelledOther,
	)
}

// BillingCustomerType says who is billed.
type BillingCustomerType string

// The values of BillingCustomerType.
const (
	BilledPerson  BillingCustomerType = "person"  // a person
	BilledCompany BillingCustomerType = "company" // a company
)

// Known reports whether the contract names the value.
func (t BillingCustomerType) Known() bool { return enum.Known(t, BilledPerson, BilledCompany) }
