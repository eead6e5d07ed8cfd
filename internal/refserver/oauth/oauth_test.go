package oauth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type fixture struct {
	*testing.T
	clock *clock.Virtual
	world *world.World
	app   world.App
	store world.Store
	*Server
}

func setup(t *testing.T, o Options) *fixture {
	t.Helper()
	f := &fixture{T: t, clock: clock.NewVirtual(clock.Start)}
	f.world = world.New(world.Options{Clock: f.clock})
	var err error
	f.app, err = f.world.AddApp(world.App{
		Name: "Shelf <b>", RedirectURL: "https://app.example/in?from=platform", Scopes: world.Scopes{"read_products", "write_orders"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.store, err = f.world.AddStore(world.Store{}); err != nil {
		t.Fatal(err)
	}
	o.World = f.world
	f.Server = New(o)
	return f
}

func (f *fixture) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

func (f *fixture) page(query string) string {
	return fmt.Sprintf("/apps/%d/authorize%s", f.app.ID, query)
}

// code walks an auto-approved authorization.
func (f *fixture) code() string {
	f.Helper()
	w := f.serve(httptest.NewRequest("GET", f.page(""), nil))
	u, err := url.Parse(w.Header().Get("Location"))
	if err != nil || u.Query().Get("code") == "" {
		f.Fatalf("no code: %d %s", w.Code, w.Header())
	}
	return u.Query().Get("code")
}

func (f *fixture) exchange(body map[string]any) (int, map[string]string) {
	f.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		f.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/apps/authorize/token", bytes.NewReader(b))
	r.Header.Set("Content-Type", "application/json")
	return decode(f, f.serve(r))
}

func decode(f *fixture, w *httptest.ResponseRecorder) (int, map[string]string) {
	f.Helper()
	out := map[string]string{}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		f.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return w.Code, out
}

func (f *fixture) request(code string) map[string]any {
	return map[string]any{
		"client_id": f.app.ID, "client_secret": f.app.Secret, "grant_type": "authorization_code", "code": code,
	}
}

func TestExchange(t *testing.T) {
	f := setup(t, Options{AutoApprove: true})
	status, got := f.exchange(f.request(f.code()))
	if status != 200 || got["token_type"] != "bearer" || got["scope"] != "read_products,write_orders" || got["user_id"] != fmt.Sprint(f.store.ID) {
		t.Fatalf("got %d %v", status, got)
	}
	first := got["access_token"]
	if in, ok := f.world.ByToken(first); !ok || in.Store != f.store.ID {
		t.Error("the token opens nothing")
	}
	asText := f.request(f.code())
	asText["client_id"] = fmt.Sprint(f.app.ID)
	if status, got = f.exchange(asText); status != 200 {
		t.Fatalf("id as text: %d %v", status, got)
	}
	if _, ok := f.world.ByToken(first); ok {
		t.Error("the new token left the old one alive")
	}
}

func TestExchangeRefusals(t *testing.T) {
	f := setup(t, Options{AutoApprove: true})
	other, err := f.world.AddApp(world.App{RedirectURL: "https://other.example"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		change func(map[string]any)
		status int
		code   string
	}{
		"wrong secret":    {func(m map[string]any) { m["client_secret"] = "x" }, 200, "invalid_client"},
		"unknown app":     {func(m map[string]any) { m["client_id"] = 5 }, 200, "invalid_client"},
		"a fraction more": {func(m map[string]any) { m["client_id"] = json.Number(fmt.Sprintf("%d.9", f.app.ID)) }, 200, "invalid_client"},
		"a sign":          {func(m map[string]any) { m["client_id"] = fmt.Sprintf("+%d", f.app.ID) }, 200, "invalid_client"},
		"odd id":          {func(m map[string]any) { m["client_id"] = []int{1} }, 200, "invalid_client"},
		"no secret":       {func(m map[string]any) { delete(m, "client_secret") }, 400, "invalid_request"},
		"no code":         {func(m map[string]any) { delete(m, "code") }, 400, "invalid_request"},
		"unknown code":    {func(m map[string]any) { m["code"] = "x" }, 200, "invalid_grant"},
		"other grant":     {func(m map[string]any) { m["grant_type"] = "password" }, 400, "unsupported_grant_type"},
		"another's code":  {func(m map[string]any) { m["client_id"], m["client_secret"] = other.ID, other.Secret }, 200, "invalid_grant"},
		"code as a digit": {func(m map[string]any) { m["code"] = 1 }, 400, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			good := f.request(f.code())
			body := map[string]any{}
			for k, v := range good {
				body[k] = v
			}
			tc.change(body)
			status, got := f.exchange(body)
			if status != tc.status || got["error"] != tc.code || got["error_description"] == "" {
				t.Errorf("got %d %v, want %d %s", status, got, tc.status, tc.code)
			}
			if status, got := f.exchange(good); status != 200 {
				t.Errorf("the code was used up: %d %v", status, got)
			}
		})
	}
}

func TestCodeWorksOnceAndForFiveMinutes(t *testing.T) {
	f := setup(t, Options{AutoApprove: true})
	code := f.code()
	if status, _ := f.exchange(f.request(code)); status != 200 {
		t.Errorf("first use: %d", status)
	}
	if status, got := f.exchange(f.request(code)); status != 200 || got["error"] != "invalid_grant" || got["error_description"] != "The authorization code has expired" {
		t.Errorf("second use: %d %v", status, got)
	}
	for _, tc := range []struct {
		age  time.Duration
		want string
	}{{5 * time.Minute, ""}, {5*time.Minute + time.Second, "invalid_grant"}} {
		code := f.code()
		f.clock.Advance(tc.age)
		if status, got := f.exchange(f.request(code)); status != 200 || got["error"] != tc.want || (got["access_token"] == "") != (tc.want != "") {
			t.Errorf("after %v: got %d %v, want %q", tc.age, status, got, tc.want)
		}
	}
	f.code()
	if n := len(f.codes); n != 1 {
		t.Errorf("%d codes are kept, want 1", n)
	}
}

// TestReadings: nothing published shows the status of a refusal, and user_id has been seen as a number too.
func TestReadings(t *testing.T) {
	for _, tc := range []struct {
		o                 Options
		status            int
		userID, onSuccess string // the form of the id, and what the header says
	}{
		{Options{AutoApprove: true}, 200, `"%d"`, ""},
		{Options{AutoApprove: true, TokenErrors400: true, UserIDNumber: true}, 400, `%d`, "assumed"},
	} {
		f := setup(t, tc.o)
		send := func(more map[string]any) *httptest.ResponseRecorder {
			body := f.request(f.code())
			maps.Copy(body, more)
			b, _ := json.Marshal(body)
			r := httptest.NewRequest("POST", "/apps/authorize/token", bytes.NewReader(b))
			r.Header.Set("Content-Type", "application/json")
			return f.serve(r)
		}
		w := send(nil)
		if want := `"user_id":` + fmt.Sprintf(tc.userID, f.store.ID); w.Code != 200 || !strings.Contains(w.Body.String(), want) || w.Header().Get("X-Ref-Provenance") != tc.onSuccess {
			t.Errorf("got %d %s %v, want %s", w.Code, w.Body, w.Header(), want)
		}
		for _, refused := range []map[string]any{{"code": "x"}, {"client_secret": "x"}} {
			if w := send(refused); w.Code != tc.status || !strings.Contains(w.Body.String(), `"error":"invalid_`) || w.Header().Get("X-Ref-Provenance") != "assumed" {
				t.Errorf("%v: got %d %s %v, want %d", refused, w.Code, w.Body, w.Header(), tc.status)
			}
		}
		if w := send(map[string]any{"code": ""}); w.Code != 400 || w.Header().Get("X-Ref-Provenance") != "" {
			t.Errorf("without a code: got %d %s, want 400", w.Code, w.Body)
		}
	}
}

func TestTokenRequestForms(t *testing.T) {
	for _, tc := range []struct {
		name, media string
		strict      bool
		inURL       bool
		want        int
	}{
		{"form", "application/x-www-form-urlencoded", false, false, 200},
		{"form, strict", "application/x-www-form-urlencoded", true, false, 400},
		{"url parameters", "application/json", false, true, 400},
		{"url parameters of a form", "application/x-www-form-urlencoded", false, true, 400},
		{"plain text", "text/plain", false, false, 400},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := setup(t, Options{AutoApprove: true, Strict: tc.strict})
			form := url.Values{}
			for k, v := range f.request(f.code()) {
				form.Set(k, fmt.Sprint(v))
			}
			target, body := "/apps/authorize/token", form.Encode()
			if tc.inURL {
				target, body = target+"?"+body, "{}"
			}
			r := httptest.NewRequest("POST", target, strings.NewReader(body))
			r.Header.Set("Content-Type", tc.media)
			if status, got := decode(f, f.serve(r)); status != tc.want {
				t.Errorf("got %d %v, want %d", status, got, tc.want)
			}
		})
	}
	f := setup(t, Options{})
	const notAllowed = `{"code":405,"description":null,"message":"Method Not Allowed"}`
	w := f.serve(httptest.NewRequest("GET", "/apps/authorize/token", nil))
	if w.Code != 405 || strings.TrimSpace(w.Body.String()) != notAllowed || w.Header().Get("Allow") != "POST" {
		t.Errorf("GET: got %d %s, want 405", w.Code, w.Body)
	}
	// It was plain text, as that of the authorization page.
	w = f.serve(httptest.NewRequest("PUT", f.page(""), nil))
	if w.Code != 405 || strings.TrimSpace(w.Body.String()) != notAllowed || w.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("PUT: got %d %s, want 405", w.Code, w.Body)
	}
}

