package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// desk is a server with the demo store and its console.
type desk struct {
	*testing.T
	url, base string // of the pages, and of the API of the platform
	client    *http.Client
}

func open(t *testing.T) *desk {
	t.Helper()
	d, _, _ := openServed(t, "http://127.0.0.1:8080")
	return d
}

// openServed is a desk with its server and shop, whose API is at an address; an empty one serves it.
func openServed(t *testing.T, base string) (*desk, *refserver.Server, seed.Shop) {
	t.Helper()
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start), LogAnswers: true, Seed: 1})
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if base == "" {
		platform := httptest.NewServer(s)
		t.Cleanup(platform.Close)
		base = platform.URL
	}
	a := control.New(control.Options{Server: s, Shop: shop, BaseURL: base})
	t.Cleanup(a.Close)
	a.Mount(console.New(a, documents))
	address, err := a.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, strings.TrimSuffix(address, control.Prefix), base, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(d.client.CloseIdleConnections)
	return d, s, shop
}

// get returns a page.
func (d *desk) get(path string) (status int, page string) {
	d.Helper()
	r, err := http.NewRequestWithContext(d.Context(), http.MethodGet, d.url+path, nil)
	if err != nil {
		d.Fatal(err)
	}
	return d.do(r)
}

func (d *desk) do(r *http.Request) (status int, body string) {
	d.Helper()
	answer, err := d.client.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		d.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

// send sends a form.
func (d *desk) send(fields url.Values) (status int, body string) {
	d.Helper()
	r, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.url+"/do", strings.NewReader(fields.Encode()))
	if err != nil {
		d.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return d.do(r)
}

// api makes a call of the control API.
func (d *desk) api(method, path, body string, into any) {
	d.Helper()
	r, err := http.NewRequestWithContext(d.Context(), method, d.url+control.Prefix+path, strings.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, got := d.do(r)
	if status != http.StatusOK {
		d.Fatalf("%s %s: %d %s", method, path, status, got)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got), into); err != nil {
			d.Fatal(err)
		}
	}
}

// paths are the pages with something on them.
var paths = []string{
	"/", "/stores", "/entities", "/entities?resource=orders", "/entities?resource=orders&key=1000111", "/cart", "/cart?cart=1000147",
	"/cart?cart=1000147&view=payload", "/cart?cart=1000147&view=rates", "/cart?cart=1000147&view=rules", "/log", "/log?id=1",
	"/log?kind=webhook&state=problem", "/log?with=1&with=2", "/charts", "/orders", "/faults",
}

// furnish makes something happen, so that every page has something to show.
func (d *desk) furnish() {
	d.api("POST", "seed", `{"records":[
		{"path":"/webhooks","body":{"event":"product/created","url":"https://app.example/hooks"}},
		{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
		{"path":"/promotions","body":{"name":"Ten percent","allocation_type":"line_item"}},
		{"path":"/products","body":{"name":{"en":"Pot"},"variants":[{"price":"40.00"}]}}]}`, nil)
	d.api("POST", "stores/1001/sales", `{"amount":"12.00"}`, nil)
	d.api("POST", "stores/1001/carts/1000147/add", `{"variant":1000016,"quantity":1}`, nil)
	d.api("POST", "faults", `{"operation":"POST /products","status":503}`, nil)
	d.api("POST", "snapshots", `{"name":"before"}`, nil)
	d.api("POST", "settle", "", nil)
}

