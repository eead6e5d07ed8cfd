package res

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// disputeOps are about the chargebacks that the app which asks has reported. They have no list, and send no events.
func disputeOps() []api.Op {
	const all = "/orders/{order_id}/transactions/{transaction_id}/disputes"
	const one = all + "/{id}"
	scopes, versions := []string{"write_payments"}, []string{api.V1, api.Unstable}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "disputes.create", Method: "POST", Path: all, Scopes: scopes, Versions: versions, Success: 201,
			Errors: slices.Concat(missing, disputeFaults()), Handler: createDispute},
		{ID: "disputes.update", Method: "PUT", Path: one, Scopes: scopes, Versions: versions, Success: 204,
			Errors: slices.Concat(missing, disputeUpdateFaults()), Handler: updateDispute},
		{ID: "disputes.get", Method: "GET", Path: one, Scopes: scopes, Versions: versions,
			Errors: missing, Handler: getDispute},
	}
}

type disputeJSON struct {
	ID                string            `json:"id"`
	StoreID           string            `json:"store_id"`
	AppID             string            `json:"app_id"`
	OrderID           string            `json:"order_id"`
	TransactionID     string            `json:"transaction_id"`
	Reason            string            `json:"reason_code"`
	ExternalReason    string            `json:"external_reason_code"`
	Amount            amountJSON        `json:"amount"`
	TransactionAmount amountJSON        `json:"transaction_amount"`
	InitiatedAt       string            `json:"initiated_at"`
	EvidenceURL       *string           `json:"evidence_url"`
	EvidenceSentAt    *string           `json:"evidence_sent_at"`
	ClosedAt          *string           `json:"closed_at"`
	Status            string            `json:"status"`
	EvidenceDueAt     *string           `json:"evidence_due_at"`
	RetainedTotal     amountJSON        `json:"retained_total"`
	RetainedSettled   *settledJSON      `json:"retained_settled_amount"`
	Fees              []disputeFeeJSON  `json:"fees"`
	History           []disputeStepJSON `json:"history"`
}

type settledJSON struct {
	Value        string           `json:"value"`
	Currency     string           `json:"currency"`
	ExchangeRate exchangeRateJSON `json:"exchange_rate"`
}

type exchangeRateJSON struct {
	Value string `json:"value"`
	From  string `json:"from"`
}

type disputeFeeJSON struct {
	Type   string     `json:"type"`
	Amount amountJSON `json:"amount"`
}

type disputeStepJSON struct {
	Status          string       `json:"status"`
	TransitionedAt  string       `json:"transitioned_at"`
	RetainedDelta   amountJSON   `json:"retained_delta"`
	RetainedTotal   amountJSON   `json:"retained_total"`
	RetainedSettled *settledJSON `json:"retained_settled_amount"`
}

func showDispute(tx *world.Tx, d world.Dispute) disputeJSON {
	t, _ := tx.Transactions.Get(d.TransactionID)
	out := disputeJSON{
		ID:                d.ID,
		StoreID:           strconv.FormatInt(tx.Store().ID, 10),
		AppID:             strconv.FormatInt(d.AppID, 10),
		OrderID:           strconv.FormatInt(d.OrderID, 10),
		TransactionID:     d.TransactionID,
		Reason:            d.Reason,
		ExternalReason:    d.ExternalReason,
		Amount:            amountOnWire(d.Amount),
		TransactionAmount: amountOnWire(amountOf(t)),
		InitiatedAt:       preciseStamp(d.InitiatedAt),
		EvidenceURL:       api.TextOrNil(d.EvidenceURL),
		EvidenceSentAt:    preciseOrNull(d.EvidenceSentAt),
		ClosedAt:          preciseOrNull(d.ClosedAt),
		Status:            string(d.Status),
		EvidenceDueAt:     preciseOrNull(d.EvidenceDueAt),
		RetainedTotal:     amountJSON{Value: money(d.Retained), Currency: d.Amount.Currency},
		RetainedSettled:   settledOnWire(d.Settled),
		Fees:              each(d.Fees, disputeFeeOnWire),
	}
	for _, s := range d.History {
		out.History = append(out.History, disputeStepJSON{
			Status:          string(s.Status),
			TransitionedAt:  preciseStamp(s.At),
			RetainedDelta:   amountJSON{Value: money(s.Delta), Currency: d.Amount.Currency},
			RetainedTotal:   amountJSON{Value: money(s.Retained), Currency: d.Amount.Currency},
			RetainedSettled: settledOnWire(s.Settled),
		})
	}
	return out
}

func disputeFeeOnWire(f world.DisputeFee) disputeFeeJSON {
	return disputeFeeJSON{Type: f.Type, Amount: amountOnWire(f.Amount)}
}

func settledOnWire(s *world.Settled) *settledJSON {
	if s == nil {
		return nil
	}
	return &settledJSON{
		Value:        money(s.Amount.Value),
		Currency:     s.Amount.Currency,
		ExchangeRate: exchangeRateJSON{Value: asWritten(s.Rate), From: s.From},
	}
}

// amountOf is the amount of a transaction: the captured amount, otherwise the authorized one, otherwise that of its
// first event.
func amountOf(t world.Transaction) world.Amount {
	a := world.Amount{Value: t.Captured, Currency: t.Currency}
	if !a.Value.IsPositive() {
		a.Value = t.Authorized
	}
	if !a.Value.IsPositive() && len(t.Events) > 0 {
		a.Value = t.Events[0].Amount
	}
	return a
}

func preciseOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := preciseStamp(t)
	return &s
}

func createDispute(tx *world.Tx, in *api.In) (any, error) {
	order, transaction, err := disputed(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	d := readDispute(b)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	if most := tx.Limits().Disputes; tx.Disputes.Count("transaction", transaction) >= most {
		return nil, api.Unprocessable(fmt.Sprintf(noMore, most))
	}
	d.ID, d.AppID, d.OrderID, d.TransactionID = tx.NewHex(12), in.App.ID, order, transaction
	d = reach(d, d.InitiatedAt)
	return struct {
		ID string `json:"id"`
	}{d.ID}, tx.Disputes.Put(d.ID, d)
}

// disputed is the order and the transaction of it that the path names. It need not
// be a transaction of the app.
func disputed(tx *world.Tx, in *api.In) (order int64, transaction string, err error) {
	order, transaction = in.ID("order_id"), in.Var("transaction_id")
	t, ok := tx.Transactions.Get(transaction)
	if !ok || t.OrderID != order || !tx.Orders.Has(order) {
		return 0, "", api.NotFound("")
	}
	return order, transaction, nil
}

// dispute is the one that the path names, which is the app's.
func dispute(tx *world.Tx, in *api.In) (world.Dispute, error) {
	_, transaction, err := disputed(tx, in)
	if err != nil {
		return world.Dispute{}, err
	}
	d, ok := tx.Disputes.Get(in.Var("id"))
	if !ok || d.TransactionID != transaction || d.AppID != in.App.ID {
		return world.Dispute{}, api.NotFound("")
	}
	return d, nil
}

func updateDispute(tx *world.Tx, in *api.In) (any, error) {
	d, err := dispute(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	d, to := readDisputeUpdate(b, d)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	d, refusal := advance(d, to, tx.Now())
	if refusal != "" {
		return nil, api.Unprocessable(refusal)
	}
	return nil, tx.Disputes.Put(d.ID, d)
}

func getDispute(tx *world.Tx, in *api.In) (any, error) {
	d, err := dispute(tx, in)
	if err != nil {
		return nil, err
	}
	return showDispute(tx, d), nil
}
