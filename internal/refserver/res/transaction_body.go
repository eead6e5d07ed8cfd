package res

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Refusals of transactions. All are assumed: the contract has the rules, not the
// words.
const (
	beProvider         = "must be an existing payment provider of the app"
	bePositive         = "must be greater than 0"
	beOrderCurrency    = "must be the currency of the order"
	beMethodType       = "must be a payment method type"
	beEventType        = "must be an event type of the payment method"
	beEventStatus      = "must be one of the following values: error, failure, pending, success"
	wrongEvent         = "The event cannot happen to the transaction"
	moreThanBegun      = "The amount is more than that of the first event"
	moreThanAuthorized = "The amount is more than what is authorized"
	moreThanCaptured   = "The amount is more than what is captured"
)

func eventFaults(path string) []api.ErrCase {
	return unprocessable(
		path+"amount.value: "+body.BeNumber,
		path+"amount.value: "+bePositive,
		path+"amount.value: "+body.BeCents,
		path+"amount.currency: "+beOrderCurrency,
		path+"type: "+beEventType,
		path+"status: "+beEventStatus,
		path+"authorization_code: "+body.NotEmpty,
		path+"failure_code: "+body.NotEmpty,
		path+"happened_at: "+body.BeTime,
		wrongEvent,
	)
}

func transactionFaults() []api.ErrCase {
	return slices.Concat(eventFaults("first_event."), discountFaults(), infoFaults(), unprocessable(
		"payment_provider_id: "+body.NotEmpty,
		"payment_provider_id: "+body.BeUUID,
		"payment_provider_id: "+beProvider,
		"payment_method.type: "+beMethodType,
		"payment_method.id: "+body.NotEmpty,
		"first_event: "+body.NotEmpty,
		"info.external_id: "+body.NotEmpty,
		"info.refund_url: "+body.BePublic,
		"info.installments: "+body.NotEmpty,
		"info.installments.quantity: "+body.BeNumber,
	))
}

// readTransaction reads a new transaction with what happened first.
func readTransaction(tx *world.Tx, in *api.In, b body.Members, o world.Order) (world.Transaction,
	world.TransactionEvent) {
	t := world.Transaction{OrderID: o.ID, AppID: tx.App().ID, Currency: o.Currency, CreatedAt: tx.Now()}
	b.Need("payment_provider_id", &t.ProviderID)
	switch p, ok := tx.PaymentProviders.Get(t.ProviderID); {
	case t.ProviderID == "":
	case uuid.Validate(t.ProviderID) != nil:
		b.Refuse("payment_provider_id", body.BeUUID)
	case !ok || p.AppID != t.AppID:
		b.Refuse("payment_provider_id", beProvider)
	}
	b.Object("payment_method", func(b body.Members) {
		b.Text("type", &t.MethodType)
		if !slices.Contains([]string{"cash", "pix", "wallet"}, t.MethodType) {
			b.Need("id", &t.MethodID)
		}
		b.Text("id", &t.MethodID)
	})
	if !slices.Contains(providerTypes(), t.MethodType) {
		b.Refuse("payment_method.type", beMethodType)
	}
	if !b.Has("first_event") {
		b.Refuse("first_event", body.NotEmpty)
	}
	var e world.TransactionEvent
	var off *given
	b.Object("first_event", func(b body.Members) { e, off = readEvent(tx, b, t), readDiscount(b, t.Currency) })
	if whole := readDiscount(b, t.Currency); off == nil {
		off = whole
	}
	readInfo(in, b, &t)
	if off != nil { // it is what the information itemizes
		t.Discounted = off.amount
	}
	off.check(tx, o, e)
	b.Text("payment_attempt_id", &t.PaymentAttempt)
	b.Text("payment_provider_tax_id", &t.ProviderTaxID)
	return t, e
}

// readEvent reads an event of a transaction. An event after the first has the amount of the first, unless it has its
// own.
func readEvent(tx *world.Tx, b body.Members, t world.Transaction) world.TransactionEvent {
	e := world.TransactionEvent{HappenedAt: tx.Now(), CreatedAt: tx.Now()}
	var currency string
	b.Text("type", &e.Type)
	amounted := false
	if !b.Set("amount") && len(t.Events) > 0 && slices.Contains([]string{void, refund, capture}, e.Type) {
		e.Amount, currency, amounted = t.Events[0].Amount, t.Currency, true
		b.Ignore("amount")
	}
	b.Object("amount", func(b body.Members) {
		amounted = b.Has("value")
		b.Number("value", &e.Amount)
		b.Text("currency", &currency)
	})
	switch {
	case !amounted:
		b.Refuse("amount.value", body.BeNumber)
	case !e.Amount.IsPositive():
		b.Refuse("amount.value", bePositive)
	case !e.Amount.Equal(e.Amount.Truncate(2)):
		b.Refuse("amount.value", body.BeCents)
	}
	if currency != t.Currency {
		b.Refuse("amount.currency", beOrderCurrency)
	}
	b.Text("status", &e.Status)
	b.Text("authorization_code", &e.AuthorizationCode)
	b.Text("failure_code", &e.FailureCode)
	b.Time("happened_at", &e.HappenedAt)
	b.Time("expires_at", &e.ExpiresAt)
	e.Info = b.Raw("info")
	if !slices.Contains(typesOf(t.MethodType), e.Type) {
		b.Refuse("type", beEventType)
	}
	if !slices.Contains(eventStatuses(), e.Status) {
		b.Refuse("status", beEventStatus)
	}
	proven := slices.Contains([]string{"credit_card", "debit_card", "pix"}, t.MethodType)
	if proven && e.Status == success && (e.Type == saleEvent || e.Type == capture) && e.AuthorizationCode == "" {
		b.Refuse("authorization_code", body.NotEmpty)
	}
	if e.Status == failure && e.FailureCode == "" {
		b.Refuse("failure_code", body.NotEmpty)
	}
	if e.HappenedAt.IsZero() {
		e.HappenedAt = tx.Now()
	}
	return e
}

// preciseStamp writes a time as transactions do, to the millisecond and with Z.
func preciseStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
