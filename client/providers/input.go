package providers

import (
	"cmp"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// TransactionInput is the body of TransactionService.Create.
type TransactionInput struct {
	PaymentProviderID uuid.UUID          `json:"payment_provider_id"` // a provider of the app in this store
	PaymentMethod     PaymentMethodInput `json:"payment_method"`      // the customer's payment method
	FirstEvent        EventInput         `json:"first_event"`         // the start of the payment
	Info              InfoInput          `json:"info"`                // details for customers and merchants
	// PaymentAttemptID is the id of the attempt in the platform's call.
	PaymentAttemptID string `json:"payment_attempt_id,omitzero"`
	// PaymentProviderTaxID is for Brazilian providers only.
	PaymentProviderTaxID string `json:"payment_provider_tax_id,omitzero"`
}

// PaymentMethodInput is the method of a new transaction.
type PaymentMethodInput struct {
	Type MethodType `json:"type"` // required
	// ID is optional for MethodTypeCash, MethodTypePix and MethodTypeWallet.
	ID string `json:"id,omitzero"`
}

// Check returns the error that TransactionService.Create would return for the method, or nil.
func (m PaymentMethodInput) Check() error {
	if m.ID == "" && m.Type.named() {
		return engine.Invalid("payment_method.id", m.ID, "set, except for cash, pix and wallet")
	}
	return checkMethodType("payment_method.type", m.Type)
}

// EventInput is the body of TransactionService.CreateEvent, and the first event of a new transaction.
type EventInput struct {
	Amount Amount      `json:"amount"` // required
	Type   EventType   `json:"type"`   // required
	Status EventStatus `json:"status"` // required
	// AuthorizationCode is required for a successful sale or capture by card or pix.
	AuthorizationCode string `json:"authorization_code,omitzero"`
	// HappenedAt is the time of the event. If zero, it is now.
	HappenedAt client.Time `json:"happened_at,omitzero"`
	Info       EventInfo   `json:"info,omitzero"` // information for the merchant, and data of the app
	// FailureCode is required for a failure.
	FailureCode FailureCode `json:"failure_code,omitzero"`
	// ExpiresAt is the time limit for the payment, or for the merchant to accept or cancel a payment that needs
	// review; zero if there is no limit.
	ExpiresAt client.Time `json:"expires_at,omitzero"`
	// DiscountAmount is the provider's discount at its own checkout, in the currency of Amount. Amount is the charged
	// amount: the total of the order less the discount. The order counts as paid if the sum of both reaches its
	// total. Only the first event of a transaction may have a discount. It must be 0 or more. The empty Amount means
	// none.
	DiscountAmount Amount `json:"discount_amount,omitzero"`
}

// InfoInput holds the details of a new transaction.
type InfoInput struct {
	// ExternalID is the provider's id. It is required.
	ExternalID string                `json:"external_id"`
	Card       client.Opt[CardInput] `json:"card,omitzero"` // only for payments by card
	// Installments is required for MethodTypeCreditCard.
	Installments              client.Opt[InstallmentsInput] `json:"installments,omitzero"`
	ExternalURL               string                        `json:"external_url,omitzero"`                 // page of the payment for the merchant
	ExternalResourceURL       string                        `json:"external_resource_url,omitzero"`        // payment document for the customer, such as a voucher
	ExternalResourceCode      string                        `json:"external_resource_code,omitzero"`       // code of the document, such as a barcode
	ExternalResourceExpiresAt client.Time                   `json:"external_resource_expires_at,omitzero"` // time limit for the document; zero if there is none
	// RefundURL is called by the platform when the merchant requests a refund. Its path must be equal for all
	// transactions, because the body of the call contains the transaction. SupportsPartialRefund requires it.
	RefundURL             string             `json:"refund_url,omitzero"`
	SupportsPartialRefund bool               `json:"supports_partial_refund,omitzero"` // a part may be refunded
	IP                    string             `json:"ip,omitzero"`                      // the customer's IP address
	ConsumerCharges       []Charge           `json:"consumer_charges,omitzero"`        // additional costs for the customer
	ConsumerDiscounts     []ConsumerDiscount `json:"consumer_discounts,omitzero"`      // the provider's discounts for the customer
	MerchantCharges       []Charge           `json:"merchant_charges,omitzero"`        // costs for the merchant
}

func (in InfoInput) check() error {
	if err := checkOptionalHTTPS("info.refund_url", in.RefundURL); err != nil {
		return err
	}
	if in.SupportsPartialRefund && in.RefundURL == "" {
		return engine.Invalid("info.refund_url", "", "an HTTPS URL, which supports_partial_refund requires")
	}
	return cmp.Or(
		checkEach("info.consumer_charges", in.ConsumerCharges, checkCharge),
		checkEach("info.consumer_discounts", in.ConsumerDiscounts, checkDiscount),
		checkEach("info.merchant_charges", in.MerchantCharges, checkCharge),
	)
}

// CardInput is the card of a new transaction, without its secrets.
type CardInput struct {
	Brand           string `json:"brand,omitzero"`            // such as visa
	Issuer          string `json:"issuer,omitzero"`           // the bank that issued the card
	ExpirationMonth int    `json:"expiration_month,omitzero"` // 1 to 12
	ExpirationYear  int    `json:"expiration_year,omitzero"`  // with four digits
	FirstDigits     string `json:"first_digits,omitzero"`     // the six or eight digits that identify the issuer
	LastDigits      string `json:"last_digits,omitzero"`      // the last four digits
	MaskedNumber    string `json:"masked_number,omitzero"`    // the number with most digits hidden
	Name            string `json:"name,omitzero"`             // as printed on the card
}

// InstallmentsInput are the installments of a payment.
type InstallmentsInput struct {
	// Quantity is 1 or more.
	Quantity int `json:"quantity"`
	// Interest is a fraction, as in InstallmentOption: 0.065 is 6.5 percent [inferred].
	Interest client.Measure `json:"interest,omitzero"`
}

// Check returns the error that TransactionService.Create would return for the input, or nil. It requires no request.
func (in TransactionInput) Check() error {
	method := in.PaymentMethod.Type
	switch {
	case in.PaymentProviderID == uuid.Nil:
		return engine.Invalid("payment_provider_id", in.PaymentProviderID, "the id of a payment provider")
	case in.Info.ExternalID == "":
		return engine.Invalid("info.external_id", in.Info.ExternalID, "set to the provider's id of the transaction")
	}
	if err := in.PaymentMethod.Check(); err != nil {
		return err
	}
	parts, ok := in.Info.Installments.Get()
	switch {
	case method == MethodTypeCreditCard && !ok || ok && parts.Quantity < 1:
		return engine.Invalid("info.installments.quantity", parts.Quantity, "1 or more, required for credit_card")
	case parts.Interest != "" && !isDecimal(parts.Interest):
		return engine.Invalid("info.installments.interest", cut(parts.Interest), "a decimal of 0 or more, such as 0.065 for 6.5 percent")
	}
	if err := in.Info.check(); err != nil {
		return err
	}
	if err := in.FirstEvent.Check(); err != nil {
		return fmt.Errorf("first_event.%w", err)
	}
	return in.checkMethod()
}

// checkMethod applies the rules that link the first event to the payment method.
func (in TransactionInput) checkMethod() error {
	event, method := in.FirstEvent, in.PaymentMethod.Type
	if !method.Takes(event.Type) {
		return engine.Invalid("first_event.type", event.Type, fmt.Sprintf("an event that transactions by %s have", method))
	}
	settles := event.Status == EventSuccess && (event.Type == EventTypeSale || event.Type == EventTypeCapture)
	if settles && method.authorized() && event.AuthorizationCode == "" {
		return engine.Invalid("first_event.authorization_code", event.AuthorizationCode, fmt.Sprintf("a code for a successful %s by %s", event.Type, method))
	}
	return nil
}

// Check returns the error of a first event that does not depend on the payment method, or nil.
func (in EventInput) Check() error {
	if err := checkValue("amount.value", in.Amount.Value); err != nil {
		return err
	}
	if err := checkValue("discount_amount.value", in.DiscountAmount.Value); err != nil {
		return err
	}
	switch {
	case !wire.IsCode(in.Amount.Currency, 3):
		return engine.Invalid("amount.currency", in.Amount.Currency, "an ISO 4217 code")
	case in.DiscountAmount != (Amount{}) && in.DiscountAmount.Currency != in.Amount.Currency:
		return engine.Invalid("discount_amount.currency", in.DiscountAmount.Currency, "the currency of the amount")
	case !in.Type.Known():
		return engine.Invalid("type", in.Type, "an event type of the contract")
	case !in.Status.Known():
		return engine.Invalid("status", in.Status, "success, pending, failure or error")
	case in.Status == EventFailure && in.FailureCode == "":
		return engine.Invalid("failure_code", in.FailureCode, "a code for a failure")
	}
	return in.Info.check()
}

// CheckLater returns the error that TransactionService.CreateEvent would return for the event, or nil. It requires no
// request.
func (in EventInput) CheckLater() error {
	if in.DiscountAmount != (Amount{}) {
		return engine.Invalid("discount_amount", in.DiscountAmount.Value, "none, because only a first event has one")
	}
	return in.Check()
}
