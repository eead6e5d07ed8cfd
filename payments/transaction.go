package payments

import (
	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// Transaction is a payment of an order and all that happened to it.
type Transaction struct {
	ID uuid.UUID `json:"id"`
	// AppID is the app that reported it; nil if it is not told.
	AppID             *client.ID    `json:"app_id,omitzero"`
	PaymentProviderID uuid.UUID     `json:"payment_provider_id"`
	PaymentMethod     PaymentMethod `json:"payment_method"`
	Status            Status        `json:"status"`
	// The amounts are nil if they are not told.
	CapturedAmount   *Amount `json:"captured_amount"`
	RefundedAmount   *Amount `json:"refunded_amount"`
	AuthorizedAmount *Amount `json:"authorized_amount"`
	VoidedAmount     *Amount `json:"voided_amount"`
	DiscountAmount   *Amount `json:"discount_amount"`
	// FailureCode is nil unless the payment failed.
	FailureCode *string      `json:"failure_code"`
	Events      []Event      `json:"events"`
	Info        Info         `json:"info"`
	CreatedAt   client.Time  `json:"created_at"`
	Extra       client.Extra `json:",embed"`
}

// Status is the state of a transaction, which follows from its events.
type Status string

// The values of Status.
const (
	Authorized          Status = "authorized"
	Expired             Status = "expired"
	Failed              Status = "failed"
	InFraudAnalysis     Status = "in_fraud_analysis"
	NeedsMerchantReview Status = "needs_merchant_review"
	Paid                Status = "paid"
	PartiallyRefunded   Status = "partially_refunded"
	Pending             Status = "pending"
	Refunded            Status = "refunded"
	Voided              Status = "voided"
)

// Known reports whether the contract names the value.
func (s Status) Known() bool {
	switch s {
	case Authorized, Expired, Failed, InFraudAnalysis, NeedsMerchantReview, Paid, PartiallyRefunded, Pending, Refunded, Voided:
		return true
	}
	return false
}

// PaymentMethod is what a customer paid with.
type PaymentMethod struct {
	Type MethodType `json:"type"`
	// ID is the kind within the type, such as a brand of card; empty if there is none.
	ID    string       `json:"id,omitzero"`
	Extra client.Extra `json:",embed"`
}

// MethodType is the kind of a payment method.
type MethodType string

// The values of MethodType.
const (
	CreditCard   MethodType = "credit_card"
	DebitCard    MethodType = "debit_card"
	Boleto       MethodType = "boleto"
	Pix          MethodType = "pix"
	Ticket       MethodType = "ticket"
	Cash         MethodType = "cash"
	Wallet       MethodType = "wallet"
	WireTransfer MethodType = "wire_transfer"
	BankDebit    MethodType = "bank_debit"
)

// Known reports whether the contract names the value.
func (m MethodType) Known() bool {
	switch m {
	case CreditCard, DebitCard, Boleto, Pix, Ticket, Cash, Wallet, WireTransfer, BankDebit:
		return true
	}
	return false
}

// Takes reports whether transactions of the method have events of type t: those by
// credit card all but expirations; boleto, pix and ticket sales, expirations and
// refunds; others sales and refunds.
func (m MethodType) Takes(t EventType) bool {
	switch m {
	case CreditCard:
		return t.Known() && t != Expiration
	case Boleto, Pix, Ticket:
		return t == Sale || t == Expiration || t == Refund
	}
	return t == Sale || t == Refund
}

// named reports whether a method within the type must be named.
func (m MethodType) named() bool { return m != Cash && m != Pix && m != Wallet }

// authorized reports whether a sale or a capture needs an authorization code.
func (m MethodType) authorized() bool { return m == CreditCard || m == DebitCard || m == Pix }

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
	ExternalResourceURL       string      `json:"external_resource_url,omitzero"`
	ExternalResourceCode      string      `json:"external_resource_code,omitzero"`
	ExternalResourceExpiresAt client.Time `json:"external_resource_expires_at,omitzero"`
	// RefundURL is called by the platform when the merchant asks for a refund.
	RefundURL             string          `json:"refund_url,omitzero"`
	SupportsPartialRefund bool            `json:"supports_partial_refund,omitzero"`
	IP                    string          `json:"ip,omitzero"`
	ConsumerCharges       []client.Object `json:"consumer_charges,omitzero"`
	ConsumerDiscounts     []client.Object `json:"consumer_discounts,omitzero"`
	MerchantCharges       []client.Object `json:"merchant_charges,omitzero"`
	Extra                 client.Extra    `json:",embed"`
}

// Card is the card of a payment, without its secrets.
type Card struct {
	Brand           string       `json:"brand"`
	Issuer          string       `json:"issuer"`
	ExpirationMonth client.Int   `json:"expiration_month"`
	ExpirationYear  client.Int   `json:"expiration_year"`
	FirstDigits     client.Code  `json:"first_digits"`
	LastDigits      client.Code  `json:"last_digits"`
	MaskedNumber    string       `json:"masked_number"`
	Name            string       `json:"name"` // on the card
	Extra           client.Extra `json:",embed"`
}

// Installments are the parts that a customer pays in.
type Installments struct {
	Quantity client.Int `json:"quantity"`
	// Interest is a decimal, as text.
	Interest client.Measure `json:"interest"`
	Extra    client.Extra   `json:",embed"`
}
