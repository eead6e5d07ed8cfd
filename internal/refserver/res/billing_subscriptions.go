package res

import (
	"encoding/json"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// subscriptionOps are about what a store pays an app for its plan.
func subscriptionOps() []api.Op {
	const one, note = "/concepts/{concept_code}/services/{service_id}/subscriptions", "none (store token)"
	since := []string{api.V202503, api.Unstable}
	missing := api.ErrCase{Status: 404, Text: "null"}
	return []api.Op{
		{ID: "billing.getSubscription", Method: "GET", Path: one, ScopeNote: note, Versions: since,
			Provenance: api.Supplement, Errors: []api.ErrCase{missing}, Handler: getSubscription},
		{ID: "billing.updateSubscription", Method: "PATCH", Path: one, ScopeNote: note, Versions: since,
			Provenance: api.Supplement, Emits: []string{"subscription/updated", "app_subscription/updated"},
			Errors: append(subscriptionFaults(), missing), Handler: updateSubscription},
	}
}

type appSubscriptionJSON struct {
	ExternalReference  *string              `json:"external_reference"`
	Description        *string              `json:"description"`
	RecurringFrequency string               `json:"recurring_frequency"`
	RecurringInterval  int                  `json:"recurring_interval"`
	Currency           string               `json:"amount_currency"`
	Amount             json.Number          `json:"amount_value"`
	Concept            string               `json:"concept_code"`
	StoreID            int64                `json:"store_id"`
	NextExecution      string               `json:"next_execution"`
	LastExecution      *string              `json:"last_execution"`
	Plan               subscriptionPlanJSON `json:"plan"`
}

type subscriptionPlanJSON struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

func subscriptionFaults() []api.ErrCase {
	return append(unprocessable("amount_value: "+body.BeRate), api.ErrCase{Status: 400, Text: invalidCurrency})
}

// subscription is that of the app to which the path leads, with its plan. A store
// that has the app is subscribed to the default plan, for nothing, until that is
// changed; without a plan of the app there is none.
func subscription(tx *world.Tx, in *api.In) (world.AppSubscription, world.Plan, error) {
	s := world.AppSubscription{AppID: in.App.ID, Concept: in.Var("concept_code")}
	if in.ID("service_id") != in.App.ID {
		return s, world.Plan{}, api.NotFound("")
	}
	if kept, ok := tx.AppSubscriptions.Get(world.SubscriptionKey(s.AppID, s.Concept)); ok {
		s = kept
	}
	if p, ok := findPlan(tx, s.AppID, s.PlanID); ok {
		return s, p, nil
	}
	for _, p := range tx.PlansOf(s.AppID) {
		if p.Default {
			s.PlanID = p.ID
			return s, p, nil
		}
	}
	return s, world.Plan{}, api.NotFound("")
}

func showSubscription(tx *world.Tx, s world.AppSubscription, p world.Plan) appSubscriptionJSON {
	now := tx.Now().UTC()
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	return appSubscriptionJSON{
		ExternalReference:  api.TextOrNil(p.ExternalReference),
		Description:        api.TextOrNil(p.Description),
		RecurringFrequency: "month",
		RecurringInterval:  1,
		Currency:           tx.Store().MainCurrency,
		Amount:             json.Number(money(s.Amount)),
		Concept:            s.Concept,
		StoreID:            tx.Store().ID,
		NextExecution:      api.Stamp(next),
		Plan:               subscriptionPlanJSON{ID: p.ID, Code: p.Code},
	}
}

func getSubscription(tx *world.Tx, in *api.In) (any, error) {
	s, p, err := subscription(tx, in)
	if err != nil {
		return nil, err
	}
	return showSubscription(tx, s, p), nil
}

func updateSubscription(tx *world.Tx, in *api.In) (any, error) {
	was, before, err := subscription(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	s := was
	currency, byID, byReference := tx.Store().MainCurrency, "", ""
	if b.Has("amount_value") {
		s.Amount = b.Amount("amount_value", body.BeRate).Round(2)
	}
	b.Text("amount_currency", &currency)
	b.Text("plan_id", &byID)
	b.Text("plan_external_id", &byReference)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	if currency != tx.Store().MainCurrency {
		return nil, api.Coded(400, invalidCurrency)
	}
	p := before
	if name := byID + byReference; name != "" {
		var ok bool
		if p, ok = findPlan(tx, s.AppID, name); !ok {
			return nil, api.NotFound("")
		}
		s.PlanID = p.ID
	}
	if s.PlanID == was.PlanID && s.Amount.Equal(was.Amount) {
		return showSubscription(tx, s, p), nil
	}
	tx.Emit("subscription/updated", map[string]any{
		"concept_code": s.Concept, "service_id": s.AppID, "event_launch_ts": launched(tx, 0)["event_launch_ts"],
	})
	if p.ID != before.ID {
		tx.EmitTo(s.AppID, "app_subscription/updated", map[string]any{
			"id": s.AppID, "topic": "plan_changed",
			"plan": map[string]any{"id": p.ID, "code": p.Code, "external_reference": api.TextOrNil(p.ExternalReference)},
		})
	}
	return showSubscription(tx, s, p), tx.AppSubscriptions.Put(world.SubscriptionKey(s.AppID, s.Concept), s)
}
