package res_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ruler is the token of an app with business rules, and these scopes.
func (f *shop) ruler(scopes ...string) (app world.App, token string) {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Rules", Features: []string{"business_rules"}})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, scopes)
	if err != nil {
		f.Fatal(err)
	}
	return app, in.Token
}

// ruleEvents are the events by domain.
var ruleEvents = map[string]string{
	"payments": "payments/before-filter", "shipping": "shipping/before-filter", "location": "location/prioritization", "cart": "cart/before-finish",
}

const integration = "PUT /business_rules/integrations/"

// rules are the callbacks in the store, as "domain url", by key.
func (f *shop) rules() (out []string) {
	f.Helper()
	err := f.World().View(0, f.store.ID, func(tx *world.Tx) error {
		for _, c := range tx.RuleCallbacks.All() {
			out = append(out, string(c.Domain)+" "+c.URL)
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	return out
}

// Each app has one callback for each domain. It is replaced, and dropped with the app.
func TestBusinessRules(t *testing.T) {
	f := open(t)
	app, token := f.ruler(world.AllScopes()...)
	_, other := f.ruler("read_shipping")
	put := func(token, version, domain, url string) {
		t.Helper()
		w := f.send(token, version+integration+domain, object{"url": url, "event": ruleEvents[domain]})
		if w.Code != http.StatusNoContent || w.Body.Len() > 0 || w.Header().Get("X-Ref-Provenance") != "" {
			t.Errorf("%s: %d %s %v", domain, w.Code, w.Body, w.Header())
		}
	}
	for domain := range ruleEvents {
		for _, version := range []string{"v1 ", "2025-03 ", "unstable "} {
			put(token, version, domain, "https://app.example/"+domain)
		}
	}
	put(token, "", "cart", "https://app.example/again")
	put(token, "", "cart", "https://app.example/again")
	for _, domain := range []string{"shipping", "location", "cart"} { // read_shipping grants read_locations
		put(other, "", domain, "https://other.example/"+domain)
	}
	want := []string{
		"cart https://app.example/again", "location https://app.example/location", "payments https://app.example/payments",
		"shipping https://app.example/shipping",
	}
	theirs := []string{"cart https://other.example/cart", "location https://other.example/location", "shipping https://other.example/shipping"}
	if got := f.rules(); !slices.Equal(got, append(want, theirs...)) {
		t.Errorf("got %q", got)
	}
	for _, call := range []string{"GET /business_rules/integrations/cart", "DELETE /business_rules/integrations/cart"} {
		if w := f.send(token, call, nil); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", call, w.Code)
		}
	}
	if err := f.Uninstall(app.ID, f.store.ID); err != nil {
		t.Fatal(err)
	}
	if got := f.rules(); !slices.Equal(got, theirs) {
		t.Errorf("after the app is uninstalled: got %q, want those of the other", got)
	}
}

// An app that the platform has not enabled is refused as the callbacks of discounts are. Refusals say that they are
// assumed.
func TestBusinessRulesNeedToBeAllowed(t *testing.T) {
	f := open(t)
	plain := f.install(world.AllScopes())
	got := f.played(plain, integration+"cart", object{"url": "https://app.example/c", "event": "cart/before-finish"}, 403)
	f.want(got, object{"error.status": 403, "error.code": "ForbiddenException", "error.detail": "The app is not enabled for business_rules"})
	if w := f.send(plain, integration+"cart", object{}); w.Header().Get("X-Ref-Provenance") != "assumed" {
		t.Errorf("not enabled: %v, want assumed", w.Header())
	}
	_, token := f.ruler("read_payments")
	for domain, status := range map[string]int{"payments": 403, "checkout": 404, "locations": 404, "cart": 400} {
		if w := f.send(token, integration+domain, object{}); w.Code != status || w.Header().Get("X-Ref-Provenance") != "assumed" {
			t.Errorf("%s: %d %v, want %d, assumed", domain, w.Code, w.Header(), status)
		}
	}
	if w := f.send(token, integration+"cart", `{"url":`); w.Code != 400 {
		t.Errorf("broken JSON: %d %s", w.Code, w.Body)
	}
}

func businessRuleRefusals(f *shop) (out []refusal) {
	_, token := f.ruler(world.AllScopes()...)
	_, bare := f.ruler()
	const op, url = "business_rules.replace", "https://app.example/rules"
	refused := func(token, domain string, status int, text string, body object) {
		out = append(out, refusal{op: op, status: status, text: text, call: integration + domain, body: body, token: token})
	}
	for domain, event := range ruleEvents {
		for _, bad := range []any{"", "cart/before-filter", ruleEvents[map[bool]string{true: "cart", false: "shipping"}[domain != "cart"]], event + " "} {
			refused(token, domain, 400, "event must be "+event, object{"url": url, "event": bad})
		}
		for _, bad := range []any{"", "http://app.example/c", "https://localhost/c", "app.example/c", "https://me:secret@app.example/c"} {
			refused(token, domain, 400, "url must be an HTTPS URL of a public host", object{"url": bad, "event": event})
		}
		for _, bad := range []any{nil, 7, object{}} {
			refused(token, domain, 400, "url must be a string", object{"url": bad, "event": event})
			refused(token, domain, 400, "event must be a string", object{"url": url, "event": bad})
		}
		refused(token, domain, 400, "url must be a string", object{"event": event})
		refused(token, domain, 400, "event must be a string", object{"url": url})
	}
	for domain, text := range map[string]string{
		"payments": "read_payment_options and read_payments", "shipping": "read_shipping", "location": "read_locations",
	} {
		refused(bare, domain, 403, "Missing a required scope: "+text, object{"url": url, "event": ruleEvents[domain]})
	}
	for _, domain := range []string{"locations", "checkout", "Cart"} {
		refused(token, domain, 404, "Business rule domain does not exist", object{"url": url, "event": "cart/before-finish"})
	}
	return out
}
