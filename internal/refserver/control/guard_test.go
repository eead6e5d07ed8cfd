package control

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// Other machines call under the names that were given, and pages of others do not.
func TestUnsafeHosts(t *testing.T) {
	a := New(Options{Server: refserver.New(refserver.Options{}), UnsafeHosts: []string{"platform"}})
	t.Cleanup(a.server.Close)
	t.Cleanup(a.Close)
	for _, test := range []struct {
		host, from, header, value string
		want                      int
	}{
		{"platform:8082", "172.17.0.1:5", "", "", 200},
		{"PLATFORM", "172.17.0.1:5", "", "", 200},
		{"localhost:8082", "172.17.0.1:5", "", "", 200}, // a published port of the container
		{"rebound.example", "172.17.0.1:5", "", "", 421},
		{"platform.rebound.example", "172.17.0.1:5", "", "", 421},
		{"platform", "172.17.0.1:5", "X-Forwarded-For", "192.0.2.1", 403},
		{"platform", "172.17.0.1:5", "Origin", "https://evil.example", 403},
	} {
		r := local("POST", "snapshots", `{"name":"a"}`)
		if r.Host, r.RemoteAddr = test.host, test.from; test.header != "" {
			r.Header.Set(test.header, test.value)
		}
		w := httptest.NewRecorder()
		if a.ServeHTTP(w, r); w.Code != test.want {
			t.Errorf("%+v: got %d %s", test, w.Code, w.Body)
		}
	}
	if at, err := a.Listen(":0"); err != nil || !strings.HasPrefix(at, "http://platform:") {
		t.Errorf("listens on %s, %v; want http://platform:…", at, err)
	}
}

func TestOnlyThisMachine(t *testing.T) {
	d := open(t)
	for name, tc := range map[string]struct {
		method string
		change func(r *http.Request)
		want   int
	}{
		"as it should be":  {"GET", func(*http.Request) {}, 200},
		"by name":          {"GET", func(r *http.Request) { r.Host = "LocalHost:80" }, 200},
		"version 6":        {"GET", func(r *http.Request) { r.Host, r.RemoteAddr = "[::1]:80", "[::1]:5" }, 200},
		"another host":     {"GET", func(r *http.Request) { r.Host = "rebound.example" }, 421},
		"no host":          {"GET", func(r *http.Request) { r.Host = "" }, 421},
		"host in numbers":  {"GET", func(r *http.Request) { r.Host = "127.0.0.1.rebound.example" }, 421},
		"another machine":  {"GET", func(r *http.Request) { r.RemoteAddr = "192.0.2.1:5" }, 403},
		"a proxy":          {"GET", func(r *http.Request) { r.Header.Set("X-Forwarded-For", "192.0.2.1") }, 403},
		"another site":     {"POST", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another origin":   {"POST", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a form":           {"POST", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
		"no content type":  {"POST", func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		"its own page":     {"POST", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }, 200},
		"a charset beside": {"POST", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") }, 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := local(tc.method, "snapshots", map[string]string{"POST": `{"name":"a"}`}[tc.method])
			tc.change(r)
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code != tc.want || !strings.HasPrefix(w.Body.String(), "{") {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, tc.want)
			}
			if w.Code >= 400 && !strings.Contains(w.Body.String(), `"hint":"`) {
				t.Errorf("no hint: %s", w.Body)
			}
		})
	}
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "localhost.evil.example:0", "127.0.0.1", ""} {
		if url, err := d.Listen(addr); err == nil {
			t.Errorf("%q: listens on %s, want a refusal", addr, url)
		}
	}
	if _, err := d.Listen("127.0.0.1:0"); err != nil {
		t.Error(err)
	}
}

func TestErrorsAndNearestNames(t *testing.T) {
	d := open(t)
	for _, tc := range []struct {
		call, body string
		status     int
		hint       string
	}{
		{"GET stors", "", 404, "/_/api/stores"},
		{"GET stores//1001", "", 404, ""},
		{"GET ../v1", "", 404, ""},
		{"PATCH stores", "", 405, ""},
		{"GET stores/1002/entities", "", 404, "the nearest is 1001"},
		{"GET stores/1001/entities/prodcts", "", 404, "the nearest is products"},
		{"GET stores/1001/carts/1", "", 404, "1000"},
		{"POST stores/1001/emit", `{"event":"order/payd"}`, 422, "the nearest is order/paid"},
		{"POST faults", `{"operation":"POST /product","status":503}`, 422, "the nearest is POST /products"},
		{"POST faults", `{"operation":"POST /products","statos":503}`, 422, "the nearest is status"},
		{"POST faults", `{"operation":"POST /products"}`, 422, ""},
		{"POST stores/1001/install", `{"app":2002}`, 404, "the nearest is 2001"},
		{"POST stores/1001/install", `{"app":2001}`, 409, "reinstall"},
		{"POST stores/1001/reinstall", `{"scopes":["read_product"]}`, 422, "the nearest is read_products"},
		{"POST clock/advance", `{"by":-1}`, 422, ""},
		{"POST clock/to", `{"at":"9999-01-01T00:00:00Z"}`, 422, "example"},
		{"POST clock/to", `{"at":"2020-01-01T00:00:00Z"}`, 422, "example"},
		{"POST clock/next", ``, 409, "advance"},
		{"POST clock/advance", `[]`, 422, ""},
		{"POST clock/advance", `{"by":"1h"} {}`, 400, ""},
		{"POST clock/advance", `{`, 400, ""},
		{"POST settle", `{"x":1}`, 422, ""},
		{"GET stores?limit=0", "", 422, ""},
		{"GET stores?limt=1", "", 404, "the nearest is limit"},
		{"GET stores?after=x", "", 422, ""},
		{"POST stores/1001/sales", `{"amount":"1e999999999"}`, 422, ""},
		{"POST stores/1001/sales", `{"amount":1e9}`, 422, ""},
		{"PUT partners", `{"origin":"http://app.example","targets":["http://127.0.0.1:1"]}`, 422, ""},
		{"PUT partners", `{"origin":"https://app.example","targets":["http://127.0.0.1:1"],"source":"203.0.113.7"}`, 422, ""},
		{"PUT apps/2001/payments", `{"process":"http://127.0.0.1/x"}`, 422, "partners"},
		{"PUT apps/0/redirect", `{"redirect_url":"https://app.example/"}`, 404, ""},
		{"POST seed", `{"records":[{"path":"/products/{pot.id}"}]}`, 404, ""},
		{"POST snapshots/befor/restore", "", 404, "there are none yet"},
		{"DELETE stores/1001/carts/1/coupon/X", "", 404, ""},
	} {
		method, path, _ := strings.Cut(tc.call, " ")
		status, answer := d.call(method, path, tc.body)
		hint, _ := get(answer, "hint").(string)
		text, _ := get(answer, "error").(string)
		if status != tc.status || text == "" || hint == "" || !strings.Contains(hint, tc.hint) {
			t.Errorf("%s %s: got %d %v, want %d with a hint that has %q", tc.call, tc.body, status, answer, tc.status, tc.hint)
		}
	}
	if status, answer := d.call("POST", "seed", `{"records":[`+strings.Repeat(" ", mostBody)+`]}`); status != 413 {
		t.Errorf("a body of more than 1 MiB: %d %v", status, answer)
	}
}

