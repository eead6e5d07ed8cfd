package res

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of transactions. All are assumed: the contract has the rules, not the
// words.
const (
	beUUID             = "must be a UUID"
	beProvider         = "must be an existing payment provider of the app"
	bePositive         = "must be greater than 0"
	beOrderCurrency    = "must be the currency of the order"
	beMethodType       = "must be a payment method type"
	beEventType        = "must be an event type of the payment method"
	beEventStatus      = "must be one of the following values: error, failure, pending, success"
	wrongEvent         = "The event cannot happen to the transaction"
	moreThanAuthorized = "The amount is more than what is authorized"
	moreThanCaptured   = "The amount is more than what is captured"
)

func eventFaults(path string) []api.ErrCase {
	return unprocessable(
		path+"amount.value: "+beNumber,
		path+"amount.value: "+bePositive,
		path+"amount.value: "+beAmount,
		path+"amount.currency: "+beOrderCurrency,
		path+"type: "+beEventType,
		path+"status: "+beEventStatus,
		path+"authorization_code: "+notEmpty,
		path+"failure_code: "+notEmpty,
		path+"happened_at: "+beTime,
		wrongEvent,
	)
}

func transactionFaults() []api.ErrCase {
	return append(eventFaults("first_event."), unprocessable(
		"payment_provider_id: "+notEmpty,
		"payment_provider_id: "+beUUID,
		"payment_provider_id: "+beProvider,
		"payment_method.type: "+beMethodType,
		"payment_method.id: "+notEmpty,
		"first_event: "+notEmpty,
		"info.external_id: "+notEmpty,
		"info.refund_url: "+beAddress,
		"info.installments: "+notEmpty,
		"info.installments.quantity: "+beNumber,
	)...)
}

// readTransaction reads a new transaction with what happened first.
func readTransaction(tx *world.Tx, in *api.In, b form, o world.Order) (world.Transaction, world.TransactionEvent) {
	t := world.Transaction{OrderID: o.ID, AppID: tx.App().ID, Currency: o.Currency, CreatedAt: tx.Now()}
	b.need("payment_provider_id", &t.ProviderID)
	switch p, ok := tx.PaymentProviders.Get(t.ProviderID); {
	case t.ProviderID == "":
	case uuid.Validate(t.ProviderID) != nil:
		b.wrong.add("payment_provider_id", beUUID)
	case !ok || p.AppID != t.AppID:
		b.wrong.add("payment_provider_id", beProvider)
	}
	b.object("payment_method", func(b form) {
		b.text("type", &t.MethodType)
		if !slices.Contains([]string{"cash", "pix", "wallet"}, t.MethodType) {
			b.need("id", &t.MethodID)
		}
		b.text("id", &t.MethodID)
	})
	if !slices.Contains(providerTypes(), t.MethodType) {
		b.wrong.add("payment_method.type", beMethodType)
	}
	if !b.has("first_event") {
		b.wrong.add("first_event", notEmpty)
	}
	var e world.TransactionEvent
	b.object("first_event", func(b form) { e = readEvent(tx, b, t) })
	readInfo(in, b, &t)
	b.text("payment_attempt_id", &t.PaymentAttempt)
	b.text("payment_provider_tax_id", &t.ProviderTaxID)
	return t, e
}

// readEvent reads what happened to a transaction.
func readEvent(tx *world.Tx, b form, t world.Transaction) world.TransactionEvent {
	e := world.TransactionEvent{HappenedAt: tx.Now(), CreatedAt: tx.Now()}
	var currency string
	amounted := false
	b.object("amount", func(b form) {
		amounted = b.has("value")
		b.number("value", &e.Amount)
		b.text("currency", &currency)
	})
	switch {
	case !amounted:
		b.wrong.add(b.at("amount.value"), beNumber)
	case !e.Amount.IsPositive():
		b.wrong.add(b.at("amount.value"), bePositive)
	case !e.Amount.Equal(e.Amount.Truncate(2)):
		b.wrong.add(b.at("amount.value"), beAmount)
	}
	if currency != t.Currency {
		b.wrong.add(b.at("amount.currency"), beOrderCurrency)
	}
	b.text("type", &e.Type)
	b.text("status", &e.Status)
	b.text("authorization_code", &e.AuthorizationCode)
	b.text("failure_code", &e.FailureCode)
	b.time("happened_at", &e.HappenedAt)
	b.time("expires_at", &e.ExpiresAt)
	e.Info, _ = b.take("info")
	if !slices.Contains(typesOf(t.MethodType), e.Type) {
		b.wrong.add(b.at("type"), beEventType)
	}
	if !slices.Contains(eventStatuses(), e.Status) {
		b.wrong.add(b.at("status"), beEventStatus)
	}
	proven := slices.Contains([]string{"credit_card", "debit_card", "pix"}, t.MethodType)
	if proven && e.Status == success && (e.Type == saleEvent || e.Type == capture) && e.AuthorizationCode == "" {
		b.wrong.add(b.at("authorization_code"), notEmpty)
	}
	if e.Status == failure && e.FailureCode == "" {
		b.wrong.add(b.at("failure_code"), notEmpty)
	}
	if e.HappenedAt.IsZero() {
		e.HappenedAt = tx.Now()
	}
	return e
}

