package res

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// scriptOps are about the scripts of the app that asks. Scripts and their versions are made in the partner portal. The
// API changes only which scripts the store has, except auto-installed ones.
func scriptOps() []api.Op {
	scopes := []string{"write_scripts"}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	wrong := unprocessable(
		scriptAutoInstalled,
		"script_id: "+body.NotSelectable("script id"),
		"query_params: "+invalidParams,
	)
	return []api.Op{
		{ID: "scripts.list", Method: "GET", Path: "/scripts", Scopes: scopes, Provenance: api.Supplement,
			Paging: api.Paging{EmptyOK: true, Envelope: scriptPage}, Handler: api.Collection(findScripts, showScript)},
		{ID: "scripts.get", Method: "GET", Path: "/scripts/{id}", Scopes: scopes, Provenance: api.Supplement,
			Errors: missing, Handler: api.Record(script, showScript)},
		{ID: "scripts.create", Method: "POST", Path: "/scripts", Scopes: scopes, Success: 201, Provenance: api.Supplement,
			Errors: append(wrong, api.ErrCase{Status: 422, Text: "script_id: " + body.AlreadyTaken}), Handler: createScript},
		{ID: "scripts.update", Method: "PUT", Path: "/scripts/{id}", Scopes: scopes, Provenance: api.Supplement,
			Errors: slices.Concat(missing, wrong), Handler: updateScript},
		{ID: "scripts.delete", Method: "DELETE", Path: "/scripts/{id}", Scopes: scopes, NoBody: true, Provenance: api.Supplement,
			Errors: append(missing, api.ErrCase{Status: 422, Text: scriptAutoInstalled}), Handler: deleteScript},
	}
}

// Texts about scripts; all are assumed.
const (
	scriptAutoInstalled = "The script is installed automatically"
	invalidParams       = "The query params must be a valid JSON string."
)

func scriptPage(p api.Page) any {
	return struct {
		Result []any `json:"result"`
		Total  int   `json:"total"`
	}{p.Items, p.Total}
}

type scriptJSON struct {
	ID             int64              `json:"id"`
	Name           string             `json:"name"`
	Event          string             `json:"event"`
	Location       string             `json:"location"`
	CreatedAt      string             `json:"created_at"`
	UpdatedAt      string             `json:"updated_at"`
	IsAutoInstall  bool               `json:"is_auto_install"`
	Status         string             `json:"status"`
	Params         json.RawMessage    `json:"params,omitempty"`
	CurrentVersion *scriptVersionJSON `json:"current_version"`
	DraftVersion   *scriptVersionJSON `json:"draft_version"`
}

type scriptVersionJSON struct {
	ID      int64  `json:"id"`
	Src     string `json:"src"`
	Version int    `json:"version"`
}

// showScript has no params for a script that is auto-installed.
func showScript(tx *world.Tx, _ *api.In, s world.Script) any {
	link, _ := tx.ScriptLinks.Get(s.ID)
	updated := s.UpdatedAt
	if link.UpdatedAt.After(updated) {
		updated = link.UpdatedAt
	}
	return scriptJSON{
		ID:             s.ID,
		Name:           s.Name,
		Event:          s.Event,
		Location:       s.Location,
		CreatedAt:      millis(s.CreatedAt),
		UpdatedAt:      millis(updated),
		IsAutoInstall:  s.AutoInstalled,
		Status:         s.Status,
		Params:         link.Params,
		CurrentVersion: scriptVersionOnWire(tx.App(), s, s.Current),
		DraftVersion:   scriptVersionOnWire(tx.App(), s, s.Draft),
	}
}

// scriptVersionOnWire has the address that the storefront loads.
func scriptVersionOnWire(app world.App, s world.Script, v *world.ScriptVersion) *scriptVersionJSON {
	if v == nil {
		return nil
	}
	src := fmt.Sprintf("https://scripts.example/%s/%s/%d.js?versionId=%s", slug(app.Name), s.Handle, v.Version, v.VersionID)
	return &scriptVersionJSON{ID: v.ID, Src: src, Version: v.Version}
}

// millis writes a time to the millisecond, with a Z.
func millis(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// findScripts lists the scripts of the store.
func findScripts(tx *world.Tx, _ *api.In) ([]world.Script, error) {
	var out []world.Script
	for _, s := range tx.App().Scripts {
		if s.AutoInstalled || tx.ScriptLinks.Has(s.ID) {
			out = append(out, s)
		}
	}
	return out, nil
}

// script is one that the store has.
func script(tx *world.Tx, in *api.In) (world.Script, error) {
	s, ok := portalScript(tx, in.ID("id"))
	if !ok || !s.AutoInstalled && !tx.ScriptLinks.Has(s.ID) {
		return s, api.NotFound("")
	}
	return s, nil
}

// portalScript is one of those the app has in the portal.
func portalScript(tx *world.Tx, id int64) (world.Script, bool) {
	for _, s := range tx.App().Scripts {
		if s.ID == id {
			return s, true
		}
	}
	return world.Script{}, false
}

// scriptIn is the body of an association.
type scriptIn struct {
	ScriptID    body.Scalar      `json:"script_id"`
	QueryParams body.Opt[string] `json:"query_params"`
}

// params reads the JSON text of an object; without it there are none.
func (b scriptIn) params(wrong *body.Problems) json.RawMessage {
	if !b.QueryParams.Set() {
		return json.RawMessage("{}")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(b.QueryParams.Value), &members); err != nil || members == nil {
		wrong.Add("query_params", invalidParams)
	}
	return json.RawMessage(b.QueryParams.Value)
}

func createScript(tx *world.Tx, in *api.In) (any, error) {
	var b scriptIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	id, _ := b.ScriptID.Int()
	s, ok := portalScript(tx, id)
	if ok && s.AutoInstalled {
		return nil, stated("script_id", scriptAutoInstalled)
	}
	wrong := &body.Problems{}
	switch {
	case !ok:
		wrong.Add("script_id", body.NotSelectable("script id"))
	case tx.ScriptLinks.Has(id):
		wrong.Add("script_id", body.AlreadyTaken)
	}
	return linkScript(tx, in, s, b.params(wrong), wrong)
}

// updateScript takes other params; a script_id in the body has to be the path's.
func updateScript(tx *world.Tx, in *api.In) (any, error) {
	s, err := script(tx, in)
	if err != nil {
		return nil, err
	}
	var b scriptIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if s.AutoInstalled {
		return nil, stated("script_id", scriptAutoInstalled)
	}
	wrong := &body.Problems{}
	id := strconv.FormatInt(s.ID, 10)
	wrong.Select("script_id", b.ScriptID.Or(id) == id)
	return linkScript(tx, in, s, b.params(wrong), wrong)
}

// linkScript gives the store the script, unless something is wrong.
func linkScript(tx *world.Tx, in *api.In, s world.Script, params json.RawMessage, wrong *body.Problems) (any, error) {
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	link := world.ScriptLink{Script: s.ID, App: tx.App().ID, Params: params, UpdatedAt: tx.Now()}
	if err := tx.ScriptLinks.Put(s.ID, link); err != nil {
		return nil, err
	}
	return showScript(tx, in, s), nil
}

func deleteScript(tx *world.Tx, in *api.In) (any, error) {
	s, err := script(tx, in)
	if err != nil {
		return nil, err
	}
	if s.AutoInstalled {
		return nil, stated("script_id", scriptAutoInstalled)
	}
	tx.ScriptLinks.Delete(s.ID)
	return api.Empty{}, nil
}