func TestConsent(t *testing.T) {
	f := setup(t, Options{})
	w := f.serve(httptest.NewRequest("GET", f.page("?state=s%22%3E1"), nil))
	page := w.Body.String()
	for _, want := range []string{"Shelf &lt;b&gt;", "read_products", "write_orders", `value="s&#34;&gt;1"`, `value="approve"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	decide := func(decision string) url.Values {
		t.Helper()
		form := url.Values{"decision": {decision}, "state": {"s 1"}, "store_id": {fmt.Sprint(f.store.ID)}}
		r := httptest.NewRequest("POST", f.page(""), strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := f.serve(r)
		u, err := url.Parse(w.Header().Get("Location"))
		if err != nil || w.Code != 303 || u.Host != "app.example" || u.Query().Get("from") != "platform" {
			t.Fatalf("%s: %d %s", decision, w.Code, w.Header().Get("Location"))
		}
		return u.Query()
	}
	if q := decide("deny"); q.Get("error") != "access_denied" || q.Get("state") != "s 1" || q.Has("code") {
		t.Errorf("deny: %v", q)
	}
	q := decide("approve")
	if q.Get("code") == "" || q.Get("state") != "s 1" {
		t.Errorf("approve: %v", q)
	}
	if status, got := f.exchange(f.request(q.Get("code"))); status != 200 {
		t.Fatalf("exchange: %d %v", status, got)
	}
	w = f.serve(httptest.NewRequest("GET", f.page("?state=again"), nil))
	if w.Code != 302 || !strings.Contains(w.Header().Get("Location"), "state=again") {
		t.Errorf("approved scopes must skip the page: %d", w.Code)
	}
	f.app.Scopes = append(f.app.Scopes, "read_customers")
	if _, err := f.world.AddApp(f.app); err != nil {
		t.Fatal(err)
	}
	if w = f.serve(httptest.NewRequest("GET", f.page(""), nil)); w.Code != 200 {
		t.Errorf("a new scope must bring the page back: %d", w.Code)
	}
}

func TestAuthorizeRefusals(t *testing.T) {
	f := setup(t, Options{AutoApprove: true})
	for target, want := range map[string]int{
		"/apps/5/authorize":                              404,
		"/apps/x/authorize":                              404,
		fmt.Sprintf("/apps/+%d/authorize", f.app.ID):     404,
		f.page("?state=%zz"):                             400,
		"/apps":                                          404,
		f.page("?store_id=5"):                            404,
		f.page("?store_id=abc"):                          404,
		f.page("?store_id=%2B") + fmt.Sprint(f.store.ID): 404,
		f.page("/"):                                      302,
		f.page("") + "?state=a%26":                       302,
	} {
		w := f.serve(httptest.NewRequest("GET", target, nil))
		if w.Code != want {
			t.Errorf("%s: got %d, want %d", target, w.Code, want)
		}
		// They were pages of plain text once.
		if want >= 400 && !strings.HasPrefix(w.Body.String(), fmt.Sprintf(`{"code":%d,`, want)) {
			t.Errorf("%s: got %s", target, w.Body)
		}
	}
	r := httptest.NewRequest("POST", f.page(""), strings.NewReader("decision=approve"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := f.serve(r); w.Code != 403 {
		t.Errorf("a form of another site: got %d, want 403", w.Code)
	}
	w := f.serve(httptest.NewRequest("GET", f.page(""), nil))
	if strings.Contains(w.Header().Get("Location"), "state=") {
		t.Error("a state came from nowhere")
	}
	// A semicolon made the state disappear.
	w = f.serve(httptest.NewRequest("GET", f.page("?state=a;b"), nil))
	if !strings.HasSuffix(w.Header().Get("Location"), "&state=a%3Bb") {
		t.Errorf("a state with a semicolon: %s", w.Header().Get("Location"))
	}
}

// An app that one store has installed was sent back to that store at once, so that no other could install it.
func TestConsentOfEveryStore(t *testing.T) {
	f := setup(t, Options{})
	if _, err := f.world.Install(f.app.ID, f.store.ID, f.app.Scopes); err != nil {
		t.Fatal(err)
	}
	second, err := f.world.AddStore(world.Store{})
	if err != nil {
		t.Fatal(err)
	}
	w := f.serve(httptest.NewRequest("GET", f.page("?state=s"), nil))
	if want := fmt.Sprintf(`value="%d" selected`, second.ID); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
		t.Errorf("without store_id: %d, the page lacks %s", w.Code, want)
	}
	w = f.serve(httptest.NewRequest("GET", f.page(fmt.Sprintf("?state=s&store_id=%d", second.ID)), nil))
	if w.Code != 200 {
		t.Errorf("the second store: %d, want the page", w.Code)
	}
	w = f.serve(httptest.NewRequest("GET", f.page(fmt.Sprintf("?state=s&store_id=%d", f.store.ID)), nil))
	if w.Code != 302 {
		t.Errorf("the first store, which has approved: %d, want 302", w.Code)
	}
}
