package control

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// disputeJSON is a chargeback of a transaction.
type disputeJSON struct {
	Transaction string `json:"transaction"` // the newest if empty
	Reason      string `json:"reason"`      // fraudulent_activity if empty
	Amount      amount `json:"amount"`      // that of the transaction if 0
}

// disputes lists the disputes of the store.
func disputes(c *call) (any, error) {
	r, err := c.resourceNamed("disputes")
	if err != nil {
		return nil, err
	}
	return r.page(c)
}

// openDispute reports a chargeback by the call of the API with which a payment app reports one.
func openDispute(c *call, in disputeJSON) (any, error) {
	if reasons := res.DisputeReasons(); in.Reason != "" && !slices.Contains(reasons, in.Reason) {
		return nil, wrong("reason", cut(in.Reason), "must be one of "+strings.Join(reasons, ", "))
	}
	t, err := c.transaction(in.Transaction)
	if err != nil {
		return nil, err
	}
	value := in.Amount.Decimal
	if value.IsZero() {
		value = t.Captured
	}
	_, answer, err := c.act(recordJSON{Store: c.st.ID, Path: disputesOf(t.OrderID, t.ID), Body: bodyOf(map[string]any{
		"reason_code": cmp.Or(in.Reason, "fraudulent_activity"), "external_reason_code": "chargeback",
		"amount": onWire(value, t.Currency), "retained_total": onWire(decimal.Zero, t.Currency),
		"initiated_at": stamp(c.server.Clock().Now()),
	})})
	if err != nil {
		return nil, err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return nil, err
	}
	return c.disputeNow(made.ID)
}

// transaction is that of an id, the newest of the store if it is empty.
func (c *call) transaction(id string) (t world.Transaction, err error) {
	err = c.server.World().View(0, c.st.ID, func(tx *world.Tx) error {
		var known []string
		for key, one := range tx.Transactions.All() {
			known = append(known, key)
			if key == id || id == "" && !one.CreatedAt.Before(t.CreatedAt) {
				t = one
			}
		}
		switch {
		case t.ID != "":
			return nil
		case id == "":
			return conflict(fmt.Sprintf("store %d has no transaction", c.st.ID), `"refserver sale 120.00" makes one`)
		}
		return misspelt("transaction", id, known)
	})
	return t, err
}

// disputeStatusJSON is the next status of a dispute.
type disputeStatusJSON struct {
	Status   string `json:"status"`
	Retained amount `json:"retained"` // what is withheld from the merchant from now on
}

// moveDispute reports the next status of a dispute by the call of the API.
func moveDispute(c *call, in disputeStatusJSON) (any, error) {
	id := c.r.PathValue("dispute")
	if err := c.has("disputes", "dispute"); err != nil {
		return nil, err
	}
	var d world.Dispute
	err := c.server.World().View(0, c.st.ID, func(tx *world.Tx) error {
		d, _ = tx.Disputes.Get(id)
		return nil
	})
	if err != nil {
		return nil, err
	}
	body := map[string]any{"status": in.Status, "retained_total": onWire(in.Retained.Decimal, d.Amount.Currency)}
	if world.DisputeStatus(in.Status).Closed() {
		body["closed_at"] = stamp(c.server.Clock().Now())
	}
	_, _, err = c.act(recordJSON{
		Store: c.st.ID, App: d.AppID, Method: http.MethodPut, Path: disputesOf(d.OrderID, d.TransactionID) + "/" + id,
		Body: bodyOf(body),
	})
	if err != nil {
		return nil, err
	}
	return c.disputeNow(id)
}

// disputeNow is a dispute as it is after a change.
func (c *call) disputeNow(id string) (any, error) {
	r, err := c.resourceNamed("disputes")
	if err != nil {
		return nil, err
	}
	return r.record(id)
}

// disputesOf is the path of the disputes of a transaction.
func disputesOf(order int64, transaction string) string {
	return fmt.Sprintf("/orders/%d/transactions/%s/disputes", order, transaction)
}

// onWire is an amount as the API reads it.
func onWire(value decimal.Decimal, currency string) map[string]string {
	return map[string]string{"value": value.StringFixed(2), "currency": currency}
}

// bodyOf is a body of maps, texts and numbers.
func bodyOf(v any) json.RawMessage {
	raw, _ := json.Marshal(v)
	return raw
}
