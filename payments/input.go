package payments

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// TransactionInput is the body of TransactionService.Create.
type TransactionInput struct {
	PaymentProviderID uuid.UUID          `json:"payment_provider_id"`
	PaymentMethod     PaymentMethodInput `json:"payment_method"`
	FirstEvent        EventInput         `json:"first_event"`
	Info              InfoInput          `json:"info"`
	// PaymentAttemptID names the attempt that the platform asked the app to make.
	PaymentAttemptID string `json:"payment_attempt_id,omitzero"`
	// PaymentProviderTaxID is of Brazilian providers.
	PaymentProviderTaxID string `json:"payment_provider_tax_id,omitzero"`
}

// PaymentMethodInput is the method of a new transaction.
type PaymentMethodInput struct {
	Type MethodType `json:"type"`
	// ID may be left out for Cash, Pix and Wallet.
	ID string `json:"id,omitzero"`
}

// EventInput is the body of TransactionService.CreateEvent, and the first event of
// a new transaction.
type EventInput struct {
	Amount Amount      `json:"amount"`
	Type   EventType   `json:"type"`
	Status EventStatus `json:"status"`
	// AuthorizationCode is required for a successful sale or capture by card or pix.
	AuthorizationCode string `json:"authorization_code,omitzero"`
	// HappenedAt is now if it is zero.
	HappenedAt client.Time                `json:"happened_at,omitzero"`
	Info       map[string]json.RawMessage `json:"info,omitzero"`
	// FailureCode is required for a failure.
	FailureCode string      `json:"failure_code,omitzero"`
	ExpiresAt   client.Time `json:"expires_at,omitzero"`
}

// InfoInput tells about a new transaction.
type InfoInput struct {
	// ExternalID is the provider's own id; required.
	ExternalID string                `json:"external_id"`
	Card       client.Opt[CardInput] `json:"card,omitzero"`
	// Installments are required for CreditCard.
	Installments              client.Opt[InstallmentsInput] `json:"installments,omitzero"`
	ExternalURL               string                        `json:"external_url,omitzero"`
	ExternalResourceURL       string                        `json:"external_resource_url,omitzero"`
	ExternalResourceCode      string                        `json:"external_resource_code,omitzero"`
	ExternalResourceExpiresAt client.Time                   `json:"external_resource_expires_at,omitzero"`
	// RefundURL is called by the platform when the merchant asks for a refund.
	RefundURL             string            `json:"refund_url,omitzero"`
	SupportsPartialRefund bool              `json:"supports_partial_refund,omitzero"`
	IP                    string            `json:"ip,omitzero"`
	ConsumerCharges       []json.RawMessage `json:"consumer_charges,omitzero"`
	ConsumerDiscounts     []json.RawMessage `json:"consumer_discounts,omitzero"`
	MerchantCharges       []json.RawMessage `json:"merchant_charges,omitzero"`
}

// CardInput is the card of a new transaction, without its secrets.
type CardInput struct {
	Brand           string `json:"brand,omitzero"`
	Issuer          string `json:"issuer,omitzero"`
	ExpirationMonth int    `json:"expiration_month,omitzero"`
	ExpirationYear  int    `json:"expiration_year,omitzero"`
	FirstDigits     string `json:"first_digits,omitzero"`
	LastDigits      string `json:"last_digits,omitzero"`
	MaskedNumber    string `json:"masked_number,omitzero"`
	Name            string `json:"name,omitzero"`
}

// InstallmentsInput are the parts that the customer pays in.
type InstallmentsInput struct {
	// Quantity is 1 or more.
	Quantity int            `json:"quantity"`
	Interest client.Measure `json:"interest,omitzero"`
}

func (in TransactionInput) check() error {
	method := in.PaymentMethod.Type
	switch {
	case in.PaymentProviderID == uuid.Nil:
		return client.Invalid("payment_provider_id", in.PaymentProviderID, "the id of a payment provider")
	case method == "":
		return client.Invalid("payment_method.type", method, "a payment method")
	case in.PaymentMethod.ID == "" && method.named():
		return client.Invalid("payment_method.id", in.PaymentMethod.ID, "an id, but for cash, pix and wallet")
	case in.Info.ExternalID == "":
		return client.Invalid("info.external_id", in.Info.ExternalID, "the provider's id of the transaction")
	}
	if parts, ok := in.Info.Installments.Get(); method == CreditCard && !ok || ok && parts.Quantity < 1 {
		return client.Invalid("info.installments.quantity", parts.Quantity, "1 or more, required for credit_card")
	}
	if err := in.FirstEvent.check(); err != nil {
		return fmt.Errorf("first_event.%w", err)
	}
	return in.checkMethod()
}

// checkMethod applies the rules that tie the first event to the payment method.
func (in TransactionInput) checkMethod() error {
	event, method := in.FirstEvent, in.PaymentMethod.Type
	if !method.Takes(event.Type) {
		return client.Invalid("first_event.type", event.Type, fmt.Sprintf("an event that transactions by %s have", method))
	}
	settles := event.Status == EventSuccess && (event.Type == Sale || event.Type == Capture)
	if settles && method.authorized() && event.AuthorizationCode == "" {
		return client.Invalid("first_event.authorization_code", event.AuthorizationCode, fmt.Sprintf("a code for a successful %s by %s", event.Type, method))
	}
	return nil
}

// check applies the rules that need no payment method.
func (in EventInput) check() error {
	switch {
	case in.Amount.Value.Cmp(client.Money{}) < 0:
		return client.Invalid("amount.value", in.Amount.Value, "0 or more")
	case len(in.Amount.Currency) != 3:
		return client.Invalid("amount.currency", in.Amount.Currency, "an ISO 4217 code")
	case !in.Type.Known():
		return client.Invalid("type", in.Type, "an event type of the contract")
	case !in.Status.Known():
		return client.Invalid("status", in.Status, "success, pending, failure or error")
	case in.Status == EventFailure && in.FailureCode == "":
		return client.Invalid("failure_code", in.FailureCode, "a code for a failure")
	}
	return nil
}
