package providers

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

func TestTransactionDifferences(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	full := sale()
	full.FirstEvent.HappenedAt, full.FirstEvent.ExpiresAt = client.At(at), client.At(at.Add(time.Hour))
	full.FirstEvent.Info = EventInfo{FraudScore: "0.50", Extra: client.Extra{"note": json.RawMessage(`{"a": [1]}`)}}
	full.FirstEvent.DiscountAmount = Amount{client.Cents(150), "BRL"}
	full.PaymentAttemptID, full.PaymentProviderTaxID = "attempt-1", "1"
	full.Info.Card = client.Set(CardInput{Brand: "visa", ExpirationMonth: 7, LastDigits: "0042", Name: "Ana"})
	full.Info.Installments = client.Set(InstallmentsInput{Quantity: 3, Interest: "0.065"})
	full.Info.RefundURL, full.Info.SupportsPartialRefund = "https://app.example/refund", true
	full.Info.ConsumerCharges = []Charge{{Type: ChargeTypeTax, Amount: Amount{client.Cents(100), "BRL"}}}

	recorded := func() *Transaction {
		var tx Transaction
		if err := json.Unmarshal([]byte(`{
			"id":"11111111-1111-4111-8111-111111111111","payment_provider_id":"`+someID.String()+`","status":"partially_refunded","discount_amount":{"value":"1.50","currency":"BRL"},
			"payment_method":{"type":"credit_card","id":"visa"},
			"events":[
				{"type":"refund","status":"success","amount":{"value":"9.00","currency":"BRL"},"happened_at":"2030-01-03T03:04:05Z"},
				{"type":"sale","status":"success","amount":{"value":"49.990","currency":"BRL"},"authorization_code":"A1","failure_code":null,
				 "happened_at":"2030-01-02T00:04:05-03:00","expires_at":"2030-01-02T04:04:05Z","info":{"note":{"a":[1]},"more":1,"fraud_score":0.5}}],
			"info":{"external_id":"ext-1","card":{"brand":"visa","expiration_month":7,"last_digits":"0042","name":"Ana","issuer":"B"},
				"installments":{"quantity":3,"interest":"0.0650"},"refund_url":"https://app.example/refund","supports_partial_refund":true,
				"consumer_charges":[{"type":"tax","amount":{"value":"1.0","currency":"BRL"},"description":"more"}]}}`), &tx); err != nil {
			t.Fatal(err)
		}
		return &tx
	}
	for name, tt := range map[string]struct {
		change func(*TransactionInput, *Transaction)
		want   string
	}{
		"the same": {func(*TransactionInput, *Transaction) {}, ""},
		"another amount": {func(in *TransactionInput, _ *Transaction) {
			in.FirstEvent.Amount.Value = client.Cents(5000)
		}, "first_event.amount.value"},
		"another discount": {func(in *TransactionInput, _ *Transaction) {
			in.FirstEvent.DiscountAmount.Value = client.Cents(1)
		},
			"first_event.discount_amount.value"},
		"no discount there": {func(_ *TransactionInput, tx *Transaction) { tx.DiscountAmount = nil }, "first_event.discount_amount"},
		"another currency":  {func(in *TransactionInput, _ *Transaction) { in.FirstEvent.Amount.Currency = "ARS" }, "first_event.amount.currency"},
		"another outcome": {func(in *TransactionInput, _ *Transaction) {
			in.FirstEvent.Status, in.FirstEvent.AuthorizationCode, in.FirstEvent.FailureCode = EventFailure, "", "card_rejected"
		}, "first_event.failure_code first_event.status"},
		"another time": {func(in *TransactionInput, _ *Transaction) {
			in.FirstEvent.HappenedAt = client.At(at.Add(time.Second))
		}, "first_event.happened_at"},
		"another method": {func(in *TransactionInput, _ *Transaction) { in.PaymentMethod.ID = "amex" }, "payment_method.id"},
		"another info": {func(in *TransactionInput, _ *Transaction) {
			in.Info.ExternalURL = "https://bank.example/1"
			in.Info.Installments = client.Set(InstallmentsInput{Quantity: 6})
		}, "info.external_url info.installments.quantity"},
		"no events": {func(_ *TransactionInput, tx *Transaction) { tx.Events = nil }, "first_event"},
		"no card":   {func(_ *TransactionInput, tx *Transaction) { tx.Info.Card = nil }, "info.card"},
	} {
		in, tx := full, recorded()
		tt.change(&in, tx)
		if got := in.Differences(tx); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
