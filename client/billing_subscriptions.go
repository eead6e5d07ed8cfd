package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// AppSubscription is what a store pays for the app, time and again.
type AppSubscription struct {
	ExternalReference *string `json:"external_reference"` // nil if there is none
	Description       *string `json:"description"`        // nil if there is none
	// The store is charged every RecurringInterval of RecurringFrequency, such as "month".
	RecurringFrequency string `json:"recurring_frequency"`
	RecurringInterval  Int    `json:"recurring_interval"`
	// AmountCurrency is an ISO 4217 code.
	AmountCurrency string      `json:"amount_currency"`
	AmountValue    MoneyNumber `json:"amount_value"` // what is paid each time
	ConceptCode    string      `json:"concept_code"` // what is paid for, such as app-cost
	StoreID        ID          `json:"store_id"`     // the store that pays
	// NextExecution and LastExecution are when the store is and was charged; zero if never.
	NextExecution Time                `json:"next_execution"`
	LastExecution Time                `json:"last_execution"`
	Plan          AppSubscriptionPlan `json:"plan"` // the plan that sets the price
	Extra         Extra               `json:",embed"`
}

// AppSubscriptionPlan is the plan of a subscription.
type AppSubscriptionPlan struct {
	ID    Code   `json:"id"`
	Code  string `json:"code"` // the plan's code, unique in the app
	Extra Extra  `json:",embed"`
}

// AppSubscriptionInput is the body of Update. What is left out is kept.
type AppSubscriptionInput struct {
	// AmountCurrency is one of the store's, an ISO 4217 code; others are refused.
	AmountCurrency string           `json:"amount_currency,omitzero"`
	AmountValue    Opt[MoneyNumber] `json:"amount_value,omitzero"` // what is paid each time
	// The plan is named by its id or by its external reference, not by both.
	PlanID         string `json:"plan_id,omitzero"`
	PlanExternalID string `json:"plan_external_id,omitzero"` // the plan, by the app's own reference
}

func (in AppSubscriptionInput) check() error {
	value, _ := in.AmountValue.Get()
	switch {
	case in.AmountCurrency != "" && len(in.AmountCurrency) != 3:
		return engine.Invalid("amount_currency", in.AmountCurrency, "an ISO 4217 code")
	case value.Cmp(Money{}) < 0:
		return engine.Invalid("amount_value", value, "0 or more")
	case in.PlanID != "" && in.PlanExternalID != "":
		return engine.Invalid("plan_external_id", in.PlanExternalID, "none beside plan_id")
	}
	return nil
}

// AppSubscriptionService reads and changes what the store pays for an app, with the token
// of the store and no scope. Versions 2025-03 and unstable have it. A store without a
// subscription is answered ErrNotFound.
type AppSubscriptionService engine.Service

// Get returns the subscription of the store for a concept, such as "app-cost". The service
// is the app.
//
//api:endpoint GET /concepts/{concept_code}/services/{service_id}/subscriptions
func (s *AppSubscriptionService) Get(ctx context.Context, concept string, app ID) (*AppSubscription, error) {
	return engine.Get[AppSubscription](ctx, s, "/concepts/{concept_code}/services/{service_id}/subscriptions", nil, concept, app)
}

// Update changes the amount or the plan. It is not repeated after a failure that may have
// come too late: on ErrOutcomeUnknown read the subscription.
//
//api:endpoint PATCH /concepts/{concept_code}/services/{service_id}/subscriptions
func (s *AppSubscriptionService) Update(ctx context.Context, concept string, app ID, in AppSubscriptionInput) (*AppSubscription, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[AppSubscription](ctx, s, http.MethodPatch, "/concepts/{concept_code}/services/{service_id}/subscriptions", in, concept, app)
}
