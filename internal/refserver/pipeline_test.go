package refserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestRefusals(t *testing.T) {
	f := setup(t, Options{Bucket: 1000}, "write_products")
	other, err := f.AddStore(world.Store{})
	if err != nil {
		t.Fatal(err)
	}
	limits := f.World().Limits()
	limits.BodyBytes = 100
	f.World().SetLimits(limits)
	const (
		unauthorized = `{"code":401,"message":"Unauthorized","description":"Invalid access token"}`
		noToken      = `{"code":401,"message":"Unauthorized","description":"Required access token is missing"}`
		noStore      = `{"code":404,"message":"Not Found","description":"The path must begin with /{version}/{store_id} or /{version}/apps/{app_id}"}`
		noVersion    = `{"code":404,"message":"Not Found","description":"Supported versions: v1, 2025-03, unstable"}`
		notFound     = `{"code":404,"message":"Not Found","description":null}`
	)
	version := func(v string) string { return fmt.Sprintf("//%s/%d/test-notes/1", v, f.store.ID) }
	for _, tc := range []struct {
		name, call, body string
		edit             func(*http.Request)
		status           int
		want             string
	}{
		{"no User-Agent", "GET /store", "", header("User-Agent", ""), 400, `{"code":400,"message":"Bad Request","description":"User-Agent is required"}`},
		{"no User-Agent and no token", "GET /store", "", func(r *http.Request) { r.Header.Del("User-Agent"); r.Header.Del("Authorization") }, 401, noToken},
		{"unknown version", "GET //v2/1/store", "", nil, 404, noVersion},
		{"no store in the path", "GET //v1/store", "", nil, 404, noStore},
		// ParseInt reads a sign too.
		{"sign before the store", fmt.Sprintf("GET //v1/%%2B%d/store", f.store.ID), "", nil, 404, noStore},
		{"raw sign before the store", fmt.Sprintf("GET //v1/+%d/store", f.store.ID), "", nil, 404, noStore},
		{"no path below the authorization address", "GET //auth/nothing", "", nil, 404, notFound},
		{"unknown app to authorize", "GET //auth/apps/5/authorize", "", nil, 404, notFound},
		{"authorization address in escapes", "GET //%61uth/apps", "", nil, 404, noVersion},
		{"no token", "GET /store", "", header("Authorization", ""), 401, noToken},
		{"the word without a token", "GET /store", "", header("Authorization", "Bearer"), 401, unauthorized},
		{"bad token", "GET /store", "", header("Authorization", "Bearer x"), 401, unauthorized},
		{"other scheme", "GET /store", "", header("Authorization", "Basic "+f.token), 401, unauthorized},
		{"other store", fmt.Sprintf("GET //v1/%d/store", other.ID), "", nil, 401, unauthorized},
		{"unknown path", "GET /test-nothing", "", nil, 404, `{"code":404,"message":"Not Found","description":"No operation of v1 has this path; the nearest is GET /test-notes"}`},
		{"other method", "PATCH /test-notes", "{}", nil, 405, `{"code":405,"message":"Method Not Allowed","description":"The path has the methods GET, POST, HEAD"}`},
		// A query with a bad escape was read as none.
		{"bad escape in the query", "GET /test-notes?n=1&q=%zz", "", nil, 400, `{"code":400,"message":"Bad Request","description":"Problems parsing the query"}`},
		{"not enabled app", "PUT /test-notes/1", "", nil, 403, `{"code":403,"message":"Forbidden","description":"The app is not enabled for labels"}`},
		{"feature of the store", "PUT /test-notes/1/media", "", nil, 403, `{"code":403,"message":"Forbidden","description":"The store does not have the feature media"}`},
		{"not in v1", "GET " + version("v1"), "", nil, 404, `{"code":404,"message":"Not Found","description":"GET /test-notes/{id} is in 2025-03, not in v1"}`},
		{"not in unstable", "GET " + version("unstable"), "", nil, 404, `{"code":404,"message":"Not Found","description":"GET /test-notes/{id} is in 2025-03, not in unstable"}`},
		// They were 405, and 403 for the feature, as if the version had them.
		{"other method, not in v1", "POST " + version("v1") + "/old", "", nil, 404, `{"code":404,"message":"Not Found","description":"No operation of v1 has this path; the nearest is PUT /test-notes/{id}/old in 2025-03"}`},
		{"feature, not in v1", "PUT " + version("v1") + "/old", "", nil, 404, `{"code":404,"message":"Not Found","description":"PUT /test-notes/{id}/old is in 2025-03, not in v1"}`},
		{"in 2025-03", "GET " + version("2025-03"), "", nil, 404, `{"code":404,"message":"Not Found","description":"Note with such id does not exist"}`},
		{"no Content-Type", "POST /test-notes", "{}", header("Content-Type", ""), 415, `{"code":415,"message":"Unsupported Media Type","description":"Content-Type should be application/json"}`},
		{"form", "POST /test-notes", "name=x", header("Content-Type", "application/x-www-form-urlencoded"), 415, `{"code":415,"message":"Unsupported Media Type","description":"Content-Type should be application/json"}`},
		{"broken JSON", "POST /test-notes", `{"name":`, nil, 400, `{"error":"Problems parsing JSON"}`},
		{"two documents", "POST /test-notes", `{}{}`, nil, 400, `{"error":"Problems parsing JSON"}`},
		{"no body", "POST /test-notes", "", nil, 422, `{"name":["can't be blank"]}`},
		{"wrong type", "POST /test-notes", `{"name":1}`, nil, 422, `{"name":["is invalid"]}`},
		{"long body", "POST /test-notes", `{"name":"` + strings.Repeat("x", 100) + `"}`, nil, 413, `{"code":413,"message":"Request Entity Too Large","description":null}`},
		{"own fault", "POST /test-notes/broken", "", nil, 500, `{"code":500,"message":"Internal Server Error","description":null}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			edits := []func(*http.Request){}
			if tc.edit != nil {
				edits = append(edits, tc.edit)
			}
			w := f.do(tc.call, tc.body, edits...)
			if w.Code != tc.status {
				t.Errorf("got %d, want %d", w.Code, tc.status)
			}
			wantJSON(t, w.Body.Bytes(), tc.want)
		})
	}
	if w := f.do("PATCH /test-notes", ""); w.Header().Get("Allow") != "GET, POST, HEAD" {
		t.Errorf("Allow: %q", w.Header().Get("Allow"))
	}
}

func TestScopes(t *testing.T) {
	f := setup(t, Options{}, "read_products")
	w := f.do("POST /test-notes", `{"name":"x"}`)
	if w.Code != 403 {
		t.Errorf("got %d, want 403", w.Code)
	}
	wantJSON(t, w.Body.Bytes(), `{"code":403,"message":"Forbidden","description":"Missing a required scope: write_products"}`)
	f = setup(t, Options{}, "write_products")
	if w := f.do(fmt.Sprintf("GET //2025-03/%d/test-notes/1", f.store.ID), ""); w.Code != 404 {
		t.Errorf("write implies read: got %d, want 404 for a note that is not there", w.Code)
	}
}

func TestTokenForms(t *testing.T) {
	for _, tc := range []struct {
		version, name, scheme string
		loose, strict         int
	}{
		{"v1", "Authorization", "Bearer", 200, 401},
		{"v1", "Authorization", "bearer", 200, 401},
		{"v1", "Authentication", "bearer", 200, 200},
		{"v1", "Authentication", "Bearer", 200, 401},
		{"v1", "Authentication", "BEARER", 200, 401},
		{"v1", "Authentication", "", 200, 401},
		{"v1", "Authorization", "", 200, 401},
		{"2025-03", "Authentication", "", 200, 401},
		{"unstable", "Authorization", "", 401, 401},
		{"v1", "Authentication", "Basic", 401, 401},
		{"2025-03", "Authentication", "bearer", 200, 200},
		{"2025-03", "Authorization", "Bearer", 200, 401},
		{"unstable", "Authorization", "Bearer", 200, 200},
		{"unstable", "Authentication", "bearer", 200, 401},
	} {
		for _, strict := range []bool{false, true} {
			f := setup(t, Options{Strict: strict})
			want := tc.loose
			if strict {
				want = tc.strict
			}
			w := f.do(fmt.Sprintf("GET //%s/%d/store", tc.version, f.store.ID), "",
				header("Authorization", ""), header(tc.name, strings.TrimSpace(tc.scheme+" "+f.token)))
			if w.Code != want {
				t.Errorf("%s %s: %s, strict %v: got %d, want %d", tc.version, tc.name, tc.scheme, strict, w.Code, want)
			}
		}
	}
}

// A strict server wants a type of every write, also of one that has no body.
func TestWritesWithoutAType(t *testing.T) {
	untyped, typed := header("Content-Type", ""), header("Content-Type", "application/json; charset=utf-8")
	for _, tc := range []struct {
		name, call string
		edit       func(*http.Request)
		want       map[bool]int // by whether the server is strict
	}{
		{"without", "PATCH /locations/1/chosen-as-default", untyped, map[bool]int{false: 404, true: 415}},
		{"with", "PATCH /locations/1/chosen-as-default", typed, map[bool]int{false: 404, true: 404}},
		{"DELETE", "DELETE /locations/1", untyped, map[bool]int{false: 404, true: 404}},
		{"GET", "GET /locations/1", untyped, map[bool]int{false: 404, true: 404}},
	} {
		for strict, want := range tc.want {
			f := setup(t, Options{Strict: strict}, "write_locations")
			token := header("Authentication", "bearer "+f.token)
			if w := f.do(tc.call, "", header("Authorization", ""), token, tc.edit); w.Code != want {
				t.Errorf("%s, strict %v: got %d %s, want %d", tc.name, strict, w.Code, w.Body, want)
			}
		}
	}
}

func TestSuspendedStore(t *testing.T) {
	f := setup(t, Options{})
	if err := f.Suspend(f.store.ID); err != nil {
		t.Fatal(err)
	}
	w := f.do("GET /store", "")
	if w.Code != 402 {
		t.Errorf("got %d, want 402", w.Code)
	}
	wantJSON(t, w.Body.Bytes(), `{"code":402,"message":"Payment Required","description":null}`)
	if err := f.Resume(f.store.ID); err != nil {
		t.Fatal(err)
	}
	if w := f.do("GET /store", ""); w.Code != 200 {
		t.Errorf("resumed: got %d, want 200", w.Code)
	}
}

func TestGoodAnswers(t *testing.T) {
	f := setup(t, Options{}, "write_products")
	w := f.do("POST /test-notes/", `{"name":"<a&b>"}`)
	if w.Code != 201 || !strings.Contains(w.Body.String(), `"name":"<a&b>"`) {
		t.Errorf("create: %d %s", w.Code, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("content type %q", got)
	}
	if got := w.Header().Get("X-Main-Language"); got != "en" {
		t.Errorf("main language %q", got)
	}
	w = f.do("DELETE /test-notes/1", "")
	if w.Code != 204 || w.Body.Len() != 0 || w.Header().Get("X-Ref-Provenance") != "assumed" {
		t.Errorf("delete: %d %q %q", w.Code, w.Body, w.Header().Get("X-Ref-Provenance"))
	}
	get, head := f.do("GET /store", ""), f.do("HEAD /store", "")
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
		t.Errorf("head: %d, %d bytes, length %s", head.Code, head.Body.Len(), head.Header().Get("Content-Length"))
	}
	w = f.do("GET /store?fields=main_currency,%20id,nothing", "")
	if want := fmt.Sprintf(`{"id":%d,"main_currency":"USD"}`, f.store.ID); w.Body.String() != want {
		t.Errorf("fields: got %s, want %s", w.Body, want)
	}
}

func TestAppOperation(t *testing.T) {
	f := setup(t, Options{})
	path := fmt.Sprintf("POST //2025-03/apps/%d/test-plans", f.app.ID)
	if w := f.do(path, "", header("Authorization", "Bearer "+f.app.Secret)); w.Code != 200 {
		t.Errorf("with the secret: %d %s", w.Code, w.Body)
	}
	if w := f.do(path, ""); w.Code != 401 {
		t.Errorf("with a store's token: got %d, want 401", w.Code)
	}
	if w := f.do("POST //2025-03/apps/1/test-plans", "", header("Authorization", "Bearer ")); w.Code != 401 {
		t.Errorf("no such app and no secret: got %d, want 401", w.Code)
	}
}

func TestRefusedWriteLeavesNothing(t *testing.T) {
	f := setup(t, Options{RefuseUnread: true}, "write_products")
	notes := func() (n int) {
		_ = f.World().View(0, f.store.ID, func(tx *world.Tx) error { n = tx.Webhooks.Len(); return nil })
		return n
	}
	f.do("POST /test-notes/broken", "")
	w := f.do("POST /test-notes?verbose=1", `{"name":"x","nmae":"y"}`)
	if w.Code != 422 || notes() != 0 {
		t.Errorf("got %d, %d notes", w.Code, notes())
	}
	wantJSON(t, w.Body.Bytes(), `{"code":422,"message":"Unprocessable Entity","description":"Unknown: nmae, verbose"}`)
	log := f.Requests()
	last := log[len(log)-1]
	if last.Op != "notes.create" || last.Status != 422 || fmt.Sprint(last.UnreadBody, last.UnreadQuery) != "[nmae] [verbose]" {
		t.Errorf("logged %+v", last)
	}
	if log[0].Error != "boom" || log[0].Status != 500 {
		t.Errorf("logged %+v", log[0])
	}
}

func TestOperations(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}
