package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// planOps are about the plans of an app, so that its client secret is the token.
func planOps() []api.Op {
	const all, one = "{base_url}/{version}/apps/{app_id}/plans", "{base_url}/{version}/apps/{app_id}/plans/{plan_id}"
	const note = "none (client secret as token)"
	since := []string{api.V202503, api.Unstable}
	missing := api.ErrCase{Status: 404, Text: "null"}
	noCode := api.ErrCase{Status: 422, Text: "code: " + body.NotEmpty}
	duplicate := api.ErrCase{Status: 400, Text: duplicateReference}
	return []api.Op{
		{ID: "billing.createPlan", Method: "POST", Path: all, Secret: true, ScopeNote: note, Versions: since,
			Provenance: api.Supplement, Success: 201, Errors: []api.ErrCase{noCode, duplicate}, Handler: createPlan},
		{ID: "billing.updatePlan", Method: "PATCH", Path: one, Secret: true, ScopeNote: note, Versions: since,
			Provenance: api.Supplement, Errors: []api.ErrCase{noCode, duplicate, missing}, Handler: updatePlan},
		{ID: "billing.deletePlan", Method: "DELETE", Path: one, Secret: true, ScopeNote: note, Versions: since, NoBody: true,
			Provenance: api.Supplement, Success: 204, Errors: []api.ErrCase{missing, {Status: 400, Text: defaultPlan}},
			Handler: deletePlan},
	}
}

// Refusals of billing. All but that of the default plan are in assumed words.
const (
	defaultPlan        = "Could not delete a default plan"
	duplicateReference = "Duplicated external reference"
	invalidCurrency    = "Invalid currency for store"
)

type planJSON struct {
	ID                string  `json:"id"`
	Code              string  `json:"code"`
	ExternalReference *string `json:"external_reference"`
	Description       *string `json:"description"`
	Default           bool    `json:"default"`
}

func showPlan(p world.Plan) planJSON {
	return planJSON{ID: p.ID, Code: p.Code, ExternalReference: api.TextOrNil(p.ExternalReference), Description: api.TextOrNil(p.Description), Default: p.Default}
}

// createPlan makes the first plan of an app its default.
func createPlan(tx *world.Tx, in *api.In) (any, error) {
	return keepPlan(tx, in, world.Plan{AppID: in.App.ID, Default: len(tx.PlansOf(in.App.ID)) == 0, CreatedAt: tx.Now()})
}

// plan is the one that the path names, by its id or its external reference.
func plan(tx *world.Tx, in *api.In) (world.Plan, error) {
	p, ok := findPlan(tx, in.App.ID, in.Var("plan_id"))
	if !ok {
		return p, api.NotFound("")
	}
	return p, nil
}

func findPlan(tx *world.Tx, app int64, name string) (world.Plan, bool) {
	for _, p := range tx.PlansOf(app) {
		if name != "" && (p.ID == name || p.ExternalReference == name) {
			return p, true
		}
	}
	return world.Plan{}, false
}

func updatePlan(tx *world.Tx, in *api.In) (any, error) {
	p, err := plan(tx, in)
	if err != nil {
		return nil, err
	}
	return keepPlan(tx, in, p)
}

// keepPlan reads the body into the plan and keeps it.
func keepPlan(tx *world.Tx, in *api.In, p world.Plan) (any, error) {
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	b.Ignore("id", "default")
	b.Require(p.ID == "", "code")
	b.Text("code", &p.Code)
	b.Text("external_reference", &p.ExternalReference)
	b.Text("description", &p.Description)
	if err := b.Done(in).Err(); err != nil {
		return nil, err
	}
	taken := func(other world.Plan) bool { return other.ID != p.ID && other.ExternalReference == p.ExternalReference }
	if p.ExternalReference != "" && slices.ContainsFunc(tx.PlansOf(p.AppID), taken) {
		return nil, api.Coded(400, duplicateReference)
	}
	if p.ID == "" {
		p.ID = tx.NewUUID()
	}
	return showPlan(p), tx.Plans.Put(p.ID, p)
}

func deletePlan(tx *world.Tx, in *api.In) (any, error) {
	p, err := plan(tx, in)
	if err != nil {
		return nil, err
	}
	if p.Default {
		return nil, api.Coded(400, defaultPlan)
	}
	tx.Plans.Delete(p.ID)
	return nil, nil
}