// A call to a partner that hangs ends with the time limit of the partner.
func TestPartnerThatHangs(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and never answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	d := open(t)
	for _, c := range []struct{ method, path, body string }{
		{"PUT", "partners", fmt.Sprintf(`{"origin":"https://app.example","targets":["http://%s"]}`, l.Addr())},
		{"POST", "seed", `{"records":[{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
			{"path":"/promotions","body":{"name":"Ten","allocation_type":"line_item"}}]}`},
	} {
		if status, answer := d.call(c.method, c.path, c.body); status != 200 {
			t.Fatalf("%s: %d %v", c.path, status, answer)
		}
	}
	_, carts := d.call("GET", "stores/1001/carts", "")
	_, variants := d.call("GET", "stores/1001/entities/variants?limit=1", "")
	cart, variant := get(carts, "items.0.id"), get(variants, "items.0.id")
	status, answer := d.call("POST", fmt.Sprintf("stores/1001/carts/%.0f/add", cart), fmt.Sprintf(`{"variant":%.0f,"quantity":1}`, variant))
	if status != 200 || get(answer, "runs.0.late") != true || get(answer, "runs.0.decided_by") != "real" {
		t.Errorf("got %d %v", status, get(answer, "runs"))
	}
	if took, _ := get(answer, "runs.0.ms").(float64); took < 800 {
		t.Errorf("took %v ms, want the 800 of the time limit", took)
	}
}

// Targets are called in turn, and from the address that is set.
func TestPartnersInTurn(t *testing.T) {
	var got []string
	serve := func(name string) string {
		s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			host, _, _ := net.SplitHostPort(r.RemoteAddr)
			got = append(got, name+" "+host+" "+r.Host)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	a, b := serve("a"), serve("b")
	d := open(t)
	d.call("PUT", "partners", fmt.Sprintf(`{"origin":"https://app.example","targets":[%q,%q],"source":"127.0.0.9"}`, a, b))
	d.call("POST", "seed", `{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`)
	for range 3 {
		d.call("POST", "stores/1001/emit", `{"event":"domain/updated"}`)
		d.call("POST", "settle", "")
	}
	const from = " 127.0.0.9 app.example"
	if want := fmt.Sprint([]string{"a" + from, "b" + from, "a" + from}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	_, answer := d.call("GET", "deliveries", "")
	if to := get(answer, "items.1.attempts.0.to"); to != b {
		t.Errorf("the second attempt went to %v, want %s", to, b)
	}
}

// A follower who does not read is dropped: the server does not wait for him, and another takes the place.
func TestFollowerWhoDoesNotRead(t *testing.T) {
	d := open(t)
	address, err := d.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(address)
	for range mostFollow {
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		fmt.Fprintf(c, "GET %sdeliveries/follow HTTP/1.1\r\nHost: %s\r\n\r\n", Prefix, u.Host)
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("%q %v", line, err)
		}
	}
	resp, err := http.Get(address + "deliveries/follow")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("follower %d: %s, want 503", mostFollow+1, resp.Status)
	}
	if resp, err = http.Get(address + "clock"); err != nil || resp.StatusCode != 200 {
		t.Fatalf("another call: %v %v", resp, err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	done := make(chan struct{})
	go func() { d.API.Close(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * patience):
		t.Fatal("Close waits for followers")
	}
}

// The clock of a command goes by itself, and can be moved ahead.
func TestClockAhead(t *testing.T) {
	s := refserver.New(refserver.Options{Clock: new(clock.Ahead)})
	t.Cleanup(s.Close)
	shop, err := seed.Empty(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{TB: t, server: s, API: New(Options{Server: s, Shop: shop})}
	t.Cleanup(d.API.Close)
	before := time.Now()
	status, answer := d.call("POST", "clock/advance", `{"by":"48h"}`)
	now, err := time.Parse(time.RFC3339Nano, fmt.Sprint(get(answer, "now")))
	if status != 200 || err != nil || now.Before(before.Add(48*time.Hour)) || get(answer, "done") != true {
		t.Errorf("got %d %v, %v", status, answer, err)
	}
}
