package control

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// sum adds up a figure of the parts of a series.
func sum(series any, name string) (n float64) {
	parts, _ := get(series, "parts").([]any)
	for _, p := range parts {
		f, _ := get(p, name).(float64)
		n += f
	}
	return n
}

// The figures of a series are those of the log, of the list of webhooks and of info, by the clock of the server.
func TestSeries(t *testing.T) {
	d := open(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	d.register("product/created", "https://app.example/fails")
	d.register("order/paid", "https://app.example/hooks")
	for range 3 {
		d.request("POST", "/products", `{"name":{"en":"Vase"}}`)
		d.ok("POST stores/1001/emit", `{"event":"order/paid"}`)
		d.ok("POST settle", "")
		d.ok("POST clock/advance", `{"by":"1m"}`)
	}
	d.request("GET", "/products/7", "")
	for of, kind := range map[string]string{"webhooks": "webhook", "requests": "request", "carts": "cart"} {
		s, page := d.ok("GET series?of="+of, ""), d.ok("GET log?kind="+kind, "")
		if n := get(s, "total.n"); n != get(page, "matching") || n != sum(s, "n") || get(s, "complete") != true {
			t.Errorf("%s: %v in all, %v in the parts, %v in the log", of, n, sum(s, "n"), get(page, "matching"))
		}
		if got, want := fmt.Sprint(get(s, "total.states")), fmt.Sprint(get(page, "states")); got != want {
			t.Errorf("%s: states %s, in the log %s", of, got, want)
		}
	}
	s := d.ok("GET series?of=webhooks", "")
	if n, all := get(s, "total.n"), get(d.ok("GET info", ""), "deliveries"); n != all {
		t.Errorf("%v webhooks, %v in info", n, all)
	}
	if get(s, "clock") != "virtual" || get(s, "of_ms") != 3000. {
		t.Errorf("by the clock %v, limit %v", get(s, "clock"), get(s, "of_ms"))
	}
	if get(s, "total.failing") != 3. || get(s, "total.waiting") != 0. || get(s, "total.problems") != 3. {
		t.Errorf("got %v", get(s, "total"))
	}
	if n := get(d.ok("GET series?of=request&over=1m", ""), "total.n"); n != 2. {
		t.Errorf("%v requests in the last minute, want 2", n)
	}
	// The backlog of three minutes: one more failing webhook each minute, of parts of 3 seconds.
	s = d.ok("GET series?of=webhooks&over=3m", "")
	for part, want := range map[int]float64{0: 1, 19: 1, 20: 2, 39: 2, 40: 3, 59: 3} {
		if got := get(s, fmt.Sprintf("parts.%d.failing", part)); got != want {
			t.Errorf("part %d: %v are failing, want %v", part, got, want)
		}
	}
	for _, query := range []string{"", "of=x", "of=carts&over=1s", "of=carts&over=x"} {
		if status, answer := d.call("GET", "series?"+query, ""); status == 200 {
			t.Errorf("%s: got %v", query, answer)
		}
	}
}

// A forgotten entry makes the figures of its time incomplete, and is counted.
func TestForgottenEntries(t *testing.T) {
	a, now := filled(t, 100, 110)
	d := &desk{TB: t, API: a}
	if s := d.ok("GET series?of=carts&over=1m", ""); get(s, "complete") != true || get(s, "total.p95_ms") != 106. {
		t.Errorf("after %s: got %v", now, get(s, "total"))
	}
	if s := d.ok("GET series?of=carts&over=3m", ""); get(s, "complete") != false || get(s, "total.n") != 50. {
		t.Errorf("got %v of %v", get(s, "total"), get(s, "complete"))
	}
	page := d.ok("GET log", "")
	if get(page, "total") != 110. || get(page, "forgotten") != 10. || get(page, "matching") != 100. {
		t.Errorf("got %v, %v, %v", get(page, "total"), get(page, "forgotten"), get(page, "matching"))
	}
	status, answer := d.call("GET", "log/3", "")
	if status != 404 || get(answer, "error") != `entry "3" is no longer kept` {
		t.Errorf("got %d %v", status, answer)
	}
}

// filled is the control API of a server whose journal keeps some of n entries, one a second, of carts and webhooks in
// turn.
func filled(t testing.TB, kept, n int) (*API, time.Time) {
	v := clock.NewVirtual(time.Time{})
	s := refserver.New(refserver.Options{Clock: v, Kept: kept})
	t.Cleanup(s.Close)
	for i := range n {
		e := traffic.Entry{
			Kind: traffic.KindCart, Name: "line_item", Store: 1001, App: 2001, At: v.Now(), Ended: v.Now(),
			State: traffic.StateOK, Word: "applied", Took: time.Duration(i) * time.Millisecond, Limit: 800 * time.Millisecond, Tries: 1,
			Line:   fmt.Sprintf("200: 2 commands, total %d.00", i),
			Record: traffic.Record{Resource: "carts", Key: text(int64(i))},
		}
		if i%2 == 1 {
			e.Kind, e.Name = traffic.KindWebhook, "order/paid"
		}
		e.Source = func(int64) (any, bool) { return nil, false }
		s.Journal().Add(e)
		v.Advance(time.Second)
	}
	a := New(Options{Server: s})
	t.Cleanup(a.Close)
	return a, v.Now()
}

func BenchmarkLog(b *testing.B) {
	a, _ := filled(b, 100_000, 100_000)
	d := &desk{TB: b, API: a}
	for _, path := range []string{
		"log", "log?state=problem", "log?search=total+99999.00", "log?search=nothing", "log?kind=cart&search=4711",
		"log/50000", "series?of=carts&over=48h",
	} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				d.ok("GET "+path, "")
			}
		})
	}
}

func BenchmarkJournal(b *testing.B) {
	j := traffic.NewJournal(100_000)
	e := traffic.Entry{Kind: traffic.KindCart, Name: "line_item", Line: "200: 2 commands, total 10.00"}
	for b.Loop() {
		j.Add(e)
	}
}