// readInfo keeps what the provider says as it is; the server reads of it what it
// needs.
func readInfo(in *api.In, b form, t *world.Transaction) {
	*b.unread = append(*b.unread, api.Unread(reflect.TypeFor[infoIn](), b.members["info"], "info")...)
	value(b, "info", beObject, &t.Info)
	if infoText(*t, "external_id") == "" {
		b.wrong.add("info.external_id", notEmpty)
	}
	if refunds := infoText(*t, "refund_url"); refunds != "" && in.CheckURL(refunds) != nil {
		b.wrong.add("info.refund_url", beAddress)
	}
	if _, ok := t.Info["installments"]; !ok && t.MethodType == "credit_card" {
		b.wrong.add("info.installments", notEmpty)
	}
	if installmentsOf(*t) == 0 && t.MethodType == "credit_card" {
		b.wrong.add("info.installments.quantity", beNumber)
	}
	t.Fees, t.Discounted = sumOf(t.Info["consumer_charges"]), sumOf(t.Info["consumer_discounts"])
}

// infoIn names what the information may have.
type infoIn struct {
	ExternalID json.RawMessage `json:"external_id"`
	Card       struct {
		Brand           json.RawMessage `json:"brand"`
		Issuer          json.RawMessage `json:"issuer"`
		ExpirationMonth json.RawMessage `json:"expiration_month"`
		ExpirationYear  json.RawMessage `json:"expiration_year"`
		FirstDigits     json.RawMessage `json:"first_digits"`
		LastDigits      json.RawMessage `json:"last_digits"`
		MaskedNumber    json.RawMessage `json:"masked_number"`
		Name            json.RawMessage `json:"name"`
	} `json:"card"`
	Installments struct {
		Quantity json.RawMessage `json:"quantity"`
		Interest json.RawMessage `json:"interest"`
	} `json:"installments"`
	ExternalURL               json.RawMessage `json:"external_url"`
	ExternalResourceURL       json.RawMessage `json:"external_resource_url"`
	ExternalResourceCode      json.RawMessage `json:"external_resource_code"`
	ExternalResourceExpiresAt json.RawMessage `json:"external_resource_expires_at"`
	RefundURL                 json.RawMessage `json:"refund_url"`
	SupportsPartialRefund     json.RawMessage `json:"supports_partial_refund"`
	IP                        json.RawMessage `json:"ip"`
	ConsumerCharges           json.RawMessage `json:"consumer_charges"`
	ConsumerDiscounts         json.RawMessage `json:"consumer_discounts"`
	MerchantCharges           json.RawMessage `json:"merchant_charges"`
}

// infoText is a member of the information that is a text.
func infoText(t world.Transaction, member string) string {
	var s string
	_ = json.Unmarshal(t.Info[member], &s) // what is no text is none
	return s
}

// installmentsOf is how many there are, 0 if the information has no number of them.
func installmentsOf(t world.Transaction) int {
	var b struct {
		Quantity int `json:"quantity"`
	}
	_ = json.Unmarshal(t.Info["installments"], &b) // what is no object has no number
	return max(b.Quantity, 0)
}

// sumOf adds up the amounts of a list of charges or discounts.
func sumOf(raw json.RawMessage) decimal.Decimal {
	var list []struct {
		Amount struct {
			Value scalar.Value `json:"value"`
		} `json:"amount"`
	}
	var sum decimal.Decimal
	_ = json.Unmarshal(raw, &list) // what is no list has no amounts
	for _, c := range list {
		d, _ := c.Amount.Value.Decimal()
		sum = sum.Add(d)
	}
	return sum
}

// preciseStamp writes a time as transactions do, to the millisecond and with Z.
func preciseStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
