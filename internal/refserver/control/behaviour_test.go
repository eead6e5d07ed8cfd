package control

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"strings"
	"testing"
)

// ok makes a call that has to be answered 200.
func (d *desk) ok(call, body string) any {
	d.Helper()
	method, path, _ := strings.Cut(call, " ")
	status, answer := d.call(method, path, body)
	if status != 200 {
		d.Fatalf("%s %s: %d %v", call, body, status, answer)
	}
	return answer
}

// Each event that nobody was told of has its reason, and each delivery that has not arrived too.
func TestWhyNothingWasSent(t *testing.T) {
	d := open(t)
	last := func() string {
		all, _ := get(d.ok("GET deliveries/unsent?limit=200", ""), "items").([]any)
		return fmt.Sprint(get(all[len(all)-1], "why"))
	}
	d.ok("POST stores/1001/emit", `{"event":"order/paid"}`)
	if got := last(); !strings.HasPrefix(got, "no app had a webhook for order/paid in store 1001") {
		t.Errorf("got %q", got)
	}
	d.ok("POST stores/1001/emit", `{"event":"order/paid","app":2001}`)
	if got := last(); !strings.HasPrefix(got, "app 2001 had no webhook for order/paid in store 1001") {
		t.Errorf("got %q", got)
	}
	d.ok("PUT apps/2001/addresses", `{}`)
	d.ok("POST stores/1001/data-request", `{"event":"store/redact"}`)
	if got := last(); !strings.HasPrefix(got, "app 2001 has no address for store/redact") {
		t.Errorf("got %q", got)
	}
	d.ok("POST seed", `{"records":[{"path":"/webhooks","body":{"event":"order/paid","url":"https://app.example/fails"}},
		{"path":"/webhooks","body":{"event":"domain/updated","url":"https://nowhere.example/hooks"}}]}`)
	d.ok("POST stores/1001/suspend", "")
	d.ok("POST stores/1001/emit", `{"event":"order/paid"}`)
	if got := last(); !strings.HasPrefix(got, "store 1001 is suspended") {
		t.Errorf("got %q", got)
	}
	d.ok("POST stores/1001/resume", "")
	d.ok("POST stores/1001/emit", `{"event":"order/paid"}`)
	d.ok("POST stores/1001/emit", `{"event":"domain/updated"}`)
	d.ok("POST settle", "")
	for event, want := range map[string]string{
		"order/paid": "status 500: must be 2xx", "domain/updated": "nowhere.example: the platform has no route to it: start the server with --partner https://nowhere.example=http://127.0.0.1:PORT, or use Forward in a Go test",
	} {
		if got := get(d.ok("GET deliveries?state=pending&event="+event, ""), "items.0.why"); got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
	d.ok("POST reset", "")
	if got := get(d.ok("GET deliveries?state=failed", ""), "items.0.why"); got != "the server was reset" {
		t.Errorf("after a reset: got %q", got)
	}
	if got := d.ok("GET clock", ""); get(got, "next") != nil {
		t.Errorf("the next attempt of a delivery that was ended is due: %v", got)
	}
}

// A reset brings the state of the start back, to the digest.
func TestReset(t *testing.T) {
	d := open(t)
	before := d.ok("POST snapshots", `{"name":"a"}`)
	d.ok("POST stores", `{"app":2001}`)
	d.ok("POST faults", `{"operation":"*","status":500}`)
	d.ok("PUT limits", `{"products":1}`)
	d.ok("PUT deliveries/order", `{"twice":true}`)
	d.ok("POST stores/1001/uninstall", `{"app":2001}`)
	if same := get(d.ok("POST snapshots", `{"name":"b"}`), "digest"); same == get(before, "digest") {
		t.Error("another state has the same digest")
	}
	after := d.ok("POST reset", "")
	if get(after, "digest") != get(before, "digest") || get(after, "records") != get(before, "records") {
		t.Errorf("got %v, want %v", after, before)
	}
	if got := d.ok("GET limits", ""); get(got, "products") != 100000.0 {
		t.Errorf("limits: %v", got)
	}
	if got := d.ok("GET deliveries/order", ""); get(got, "twice") != false {
		t.Errorf("order: %v", got)
	}
	if got := d.ok("GET faults", ""); get(got, "items.0.done") != true {
		t.Errorf("faults: %v", got)
	}
	d.ok("POST snapshots/b/restore", "")
	if got := d.ok("POST snapshots", `{"name":"c"}`); get(got, "digest") == get(before, "digest") {
		t.Error("restoring did nothing")
	}
}

// A cart shows what an app has answered to it, and which discounts are gone since, with the reason.
func TestRunShowsWhatVanished(t *testing.T) {
	d := open(t)
	d.ok("POST seed", `{"records":[{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
		{"path":"/promotions","body":{"name":"Ten","allocation_type":"line_item"}}]}`)
	variant := get(d.ok("GET stores/1001/entities/variants?limit=1", ""), "items.0.id")
	cart := fmt.Sprintf("stores/1001/carts/%.0f", get(d.ok("POST stores/1001/carts", `{}`), "id"))
	added := d.ok("POST "+cart+"/add", fmt.Sprintf(`{"variant":%.0f,"quantity":1}`, variant))
	if get(added, "runs.0.outcome") != "applied" || get(added, "runs.0.commands.0.valid") != true || get(added, "runs.0.of_ms") != 800.0 ||
		get(added, "cart.discounts.0.value") != "10" {
		t.Fatalf("got %v", added)
	}
	line := get(added, "cart.lines.0.id")
	three := d.ok("POST "+cart+"/quantity", fmt.Sprintf(`{"line":%.0f,"quantity":3}`, line))
	why := fmt.Sprint(get(three, "vanished.0.why"))
	if !strings.HasPrefix(why, "the discounts of all apps were removed: commands[0].specs.promotion_id") {
		t.Errorf("why: %s", why)
	}
	if get(three, "runs.0.commands.0.valid") != false || get(three, "runs.0.before.discounts.0.value") != "10" {
		t.Errorf("got %v", get(three, "runs.0"))
	}
	if again := d.ok("POST "+cart+"/replay", ""); get(again, "runs.0.outcome") != "removed" {
		t.Errorf("replay: %v", again)
	}
}

func TestPaymentKeyIsPEM(t *testing.T) {
	d := open(t)
	first := fmt.Sprint(get(d.ok("GET payments/key", ""), "pem"))
	block, rest := pem.Decode([]byte(first))
	if block == nil || len(rest) > 0 {
		t.Fatalf("got %q", first)
	}
	if _, err := x509.ParsePKIXPublicKey(block.Bytes); err != nil {
		t.Error(err)
	}
	if second := fmt.Sprint(get(d.ok("POST payments/key", ""), "pem")); second == first {
		t.Error("another key is the same")
	}
}

// Pages end, in order, and miss nothing.
func TestPages(t *testing.T) {
	d := open(t)
	for _, path := range []string{"stores/1001/entities/variants", "stores/1001/entities/locations", "operations", "deliveries/unsent"} {
		whole, _ := get(d.ok("GET "+path+"?limit=200", ""), "items").([]any)
		var all []any
		next := ""
		for range 300 {
			page := d.ok("GET "+path+"?limit=7"+next, "")
			items, _ := get(page, "items").([]any)
			if all = append(all, items...); get(page, "next") == nil {
				break
			}
			next = fmt.Sprintf("&after=%v", get(page, "next"))
		}
		if len(all) == 0 || len(whole) < 200 && fmt.Sprint(all) != fmt.Sprint(whole) {
			t.Errorf("%s: %d in pages of 7, %d in one", path, len(all), len(whole))
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"ID": "id", "ContactEmail": "contact_email", "RatesURL": "rates_url", "SEOTitle": "seo_title",
		"TotalUSD": "total_usd",
	} {
		if got := snake(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := world.Nearest("ordr/paid", eventNames()); got != "order/paid" {
		t.Errorf("got %q", got)
	}
	if got := world.Nearest("something else entirely", eventNames()); got != "" {
		t.Errorf("got %q for what is like nothing", got)
	}
	for _, body := range []string{`{"refresh_token":"x","a":[{"API_KEY":"x"}]}`, `{"refresh\u005ftoken":"x"}`} {
		raw, _ := encode(shown([]byte(body)))
		if strings.Contains(string(raw), `"x"`) {
			t.Errorf("%s is shown as %s", body, raw)
		}
	}
}
