package refserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// fixture is a server with a few operations of its own beside the real ones.
type fixture struct {
	*testing.T
	*Server
	clock *clock.Virtual
	app   world.App
	store world.Store
	token string
}

func setup(t *testing.T, o Options, scopes ...string) *fixture {
	t.Helper()
	f := &fixture{T: t, clock: clock.NewVirtual(clock.Start)}
	if o.Clock == nil {
		o.Clock = f.clock
	}
	o.ExtraOps = append(o.ExtraOps, testOps()...)
	f.Server = New(o)
	t.Cleanup(func() { f.Server.Close() })
	var err error
	if f.app, err = f.AddApp(world.App{Name: "Test", RedirectURL: "https://app.example/in"}); err != nil {
		t.Fatal(err)
	}
	if f.store, err = f.AddStore(world.Store{}); err != nil {
		t.Fatal(err)
	}
	in, err := f.Install(f.app.ID, f.store.ID, scopes)
	if err != nil {
		t.Fatal(err)
	}
	f.token = in.Token
	return f
}

// testOps keep notes in the table of webhooks, the one every world has.
func testOps() []api.Op {
	list := api.Collection(
		func(tx *world.Tx, in *api.In) ([]int, error) {
			n, _ := in.Int("n")
			return make([]int, n), nil
		},
		func(_ *world.Tx, in *api.In, _ int) any {
			return struct {
				ID   int    `json:"id"`
				Name string `json:"name"`
			}{1, "x"}
		})
	return []api.Op{
		{ID: "notes.list", Method: "GET", Path: "/test-notes", Query: []string{"n"}, Handler: list},
		{ID: "notes.envelope", Method: "GET", Path: "/test-notes/envelope", Query: []string{"n"}, Handler: list,
			Paging: api.Paging{Default: 1, EmptyOK: true, Envelope: func(p api.Page) any {
				return map[string]any{"total": p.Total, "page": p.Number, "per_page": p.Size, "results": p.Items}
			}}},
		{ID: "notes.found", Method: "GET", Path: "/test-notes/found", Query: []string{"n"}, Handler: list, Paging: api.Paging{EmptyOK: true}},
		{ID: "notes.whole", Method: "GET", Path: "/test-notes/whole", Query: []string{"n"}, Handler: list, Paging: api.Paging{Whole: true}},
		{ID: "notes.parts", Method: "GET", Path: "/test-notes/{id}/parts", Query: []string{"n"}, Handler: list},
		{ID: "notes.create", Method: "POST", Path: "/test-notes", Scopes: []string{"write_products"}, Success: 201, Handler: createNote},
		{ID: "notes.get", Method: "GET", Path: "/test-notes/{id}", Scopes: []string{"read_products"}, Versions: []string{api.V202503},
			Handler: func(tx *world.Tx, in *api.In) (any, error) {
				if h, ok := tx.Webhooks.Get(in.ID("id")); ok {
					return map[string]any{"id": h.ID, "event": h.Event}, nil
				}
				return nil, api.NotFound("Note with such id does not exist")
			}},
		{ID: "notes.delete", Method: "DELETE", Path: "/test-notes/{id}", Success: 204, Provenance: api.Assumed,
			Handler: func(*world.Tx, *api.In) (any, error) { return nil, nil }},
		{ID: "notes.labels", Method: "PUT", Path: "/test-notes/{id}", NoBody: true, Feature: "labels",
			Handler: func(*world.Tx, *api.In) (any, error) { return api.Empty{}, nil }},
		{ID: "notes.media", Method: "PUT", Path: "/test-notes/{id}/media", StoreFeature: "media",
			Handler: func(*world.Tx, *api.In) (any, error) { return api.Empty{}, nil }},
		{ID: "notes.old", Method: "PUT", Path: "/test-notes/{id}/old", StoreFeature: "media", Versions: []string{api.V202503},
			Handler: func(*world.Tx, *api.In) (any, error) { return api.Empty{}, nil }},
		{ID: "notes.broken", Method: "POST", Path: "/test-notes/broken",
			Handler: func(tx *world.Tx, _ *api.In) (any, error) {
				id := tx.NewID()
				_ = tx.Webhooks.Put(id, world.Webhook{ID: id, Event: "broken"})
				return nil, errors.New("boom")
			}},
		{ID: "notes.plans", Method: "POST", Path: "{base_url}/{version}/apps/{app_id}/test-plans", Secret: true,
			Handler: func(tx *world.Tx, in *api.In) (any, error) { return map[string]any{"app": in.App.ID}, nil }},
	}
}

func createNote(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		Name body.Opt[string] `json:"name"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if !b.Name.Set() {
		return nil, api.Invalid("name", "can't be blank")
	}
	id := tx.NewID()
	tx.Emit("note/created", map[string]any{"id": id})
	if err := tx.Webhooks.Put(id, world.Webhook{ID: id, Event: b.Name.Value}); err != nil {
		return nil, err
	}
	return map[string]any{"id": id, "name": b.Name.Value}, nil
}

// do sends "GET /test-notes" in version v1 with the token; edit may change it.
func (f *fixture) do(call, body string, edit ...func(*http.Request)) *httptest.ResponseRecorder {
	f.Helper()
	method, path, _ := strings.Cut(call, " ")
	if !strings.HasPrefix(path, "//") {
		path = fmt.Sprintf("/v1/%d%s", f.store.ID, path)
	} else {
		path = path[1:]
	}
	r := httptest.NewRequest(method, "http://api.example"+path, strings.NewReader(body))
	r.Header.Set("User-Agent", "Test (test@app.example)")
	r.Header.Set("Authorization", "Bearer "+f.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for _, e := range edit {
		e(r)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// wantJSON compares a body with a literal, whatever the order of members.
func wantJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("%q is no JSON: %v", got, err)
		return
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	gb, _ := json.Marshal(g)
	wb, _ := json.Marshal(w)
	if string(gb) != string(wb) {
		t.Errorf("body: got %s, want %s", gb, wb)
	}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
			return
		}
		r.Header.Set(name, value)
	}
}
