package res

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// chargeOps are about amounts that a store pays an app in addition to its plan.
func chargeOps() []api.Op {
	return []api.Op{
		{ID: "billing.createCharge", Method: "POST", Path: "/services/{service_id}/charges", ScopeNote: "none (store token)",
			Versions: []string{api.V202503, api.Unstable}, Provenance: api.Supplement, Success: 201,
			Emits: []string{"charge/created"}, Errors: append(chargeFaults(), api.ErrCase{Status: 404, Text: "null"}),
			Handler: createCharge},
	}
}

const chargeOrder = "must not be before from_date"

func chargeFaults() []api.ErrCase {
	return append(unprocessable(
		"description: "+body.NotEmpty, "concept_code: "+body.NotEmpty, "from_date: "+body.NotEmpty, "from_date: "+body.BeTime,
		"to_date: "+body.NotEmpty, "to_date: "+body.BeTime, "to_date: "+chargeOrder, "amount_value: "+body.NotEmpty,
		"amount_value: "+body.BePositive, "amount_currency: "+body.NotEmpty,
	), api.ErrCase{Status: 400, Text: invalidCurrency})
}

type chargeJSON struct {
	ID                string      `json:"id"`
	StoreID           int64       `json:"store_id"`
	Concept           string      `json:"concept_code"`
	Description       string      `json:"description"`
	ExternalReference *string     `json:"external_reference"`
	From              string      `json:"from_date"`
	To                string      `json:"to_date"`
	Amount            json.Number `json:"amount_value"`
	Currency          string      `json:"amount_currency"`
	CreatedAt         string      `json:"created_at"`
	UpdatedAt         string      `json:"updated_at"`
}

func showCharge(tx *world.Tx, c world.Charge) chargeJSON {
	return chargeJSON{
		ID:                c.ID,
		StoreID:           tx.Store().ID,
		Concept:           c.Concept,
		Description:       c.Description,
		ExternalReference: api.TextOrNil(c.ExternalReference),
		From:              api.Stamp(c.From),
		To:                api.Stamp(c.To),
		Amount:            json.Number(money(c.Amount.Value)),
		Currency:          c.Amount.Currency,
		CreatedAt:         api.Stamp(c.CreatedAt),
		UpdatedAt:         api.Stamp(c.UpdatedAt),
	}
}

func createCharge(tx *world.Tx, in *api.In) (any, error) {
	if in.ID("service_id") != in.App.ID {
		return nil, api.NotFound("")
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	c := readCharge(b)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	if c.Amount.Currency != tx.Store().MainCurrency {
		return nil, api.Coded(400, invalidCurrency)
	}
	c.ID, c.AppID, c.Status, c.CreatedAt, c.UpdatedAt = tx.NewUUID(), in.App.ID, world.ChargePending, tx.Now(), tx.Now()
	tx.Emit("charge/created", map[string]any{"id": c.ID, "app_id": c.AppID})
	return showCharge(tx, c), tx.Charges.Put(c.ID, c)
}

func readCharge(b body.Members) world.Charge {
	var c world.Charge
	b.Require(true, "description", "concept_code", "amount_value", "amount_currency")
	b.Text("description", &c.Description)
	b.Text("concept_code", &c.Concept)
	b.Text("external_reference", &c.ExternalReference)
	for name, to := range map[string]*time.Time{"from_date": &c.From, "to_date": &c.To} {
		b.Required(name, func() { b.Time(name, to) })
	}
	if !c.To.IsZero() && c.To.Before(c.From) {
		b.Refuse("to_date", chargeOrder)
	}
	if b.Has("amount_value") {
		b.Number("amount_value", &c.Amount.Value)
		if c.Amount.Value = c.Amount.Value.Round(2); !c.Amount.Value.IsPositive() {
			b.Refuse("amount_value", body.BePositive)
		}
	}
	b.Text("amount_currency", &c.Amount.Currency)
	return c
}

// ChargeStates is the table of a charge. A paid charge stays paid, and a failed one may be tried again.
func ChargeStates() api.Machine[world.ChargeStatus] {
	type edge = api.Edge[world.ChargeStatus]
	const pending, paid, failed = world.ChargePending, world.ChargePaid, world.ChargeFailed
	return api.Machine[world.ChargeStatus]{
		Name:    "charge",
		Initial: pending,
		States:  []world.ChargeStatus{pending, paid, failed},
		Edges: []edge{
			{From: pending, On: "pay", To: paid}, {From: pending, On: "fail", To: failed},
			{From: failed, On: "pay", To: paid}, {From: failed, On: "fail", To: failed},
		},
	}
}

// CloseCharge is an act without an operation: the merchant pays a charge, or the payment fails. The event is
// charge/paid or charge/failed.
func CloseCharge(tx *world.Tx, id, how string) error {
	c, ok := tx.Charges.Get(id)
	if !ok {
		return fmt.Errorf("charge %q does not exist in store %d", id, tx.Store().ID)
	}
	to := ChargeStates().Next(c.Status, how)
	if len(to) == 0 {
		return fmt.Errorf("charge %q: it is %s and cannot %s", id, c.Status, strconv.Quote(how))
	}
	c.Status, c.UpdatedAt = to[0], tx.Now()
	tx.Emit("charge/"+string(c.Status), map[string]any{"id": c.ID, "app_id": c.AppID, "charge": map[string]any{
		"id": c.ID, "concept_code": c.Concept, "from_date": api.Stamp(c.From), "to_date": api.Stamp(c.To),
		"amount_value": json.Number(money(c.Amount.Value)), "amount_currency": c.Amount.Currency,
	}})
	return tx.Charges.Put(c.ID, c)
}
