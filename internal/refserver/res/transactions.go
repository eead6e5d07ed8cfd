package res

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func transactionOps() []api.Op {
	const all, one = "/orders/{order_id}/transactions", "/orders/{order_id}/transactions/{id}"
	read, write := []string{"read_payments"}, []string{"write_payments"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	tells := []string{"order/paid", "order/voided", "order/pending", "order/updated"}
	return []api.Op{
		{ID: "transactions.list", Method: "GET", Path: all, Scopes: read, Feature: paymentApps,
			Provenance: api.Supplement, Errors: missing, Paging: api.Paging{Whole: true, EmptyOK: true},
			Handler: api.Collection(findTransactions, showTransaction)},
		{ID: "transactions.get", Method: "GET", Path: one, Scopes: read, Feature: paymentApps,
			Provenance: api.Supplement, Errors: missing, Handler: api.Record(transaction, showTransaction)},
		{ID: "transactions.create", Method: "POST", Path: all, Scopes: write, Feature: paymentApps, Success: 201,
			Provenance: api.Supplement, Emits: tells,
			Errors: slices.Concat(missing, transactionFaults()), Handler: createTransaction},
		{ID: "transactions.createEvent", Method: "POST", Path: one + "/events", Scopes: write, Feature: paymentApps,
			Success: 201, Provenance: api.Supplement, Emits: tells,
			Errors: slices.Concat(missing, eventFaults(""),
				unprocessable(moreThanBegun, moreThanAuthorized, moreThanCaptured)),
			Handler: createTransactionEvent},
	}
}

// paymentApps is the feature of an app that the platform lets report payments.
const paymentApps = "payments"

type transactionJSON struct {
	ID          string                     `json:"id"`
	AppID       *int64                     `json:"app_id"`
	ProviderID  string                     `json:"payment_provider_id"`
	Method      paymentMethodJSON          `json:"payment_method"`
	Status      string                     `json:"status"`
	Captured    amountJSON                 `json:"captured_amount"`
	Refunded    amountJSON                 `json:"refunded_amount"`
	Authorized  amountJSON                 `json:"authorized_amount"`
	Voided      amountJSON                 `json:"voided_amount"`
	Discount    *amountJSON                `json:"discount_amount"`
	FailureCode *string                    `json:"failure_code"`
	Events      []transactionEventJSON     `json:"events"`
	Info        map[string]json.RawMessage `json:"info"`
	CreatedAt   string                     `json:"created_at"`
}

type paymentMethodJSON struct {
	Type string  `json:"type"`
	ID   *string `json:"id"`
}

// amountJSON is an amount in a currency, with the value as a decimal string.
type amountJSON struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

type transactionEventJSON struct {
	ID                string          `json:"id"`
	Amount            amountJSON      `json:"amount"`
	Type              string          `json:"type"`
	Status            string          `json:"status"`
	AuthorizationCode *string         `json:"authorization_code"`
	FailureCode       *string         `json:"failure_code"`
	Info              json.RawMessage `json:"info"`
	ExpiresAt         any             `json:"expires_at"`
	HappenedAt        string          `json:"happened_at"`
	CreatedAt         string          `json:"created_at"`
}

func showTransaction(_ *world.Tx, _ *api.In, t world.Transaction) any {
	in := func(d decimal.Decimal) amountJSON { return amountJSON{Value: money(d), Currency: t.Currency} }
	out := transactionJSON{
		ID:          t.ID,
		AppID:       idOrNull(t.AppID),
		ProviderID:  t.ProviderID,
		Method:      paymentMethodJSON{Type: t.MethodType, ID: api.TextOrNil(t.MethodID)},
		Status:      string(t.Status),
		Captured:    in(t.Captured),
		Refunded:    in(t.Refunded),
		Authorized:  in(t.Authorized),
		Voided:      in(t.Voided),
		FailureCode: api.TextOrNil(t.FailureCode),
		Events:      []transactionEventJSON{},
		Info:        t.Info,
		CreatedAt:   preciseStamp(t.CreatedAt),
	}
	if t.Discounted.IsPositive() {
		off := in(t.Discounted)
		out.Discount = &off
	}
	for _, e := range t.Events {
		out.Events = append(out.Events, eventOnWire(t, e))
	}
	return out
}

func eventOnWire(t world.Transaction, e world.TransactionEvent) transactionEventJSON {
	out := transactionEventJSON{
		ID:                e.ID,
		Amount:            amountJSON{Value: money(e.Amount), Currency: t.Currency},
		Type:              e.Type,
		Status:            e.Status,
		AuthorizationCode: api.TextOrNil(e.AuthorizationCode),
		FailureCode:       api.TextOrNil(e.FailureCode),
		Info:              e.Info,
		HappenedAt:        preciseStamp(e.HappenedAt),
		CreatedAt:         preciseStamp(e.CreatedAt),
	}
	if !e.ExpiresAt.IsZero() {
		out.ExpiresAt = preciseStamp(e.ExpiresAt)
	}
	return out
}

func findTransactions(tx *world.Tx, in *api.In) ([]world.Transaction, error) {
	if !tx.Orders.Has(in.ID("order_id")) {
		return nil, api.NotFound("")
	}
	return transactionsOf(tx, in.ID("order_id")), nil
}

// transactionsOf are the transactions of an order, the oldest first.
func transactionsOf(tx *world.Tx, order int64) []world.Transaction {
	var out []world.Transaction
	for _, t := range tx.Transactions.Where("order", strconv.FormatInt(order, 10)) {
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b world.Transaction) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out
}

// transaction is the one that the path names, which is the order's.
func transaction(tx *world.Tx, in *api.In) (world.Transaction, error) {
	t, ok := tx.Transactions.Get(in.Var("id"))
	if !ok || t.OrderID != in.ID("order_id") {
		return t, api.NotFound("")
	}
	return t, nil
}

func createTransaction(tx *world.Tx, in *api.In) (any, error) {
	o, ok := tx.Orders.Get(in.ID("order_id"))
	if !ok {
		return nil, api.NotFound("")
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	t, e := readTransaction(tx, in, b, o)
	wrong := b.Done(in)
	if err := checkInfo(t); err != nil {
		return nil, err
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	t.ID = tx.NewUUID()
	if t, _, err = report(tx, t, e); err != nil {
		return nil, err
	}
	return showTransaction(tx, in, t), nil
}

func createTransactionEvent(tx *world.Tx, in *api.In) (any, error) {
	t, err := transaction(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	e := readEvent(tx, b, t)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	if t, e, err = report(tx, t, e); err != nil {
		return nil, err
	}
	return eventOnWire(t, e), nil
}

// report keeps what happened to a transaction and brings its order up to date.
func report(tx *world.Tx, t world.Transaction, e world.TransactionEvent) (world.Transaction, world.TransactionEvent, error) {
	e.ID, e.HappenedAt = tx.NewUUID(), e.HappenedAt.Truncate(time.Millisecond)
	t, refusal := happen(t, e)
	if refusal != "" {
		return t, e, api.Unprocessable(refusal)
	}
	if err := tx.Transactions.Put(t.ID, t); err != nil {
		return t, e, err
	}
	before, _ := tx.Orders.Get(t.OrderID)
	o, events := settlePayment(tx, before)
	_, err := keepOrder(tx, before, o, events...)
	return t, e, err
}
