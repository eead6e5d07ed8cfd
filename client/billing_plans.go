package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Plan is a billing plan of an app, which merchants subscribe to.
type Plan struct {
	// ID is the platform's id. It is a text, because the contract does not say that it is a number.
	ID   Code   `json:"id"`
	Code string `json:"code"` // unique in the app
	// ExternalReference is the app's own name of the plan; nil if there is none.
	ExternalReference *string `json:"external_reference"`
	Description       *string `json:"description"` // nil if there is none
	// Default is true for the plan of merchants who have not chosen one. That plan cannot be deleted.
	Default bool  `json:"default"`
	Extra   Extra `json:",embed"`
}

// PlanInput is the body of PlanService.Create and Update. Update leaves absent members unchanged.
type PlanInput struct {
	// Code is required by Create.
	Code string `json:"code,omitzero"`
	// ExternalReference is the app's own name of the plan. It is unique in the app.
	ExternalReference Opt[string] `json:"external_reference,omitzero"`
	Description       Opt[string] `json:"description,omitzero"` // as merchants see it
}

// PlanService manages the billing plans of an app. It is authorized by the client secret and requires no scope.
// Versions 2025-03 and unstable have it. Plans cannot be listed, so store their ids or give them external references.
type PlanService engine.Service

// Create adds a plan and returns it. It is not retried after a failure that may have come after the plan was made. On
// ErrOutcomeUnknown, a plan with an ExternalReference may be created again. If it exists already, the platform rejects
// the duplicate, and Update by the reference returns the plan.
//
//api:endpoint POST {base_url}/{version}/apps/{app_id}/plans
func (s *PlanService) Create(ctx context.Context, in PlanInput) (*Plan, error) {
	if in.Code == "" {
		return nil, engine.Invalid("code", in.Code, "the code of the plan")
	}
	return engine.Send[Plan](ctx, s, http.MethodPost, "/apps/{app_id}/plans", in, engine.CoreOf(s).Config().App)
}

// Update changes a plan by its id or its external reference.
//
//api:endpoint PATCH {base_url}/{version}/apps/{app_id}/plans/{plan_id}
func (s *PlanService) Update(ctx context.Context, plan string, in PlanInput) (*Plan, error) {
	return engine.Send[Plan](ctx, s, http.MethodPatch, "/apps/{app_id}/plans/{plan_id}", in, engine.CoreOf(s).Config().App, plan)
}

// Delete deletes a plan by its id. The platform rejects it for the default plan.
//
//api:endpoint DELETE {base_url}/{version}/apps/{app_id}/plans/{plan_id}
func (s *PlanService) Delete(ctx context.Context, id string) error {
	return engine.Delete(ctx, s, "/apps/{app_id}/plans/{plan_id}", engine.CoreOf(s).Config().App, id)
}
