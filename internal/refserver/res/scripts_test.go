package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// scripted installs an app with an auto-installed script, two others, and returns
// its token and the ids of the scripts.
func (f *shop) scripted() (token string, auto, one, two int64) {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Script App", Scripts: []world.Script{
		{Name: "Auto", Handle: "auto", Event: "onload", Location: "checkout", Status: "active", AutoInstalled: true, Current: &world.ScriptVersion{Version: 1, VersionID: "abc"}},
		{Name: "One", Handle: "one", Event: "onfirstinteraction", Location: "store", Status: "active",
			Current: &world.ScriptVersion{Version: 2, VersionID: "def"}, Draft: &world.ScriptVersion{ID: 77, Version: 3, VersionID: "ghi"}},
		{Name: "Two", Handle: "two", Event: "onfirstinteraction", Location: "store", Status: "draft"},
	}})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, world.Scopes{"write_scripts"})
	if err != nil {
		f.Fatal(err)
	}
	return in.Token, app.Scripts[0].ID, app.Scripts[1].ID, app.Scripts[2].ID
}

func TestScripts(t *testing.T) {
	f := open(t)
	f.want(f.object("GET /scripts", nil), object{"result": array{}, "total": 0})
	stranger := f.token
	var auto, one, two int64
	f.token, auto, one, two = f.scripted()
	f.want(f.object("GET /scripts", nil), object{"total": 1, "result.0.id": auto, "result.0.is_auto_install": true, "result.0.params": "absent", "result.0.draft_version": nil,
		"result.0.current_version.src": "https://scripts.example/script-app/auto/1.js?versionId=abc", "result.0.created_at": "2025-01-01T12:00:00.000Z"})
	call := fmt.Sprintf("/scripts/%d", one)
	f.wantStatus(http.StatusNotFound, "GET "+call, nil)
	f.want(f.object("POST /scripts", object{"script_id": one, "query_params": `{"paramA":2}`}), object{"id": one, "name": "One", "event": "onfirstinteraction", "location": "store",
		"status": "active", "is_auto_install": false, "params": object{"paramA": 2}, "handle": "absent", "current_version.version": 2, "draft_version.id": 77})
	f.want(f.object("PUT "+call, object{"query_params": "{}"}), object{"params": object{}})
	f.want(f.object("PUT "+call, object{"script_id": fmt.Sprint(one), "query_params": `{"b":[1]}`}), object{"params": object{"b": array{1}}})
	f.do("POST /scripts", object{"script_id": two})
	f.want(f.object("GET /scripts?per_page=2&page=2", nil), object{"total": 3, "result.0.id": two, "result.0.params": object{}, "result.0.current_version": nil, "result.1": "absent"})
	f.want(f.object("DELETE "+call, nil), object{"id": "absent"})
	f.want(f.object("GET /scripts", nil), object{"total": 2, "result.1.id": two})

	f.token = stranger
	f.want(f.object("GET /scripts", nil), object{"total": 0})
	f.wantStatus(http.StatusUnprocessableEntity, "POST /scripts", object{"script_id": one})
}

// An app that comes back has to associate its scripts again.
func TestScriptsGoWithApp(t *testing.T) {
	f := open(t)
	token, _, one, _ := f.scripted()
	in, _ := f.World().ByToken(token)
	f.token = token
	f.do("POST /scripts", object{"script_id": one})
	if err := f.Uninstall(in.App, f.store.ID); err != nil {
		t.Fatal(err)
	}
	again, err := f.Install(in.App, f.store.ID, world.Scopes{"write_scripts"})
	if err != nil {
		t.Fatal(err)
	}
	f.token = again.Token
	f.want(f.object("GET /scripts", nil), object{"total": 1})
}

func scriptRefusals(f *shop) []refusal {
	token, auto, one, two := f.scripted()
	if w := f.send(token, "POST /scripts", object{"script_id": one}); w.Code != http.StatusCreated {
		f.Fatal(w.Body)
	}
	const installed, unknown = "The script is installed automatically", "script_id: The selected script id is invalid."
	script := fmt.Sprintf("/scripts/%d", one)
	out := []refusal{
		{op: "scripts.get", status: 404, text: "null", call: fmt.Sprintf("GET /scripts/%d", two)},
		{op: "scripts.create", status: 422, text: installed, call: "POST /scripts", body: object{"script_id": auto}},
		{op: "scripts.create", status: 422, text: unknown, call: "POST /scripts", body: object{"script_id": 1}},
		{op: "scripts.create", status: 422, text: unknown, call: "POST /scripts", body: object{}},
		{op: "scripts.create", status: 422, text: "script_id: has already been taken", call: "POST /scripts", body: object{"script_id": one}},
		{op: "scripts.update", status: 404, text: "null", call: fmt.Sprintf("PUT /scripts/%d", two), body: object{}},
		{op: "scripts.update", status: 422, text: installed, call: fmt.Sprintf("PUT /scripts/%d", auto), body: object{}},
		{op: "scripts.update", status: 422, text: unknown, call: "PUT " + script, body: object{"script_id": two}},
		{op: "scripts.delete", status: 404, text: "null", call: fmt.Sprintf("DELETE /scripts/%d", two)},
		{op: "scripts.delete", status: 422, text: installed, call: fmt.Sprintf("DELETE /scripts/%d", auto)},
	}
	for op, call := range map[string]string{"scripts.create": "POST /scripts", "scripts.update": "PUT " + script} {
		for _, params := range []string{"", "a=1", "[1]", "null", `{"a":`} {
			body := object{"script_id": two, "query_params": params}
			if op == "scripts.update" {
				delete(body, "script_id")
			}
			out = append(out, refusal{op: op, status: 422, text: "query_params: The query params must be a valid JSON string.", call: call, body: body})
		}
	}
	for i := range out {
		out[i].token = token
	}
	return out
}
