package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Plan is what merchants subscribe to when they pay for an app.
type Plan struct {
	// ID is the platform's. It is kept as text, since nothing says that it is a number.
	ID   Code   `json:"id"`
	Code string `json:"code"` // unique in the app
	// ExternalReference is the app's own name of the plan; nil if it has none.
	ExternalReference *string `json:"external_reference"`
	Description       *string `json:"description"` // nil if there is none
	// Default: the plan is that of merchants who chose no other. It cannot be deleted.
	Default bool  `json:"default"`
	Extra   Extra `json:",embed"`
}

// PlanInput is the body of PlanService.Create and Update, which keeps what is left out.
type PlanInput struct {
	// Code is required by Create.
	Code string `json:"code,omitzero"`
	// ExternalReference is the app's own name of the plan, which no other plan has.
	ExternalReference Opt[string] `json:"external_reference,omitzero"`
	Description       Opt[string] `json:"description,omitzero"` // as merchants see it
}

// PlanService manages the billing plans of an app. It is authorised by the client secret
// and needs no scope. Versions 2025-03 and unstable have it. Plans cannot be listed: keep
// their ids, or give them external references.
type PlanService engine.Service

// Create adds a plan and returns it. It is not repeated after a failure that may have come too late. On
// ErrOutcomeUnknown a plan with an ExternalReference may be created once more: if it is
// there, that is refused as a duplicate, and Update by the reference returns it.
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

// Delete deletes a plan by its id. That of the default plan is refused.
//
//api:endpoint DELETE {base_url}/{version}/apps/{app_id}/plans/{plan_id}
func (s *PlanService) Delete(ctx context.Context, id string) error {
	return engine.Delete(ctx, s, "/apps/{app_id}/plans/{plan_id}", engine.CoreOf(s).Config().App, id)
}