func TestPages(t *testing.T) {
	d := open(t)
	d.furnish()
	for _, path := range paths {
		status, page := d.get(path)
		if status != http.StatusOK || strings.Contains(page, `role="alert"`) || !strings.HasSuffix(strings.TrimSpace(page),
			"</html>") {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
		if len(page) > 60<<10 {
			t.Errorf("%s: %d bytes", path, len(page))
		}
	}
	for path, want := range map[string]int{"/nothing": 404, "/log?id=7777": 404, "/entities?store=7": 404,
		"/cart?cart=x": 404} {
		if status, page := d.get(path); status != want {
			t.Errorf("%s: %d\n%s", path, status, page)
		}
	}
}

var (
	formShape  = regexp.MustCompile(`(?s)<form .*?</form>`)
	inputShape = regexp.MustCompile(`<(?:input|textarea|select)[^>]* name="([^"]*)"(?: value="([^"]*)")?`)
)

// forms are the forms of a page, with what is in their fields.
func forms(page string) []url.Values {
	var out []url.Values
	for _, text := range formShape.FindAllString(page, -1) {
		fields := url.Values{}
		for _, m := range inputShape.FindAllStringSubmatch(text, -1) {
			fields.Set(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
		}
		out = append(out, fields)
	}
	return out
}

// Every button is a call that the control API has, and carries no member that the call does not know.
func TestButtonsAreCalls(t *testing.T) {
	d := open(t)
	d.furnish()
	n := 0
	for _, path := range paths {
		_, page := d.get(path)
		for _, f := range forms(page) {
			if strings.HasPrefix(f.Get("call"), "DELETE") || strings.Contains(f.Get("call"), "uninstall") {
				continue // others need what it takes away
			}
			n++
			status, body := d.send(f)
			if strings.Contains(body, "does not exist") && strings.Contains(body, "member ") || strings.Contains(body,
				"must be GET") ||
				strings.Contains(body, "this call takes none") || strings.Contains(body, "path &#34;/_/api/") || status >= 500 {
				t.Errorf("%s on %s: %d\n%s", f.Get("call"), path, status, body)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d buttons", n)
	}
}

// advance presses a button on a page, and returns the status and where it leads.
func (d *desk) advance(back, then string) string {
	d.Helper()
	return d.post("/do", url.Values{
		"call": {"POST clock/advance"}, "label": {"+1 h"}, "back": {back}, "then": {then}, "text:by": {"1h"}, "key": {"k"},
	})
}

// post sends fields to an address, and returns the status and where it leads.
func (d *desk) post(path string, fields url.Values) string {
	d.Helper()
	r, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.url+path, strings.NewReader(fields.Encode()))
	if err != nil {
		d.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := d.client.Do(r)
	if err != nil {
		d.Fatal(err)
	}
	answer.Body.Close()
	return fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Location"))
}

// A button does its call and leads back to its page, by address, with the number of the outcome.
func TestButton(t *testing.T) {
	d := open(t)
	if got := d.advance("/log?state=failing", ""); got != "303 /log?did=1&state=failing#k" {
		t.Error(got)
	}
	var now struct{ Now string }
	if d.api("GET", "clock", "", &now); now.Now != "2025-01-01T13:00:00Z" {
		t.Errorf("it is %s", now.Now)
	}
}

// didShape is the number of an outcome in an address.
var didShape = regexp.MustCompile(`\?did=\d+\b&?`)

// A button may lead on to another page, and to nothing but a page.
func TestButtonLeadsOn(t *testing.T) {
	d := open(t)
	for then, want := range map[string]string{
		"": "303 /log#k", "/orders?key=7": "303 /orderskey=7#k", "/nowhere": "400 ", "//evil.example/orders": "400 ",
		"https://evil.example/orders": "400 ", `/\evil.example`: "400 ", "javascript:alert(1)": "400 ", "orders": "400 ",
	} {
		if got := didShape.ReplaceAllString(d.advance("/log", then), ""); got != want {
			t.Errorf("then %q: %s, want %s", then, got, want)
		}
	}
}

// form is the form of a page with a label.
func (d *desk) form(path, label string) url.Values {
	d.Helper()
	_, page := d.get(path)
	for _, f := range filled(page) {
		if f.Get("label") == label {
			return f
		}
	}
	d.Fatalf("%s has no form %q", path, label)
	return nil
}

// A call that is refused shows why beside its button, with what was typed.
func TestRefusalStandsBesideTheForm(t *testing.T) {
	d := open(t)
	form := d.form("/cart?cart=1000147", "Apply coupon")
	form.Set("text:code", `<i>"NONE"`)
	status, page := d.send(form)
	if status != http.StatusUnprocessableEntity {
		t.Fatalf("%d %s", status, page)
	}
	for _, text := range formShape.FindAllString(page, -1) {
		if strings.Contains(text, `value="Apply coupon"`) {
			if !strings.Contains(text, `role="alert"`) || !strings.Contains(text, `value="&lt;i&gt;&#34;NONE&#34;"`) {
				t.Error(text)
			}
			return
		}
	}
	t.Error("the form is gone")
}

// Where a form may lead, and what it may call.
func TestForms(t *testing.T) {
	d := open(t)
	for name, f := range map[string]url.Values{
		"another host":   {"call": {"POST settle"}, "back": {"https://evil.example/"}},
		"no scheme":      {"call": {"POST settle"}, "back": {"//evil.example/"}},
		"a backslash":    {"call": {"POST settle"}, "back": {`/\evil.example`}},
		"no call":        {"back": {"/"}},
		"no back":        {"call": {"POST settle"}},
		"another method": {"call": {"PATCH settle"}, "back": {"/"}},
		"another path":   {"call": {"POST ../../etc"}, "back": {"/"}},
	} {
		status, body := d.send(f)
		if status < 400 || status >= 500 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

// Text of others stays text, in every field of a record.
func TestHostileNames(t *testing.T) {
	d := open(t)
	const evil = `<img src=x onerror=alert(1)>\u0027\"</script>`
	d.api("POST", "seed", `{"records":[
		{"path":"/products","body":{"name":{"en":"`+evil+`"},"variants":[{"price":"40.00"}]}},
		{"path":"/customers","body":{"name":"<b>Ana","email":"ana@mail.example"}}]}`, nil)
	var cart struct{ ID json.Number }
	d.api("POST", "stores/1001/carts", `{}`, &cart)
	d.api("POST", "snapshots", `{"name":"<b>before"}`, nil)
	for _, path := range append(paths, "/entities?resource=products", "/entities?resource=customers",
		"/cart?cart="+cart.ID.String(),
		"/entities?resource="+url.QueryEscape(`<script>`), "/log?search="+url.QueryEscape(`"><script>`)) {
		if _, page := d.get(path); strings.Contains(page, "<img") || strings.Contains(page, "<b>") || strings.Count(page,
			"<script") != 1 && strings.Contains(page, "</html>") {
			t.Errorf("%s:\n%s", path, page)
		}
	}
}

// Other sites, other hosts and frames are refused.
func TestOthersAreRefused(t *testing.T) {
	d := open(t)
	for name, c := range map[string]struct {
		header, value string
		want          int
	}{
		"another site": {"Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		"an origin":    {"Origin", "https://evil.example", http.StatusForbidden},
		"a proxy":      {"X-Forwarded-For", "203.0.113.7", http.StatusForbidden},
	} {
		r := httptest.NewRequest(http.MethodPost, d.url+"/do", strings.NewReader("call=POST+settle&back=/"))
		r.RequestURI = ""
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set(c.header, c.value)
		if status, body := d.do(r); status != c.want {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	r := httptest.NewRequest(http.MethodGet, d.url+"/", nil)
	r.RequestURI, r.Host = "", "evil.example"
	if status, _ := d.do(r); status != http.StatusMisdirectedRequest {
		t.Errorf("another host: %d", status)
	}
	r = httptest.NewRequest(http.MethodGet, d.url+"/", nil)
	r.RequestURI = ""
	answer, err := d.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if csp := answer.Header.Get("Content-Security-Policy"); !strings.Contains(csp,
		"frame-ancestors 'none'") || !strings.Contains(csp, "trusted-types 'none'") {
		t.Errorf("policy %q", csp)
	}
}

// A page is small whatever the texts are that it shows, and says what it leaves out.
func TestLongTexts(t *testing.T) {
	d := open(t)
	long := strings.Repeat("ñ", 100_000)
	d.api("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	for range 4 {
		d.api("POST", "stores/1001/emit", `{"event":"domain/updated","fields":{"name":"`+long+`"}}`, nil)
		d.api("POST", "seed", `{"records":[{
			"path":"/products","body":{"name":{"en":"`+long[:1000]+`"},"description":{"en":"`+long+`"}}}]}`, nil)
	}
	d.api("POST", "settle", "", nil)
	var products struct{ Items []struct{ ID json.Number } }
	d.api("GET", "stores/1001/entities/products?order=newest&limit=1", "", &products)
	for path, cut := range map[string]bool{
		"/": false, "/log": false, "/log?id=2": true, "/entities?resource=products": false,
		"/entities?resource=products&key=" + products.Items[0].ID.String(): true,
	} {
		status, page := d.get(path)
		if status != http.StatusOK || len(page) > 500_000 || strings.Contains(page,
			"more bytes: the control API has all)") != cut {
			t.Errorf("%s: %d, %d bytes", path, status, len(page))
		}
	}
}
