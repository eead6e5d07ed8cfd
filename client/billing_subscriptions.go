package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// AppSubscription is the recurring payment of a store for the app.
type AppSubscription struct {
	ExternalReference *string `json:"external_reference"` // nil if there is none
	Description       *string `json:"description"`        // nil if there is none
	// The store is charged every RecurringInterval units of RecurringFrequency, such as "month".
	RecurringFrequency string `json:"recurring_frequency"`
	RecurringInterval  Int    `json:"recurring_interval"`
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string      `json:"amount_currency"`
	AmountValue    MoneyNumber `json:"amount_value"` // the amount of each payment
	ConceptCode    string      `json:"concept_code"` // the reason of the payment, such as app-cost
	StoreID        ID          `json:"store_id"`     // the store that pays
	// NextExecution and LastExecution are the times of the next and of the last payment; zero if there is none.
	NextExecution Time                `json:"next_execution"`
	LastExecution Time                `json:"last_execution"`
	Plan          AppSubscriptionPlan `json:"plan"` // the plan that determines the price
	Extra         Extra               `json:",embed"`
}

// AppSubscriptionPlan is the plan of a subscription.
type AppSubscriptionPlan struct {
	ID    Code   `json:"id"`
	Code  string `json:"code"` // the plan's code, unique in the app
	Extra Extra  `json:",embed"`
}

// AppSubscriptionInput is the body of Update. Absent members are left unchanged.
type AppSubscriptionInput struct {
	// AmountCurrency is an ISO 4217 code, and must be a currency of the store.
	AmountCurrency string           `json:"amount_currency,omitzero"`
	AmountValue    Opt[MoneyNumber] `json:"amount_value,omitzero"` // the amount of each payment
	// PlanID names the plan by its id. PlanExternalID names it by its external reference. At most one of them may be
	// set.
	PlanID         string `json:"plan_id,omitzero"`
	PlanExternalID string `json:"plan_external_id,omitzero"` // the app's own reference of the plan
}

func (in AppSubscriptionInput) check() error {
	value, _ := in.AmountValue.Get()
	switch {
	case in.AmountCurrency != "" && len(in.AmountCurrency) != 3:
		return engine.Invalid("amount_currency", in.AmountCurrency, "an ISO 4217 code")
	case value.Cmp(Money{}) < 0:
		return engine.Invalid("amount_value", value, "0 or more")
	case in.PlanID != "" && in.PlanExternalID != "":
		return engine.Invalid("plan_external_id", in.PlanExternalID, "empty if plan_id is set")
	}
	return nil
}

// AppSubscriptionService reads and changes the subscription of a store to an app, with the token of the store. It
// requires no scope. Versions 2025-03 and unstable have it. Calls for a store without a subscription fail with
// ErrNotFound.
type AppSubscriptionService engine.Service

// Get returns the subscription of the store for a concept, such as "app-cost". The service is the app.
//
//api:endpoint GET /concepts/{concept_code}/services/{service_id}/subscriptions
func (s *AppSubscriptionService) Get(ctx context.Context, concept string, app ID) (*AppSubscription, error) {
	return engine.Get[AppSubscription](ctx, s, "/concepts/{concept_code}/services/{service_id}/subscriptions", nil, concept, app)
}

// Update changes the amount or the plan. It is not retried after a failure that may have come after the change. On
// ErrOutcomeUnknown read the subscription.
//
//api:endpoint PATCH /concepts/{concept_code}/services/{service_id}/subscriptions
func (s *AppSubscriptionService) Update(ctx context.Context, concept string, app ID, in AppSubscriptionInput) (*AppSubscription, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[AppSubscription](ctx, s, http.MethodPatch, "/concepts/{concept_code}/services/{service_id}/subscriptions", in, concept, app)
}
