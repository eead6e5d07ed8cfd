package payments

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Transaction is a payment of an order and all that happened to it.
type Transaction struct {
	ID uuid.UUID `json:"id"`
	// AppID is the app that reported it; nil if it is not told.
	AppID             *client.ID    `json:"app_id,omitzero"`
	PaymentProviderID uuid.UUID     `json:"payment_provider_id"` // of the app, in this store
	PaymentMethod     PaymentMethod `json:"payment_method"`      // what the customer paid with
	Status            Status        `json:"status"`              // what its events come to
	// The amounts are nil if they are not told.
	CapturedAmount   *Amount `json:"captured_amount"`
	RefundedAmount   *Amount `json:"refunded_amount"`   // nil if nothing was
	AuthorizedAmount *Amount `json:"authorized_amount"` // nil if nothing was
	VoidedAmount     *Amount `json:"voided_amount"`     // nil if nothing was
	DiscountAmount   *Amount `json:"discount_amount"`   // what the provider took off; nil if nothing
	// FailureCode is nil unless the payment failed.
	FailureCode *FailureCode `json:"failure_code"`
	Events      []Event      `json:"events"` // all that happened to it
	Info        Info         `json:"info"`   // what the provider tells about it
	CreatedAt   client.Time  `json:"created_at"`
	Extra       client.Extra `json:",embed"`
}

// Status is the state of a transaction, which follows from its events.
type Status string

// The values of Status.
const (
	StatusAuthorized          Status = "authorized"            // the money is reserved
	StatusExpired             Status = "expired"               // nobody paid in time
	StatusFailed              Status = "failed"                // refused
	StatusInFraudAnalysis     Status = "in_fraud_analysis"     // somebody looks at it
	StatusNeedsMerchantReview Status = "needs_merchant_review" // the merchant has to decide
	StatusPaid                Status = "paid"                  // the money is there
	StatusPartiallyRefunded   Status = "partially_refunded"    // a part of it was paid back
	StatusPending             Status = "pending"               // it goes on
	StatusRefunded            Status = "refunded"              // all of it was paid back
	StatusVoided              Status = "voided"                // what was reserved was given up
)

// Known reports whether the contract names the value.
func (s Status) Known() bool {
	return enum.Known(s,
		StatusAuthorized, StatusExpired, StatusFailed, StatusInFraudAnalysis, StatusNeedsMerchantReview, StatusPaid, StatusPartiallyRefunded, StatusPending,
		StatusRefunded, StatusVoided,
	)
}

// PaymentMethod is what a customer paid with.
type PaymentMethod struct {
	Type MethodType `json:"type"` // the kind of method
	// ID is the kind within the type, such as a brand of card; empty if there is none.
	ID    string       `json:"id,omitzero"`
	Extra client.Extra `json:",embed"`
}

// MethodType is the kind of a payment method.
type MethodType string

// The values of MethodType.
const (
	MethodTypeCreditCard   MethodType = "credit_card"   // the only one that has installments
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
	return enum.Known(m,
		MethodTypeCreditCard, MethodTypeDebitCard, MethodTypeBoleto, MethodTypePix, MethodTypeTicket, MethodTypeCash, MethodTypeWallet, MethodTypeWireTransfer, MethodTypeBankDebit,
	)
}

// Takes reports whether transactions of the method have events of type t: those by
// credit card all but expirations; boleto, pix and ticket sales, expirations and
// refunds; others sales and refunds.
func (m MethodType) Takes(t EventType) bool {
	switch m {
	case MethodTypeCreditCard:
		return t.Known() && t != EventTypeExpiration
	case MethodTypeBoleto, MethodTypePix, MethodTypeTicket:
		return t == EventTypeSale || t == EventTypeExpiration || t == EventTypeRefund
	}
	return t == EventTypeSale || t == EventTypeRefund
}

// named reports whether a method within the type must be named.
func (m MethodType) named() bool {
	return m != MethodTypeCash && m != MethodTypePix && m != MethodTypeWallet
}

// authorized reports whether a sale or a capture needs an authorization code.
func (m MethodType) authorized() bool {
	return m == MethodTypeCreditCard || m == MethodTypeDebitCard || m == MethodTypePix
}

// Info is what the payment provider tells about a transaction. What it does not
// tell is empty.
type Info struct {
	// ExternalID is the provider's own id.
	ExternalID string `json:"external_id"`
	// Card is nil for other methods, and so is Installments.
	Card         *Card         `json:"card,omitzero"`
	Installments *Installments `json:"installments,omitzero"`
	// ExternalURL shows the transaction at the provider. The resource is what the
	// customer pays with, such as a boleto: where it is, its code, until when it is good.
	ExternalURL               string      `json:"external_url,omitzero"`
	ExternalResourceURL       string      `json:"external_resource_url,omitzero"`        // what the customer pays with, such as a voucher
	ExternalResourceCode      string      `json:"external_resource_code,omitzero"`       // the code of that, such as a barcode
	ExternalResourceExpiresAt client.Time `json:"external_resource_expires_at,omitzero"` // until when it can be paid; zero if it does not end
	// RefundURL is called by the platform when the merchant asks for a refund.
	RefundURL             string             `json:"refund_url,omitzero"`
	SupportsPartialRefund bool               `json:"supports_partial_refund,omitzero"` // a part may be paid back
	IP                    string             `json:"ip,omitzero"`                      // the customer's IP address
	ConsumerCharges       []Charge           `json:"consumer_charges,omitzero"`        // what the customer pays on top
	ConsumerDiscounts     []ConsumerDiscount `json:"consumer_discounts,omitzero"`      // what the provider takes off for the customer
	MerchantCharges       []Charge           `json:"merchant_charges,omitzero"`        // what the provider keeps from the merchant
	Extra                 client.Extra       `json:",embed"`
}

// Card is the card of a payment, without its secrets.
type Card struct {
	Brand           string       `json:"brand"`            // such as visa
	Issuer          string       `json:"issuer"`           // the bank that gave the card
	ExpirationMonth client.Int   `json:"expiration_month"` // 1 to 12
	ExpirationYear  client.Int   `json:"expiration_year"`  // with four digits
	FirstDigits     client.Code  `json:"first_digits"`     // the digits that name the issuer, six or eight
	LastDigits      client.Code  `json:"last_digits"`      // the last four digits
	MaskedNumber    string       `json:"masked_number"`    // the number with most digits hidden
	Name            string       `json:"name"`             // on the card
	Extra           client.Extra `json:",embed"`
}

// Installments are the parts that a customer pays in.
type Installments struct {
	Quantity client.Int `json:"quantity"` // how many parts, from 1
	// Interest is a fraction, as in InstallmentOption: 0.065 is 6.5 percent [inferred].
	Interest client.Measure `json:"interest"`
	Extra    client.Extra   `json:",embed"`
}
