package providers

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Transaction is a payment of an order with all its events.
type Transaction struct {
	ID uuid.UUID `json:"id"`
	// AppID is the app that reported it; nil if unset.
	AppID             *client.ID    `json:"app_id,omitzero"`
	PaymentProviderID uuid.UUID     `json:"payment_provider_id"` // a provider of the app in this store
	PaymentMethod     PaymentMethod `json:"payment_method"`      // the customer's payment method
	Status            Status        `json:"status"`              // derived from its events
	// The amounts are nil if unset.
	CapturedAmount   *Amount `json:"captured_amount"`
	RefundedAmount   *Amount `json:"refunded_amount"`   // nil if nothing was
	AuthorizedAmount *Amount `json:"authorized_amount"` // nil if nothing was
	VoidedAmount     *Amount `json:"voided_amount"`     // nil if nothing was
	DiscountAmount   *Amount `json:"discount_amount"`   // the provider's discount; nil if none
	// FailureCode is nil unless the payment failed.
	FailureCode *FailureCode `json:"failure_code"`
	Events      []Event      `json:"events"` // its history
	Info        Info         `json:"info"`   // information of the provider
	CreatedAt   client.Time  `json:"created_at"`
	Extra       client.Extra `json:",embed"`
}

// Status is the state of a transaction, which follows from its events.
type Status string

// The values of Status.
const (
	StatusAuthorized          Status = "authorized"            // the money is reserved
	StatusExpired             Status = "expired"               // nobody paid in time
	StatusFailed              Status = "failed"                // rejected
	StatusInFraudAnalysis     Status = "in_fraud_analysis"     // fraud is being analyzed
	StatusNeedsMerchantReview Status = "needs_merchant_review" // the merchant must decide
	StatusPaid                Status = "paid"                  // the money was received
	StatusPartiallyRefunded   Status = "partially_refunded"    // a part of it was refunded
	StatusPending             Status = "pending"               // it is in progress
	StatusRefunded            Status = "refunded"              // all of it was refunded
	StatusVoided              Status = "voided"                // the reserved money was released
)

// Known reports whether the contract names the value.
func (s Status) Known() bool {
	return wire.Known(s,
		StatusAuthorized, StatusExpired, StatusFailed, StatusInFraudAnalysis, StatusNeedsMerchantReview, StatusPaid, StatusPartiallyRefunded, StatusPending,
		StatusRefunded, StatusVoided,
	)
}

// PaymentMethod is a customer's payment method.
type PaymentMethod struct {
	Type MethodType `json:"type"` // the kind of method
	// ID is the method within the type, such as a card brand; empty if there is none.
	ID    string       `json:"id,omitzero"`
	Extra client.Extra `json:",embed"`
}

// MethodType is the kind of a payment method.
type MethodType string

// The values of MethodType.
const (
	MethodTypeCreditCard   MethodType = "credit_card"   // the only one with installments
	MethodTypeDebitCard    MethodType = "debit_card"    // a card that takes the money at once
	MethodTypeBoleto       MethodType = "boleto"        // a voucher, in Brazil
	MethodTypePix          MethodType = "pix"           // an instant transfer, in Brazil
	MethodTypeTicket       MethodType = "ticket"        // a voucher that is paid in cash elsewhere
	MethodTypeCash         MethodType = "cash"          // on delivery or in a shop
	MethodTypeWallet       MethodType = "wallet"        // an account with a provider
	MethodTypeWireTransfer MethodType = "wire_transfer" // from bank to bank, by the customer
	MethodTypeBankDebit    MethodType = "bank_debit"    // from the customer's bank, by the provider
)

// Known reports whether the contract names the value.
func (m MethodType) Known() bool {
	return wire.Known(m,
		MethodTypeCreditCard, MethodTypeDebitCard, MethodTypeBoleto, MethodTypePix, MethodTypeTicket, MethodTypeCash, MethodTypeWallet, MethodTypeWireTransfer, MethodTypeBankDebit,
	)
}

// Takes reports whether transactions of the method can have events of type t. For credit card these are all types
// except expirations; for boleto, pix and ticket sales, expirations and refunds; for others sales and refunds.
func (m MethodType) Takes(t EventType) bool {
	switch m {
	case MethodTypeCreditCard:
		return t.Known() && t != EventTypeExpiration
	case MethodTypeBoleto, MethodTypePix, MethodTypeTicket:
		return t == EventTypeSale || t == EventTypeExpiration || t == EventTypeRefund
	}
	return t == EventTypeSale || t == EventTypeRefund
}

// named reports whether the method requires an id within the type.
func (m MethodType) named() bool {
	return m != MethodTypeCash && m != MethodTypePix && m != MethodTypeWallet
}

// authorized reports whether a sale or a capture requires an authorization code.
func (m MethodType) authorized() bool {
	return m == MethodTypeCreditCard || m == MethodTypeDebitCard || m == MethodTypePix
}

// Info is the payment provider's information about a transaction. Missing members are empty.
type Info struct {
	// ExternalID is the provider's id.
	ExternalID string `json:"external_id"`
	// Card and Installments are nil for other methods.
	Card         *Card         `json:"card,omitzero"`
	Installments *Installments `json:"installments,omitzero"`
	// ExternalURL is the page of the transaction at the provider. The resource is the customer's payment document,
	// such as a boleto, with its URL, its code and its time limit.
	ExternalURL               string      `json:"external_url,omitzero"`
	ExternalResourceURL       string      `json:"external_resource_url,omitzero"`        // payment document for the customer, such as a voucher
	ExternalResourceCode      string      `json:"external_resource_code,omitzero"`       // code of the document, such as a barcode
	ExternalResourceExpiresAt client.Time `json:"external_resource_expires_at,omitzero"` // time limit for the document; zero if there is none
	// RefundURL is called by the platform when the merchant requests a refund.
	RefundURL             string             `json:"refund_url,omitzero"`
	SupportsPartialRefund bool               `json:"supports_partial_refund,omitzero"` // a part may be refunded
	IP                    string             `json:"ip,omitzero"`                      // the customer's IP address
	ConsumerCharges       []Charge           `json:"consumer_charges,omitzero"`        // additional costs for the customer
	ConsumerDiscounts     []ConsumerDiscount `json:"consumer_discounts,omitzero"`      // the provider's discounts for the customer
	MerchantCharges       []Charge           `json:"merchant_charges,omitzero"`        // costs for the merchant
	Extra                 client.Extra       `json:",embed"`
}

// Card is the card of a payment, without its secrets.
type Card struct {
	Brand           string       `json:"brand"`            // such as visa
	Issuer          string       `json:"issuer"`           // the bank that issued the card
	ExpirationMonth client.Int   `json:"expiration_month"` // 1 to 12
	ExpirationYear  client.Int   `json:"expiration_year"`  // with four digits
	FirstDigits     client.Code  `json:"first_digits"`     // the six or eight digits that identify the issuer
	LastDigits      client.Code  `json:"last_digits"`      // the last four digits
	MaskedNumber    string       `json:"masked_number"`    // the number with most digits hidden
	Name            string       `json:"name"`             // as printed on the card
	Extra           client.Extra `json:",embed"`
}

// Installments are the installments of a payment.
type Installments struct {
	Quantity client.Int `json:"quantity"` // number of installments, from 1
	// Interest is a fraction, as in InstallmentOption: 0.065 is 6.5 percent [inferred].
	Interest client.Measure `json:"interest"`
	Extra    client.Extra   `json:",embed"`
}
