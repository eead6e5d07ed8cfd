package scenario_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

// shipped is the scenario that ships under a name.
func shipped(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	all, err := scenario.Shipped()
	i := slices.IndexFunc(all, func(s scenario.Scenario) bool { return s.Name == name })
	if err != nil || i < 0 {
		t.Fatalf("there is no scenario %s: %v", name, err)
	}
	return all[i]
}

// played runs a scenario that ships against the app with a defect.
func played(t *testing.T, s scenario.Scenario, defect string) scenario.Result {
	t.Helper()
	p, err := scenario.Start(scenario.Options{Secret: "s3cret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	app := &proctest.App{
		Base: p.Base, Secret: "s3cret", ID: 2001, Transport: p.Server.Transport(), Defect: defect,
		Parts: []string{"webhooks", "discounts", "carrier", "payments"},
	}
	if err := p.Mount(map[string]http.Handler{proctest.Origin: app}); err != nil {
		t.Fatal(err)
	}
	return p.Run(t.Context(), s, nil)
}

// Every scenario that ships passes against a correct app.
func TestShipped(t *testing.T) {
	all, err := scenario.Shipped()
	if err != nil || len(all) < 3 {
		t.Fatalf("%d scenarios: %v", len(all), err)
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			if r := played(t, s, ""); r.Failed+r.Skipped != "" {
				t.Errorf("%s%s", r.Failed, r.Skipped)
			}
		})
	}
}

// Every scenario fails against an app with a defect, and says where.
func TestDefects(t *testing.T) {
	for _, c := range []struct{ scenario, defect, says string }{
		{"install", "does not exchange the code", "the app has exchanged the code"},
		{"install", "loses the token", "401"},
		{"discount", "never removes a discount", "the discount vanishes with the pieces\n   cart.promotions\n"},
		{"discount", "discounts above the price", "command refused"},
		{"late-partner", "ends its promotions after a late cart", "the discount is back"},
		{"commands", "discounts removed lines", "every command of the app was accepted"},
		{"coupon-race", "discounts no cart with a coupon", "expected  {\"not\":\"0.00\"}"},
		{"rates", "offers a code without an option", "calls.0.hidden.#"},
		{"purchase", "reports no payment", "the order is paid"},
		{"partial-refund", "reports the whole amount as refunded", "the platform has the refunded part"},
		{"chargeback", "reports no payment", "step 9"},
		{"reinstall", "keeps the old token", "another installation"},
		{"webhook-outage", "refuses repetitions", "every webhook has arrived"},
	} {
		t.Run(c.scenario+"/"+c.defect, func(t *testing.T) {
			t.Parallel()
			if r := played(t, shipped(t, c.scenario), c.defect); !strings.Contains(r.Failed, c.says) {
				t.Errorf("got %q, want a failure that says %q", r.Failed, c.says)
			}
		})
	}
}

// A scenario of a part that the app does not register is skipped.
func TestSkipped(t *testing.T) {
	p, err := scenario.Start(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	app := &proctest.App{Base: p.Base, Secret: p.Shop.App.Secret, ID: 2001, Transport: p.Server.Transport()}
	if err := p.Mount(map[string]http.Handler{proctest.Origin: app}); err != nil {
		t.Fatal(err)
	}
	if r := p.Run(t.Context(), shipped(t, "rates"), nil); !strings.Contains(r.Skipped, "no carrier") || r.Failed != "" {
		t.Errorf("got %+v", r)
	}
}

// A program that cannot be reached is named without the code of the installation.
func TestUnreachable(t *testing.T) {
	p, err := scenario.Start(scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.Forward(map[string]string{proctest.Origin: "http://127.0.0.1:1"}); err != nil {
		t.Fatal(err)
	}
	r := p.Run(t.Context(), shipped(t, "install"), nil)
	if !strings.Contains(r.Failed, "https://app.example/oauth/callback: ") || strings.Contains(r.Failed, "code=") {
		t.Errorf("got %q", r.Failed)
	}
}

// The demo store has the features of the options, and no platform starts with one that does not exist.
func TestFeatures(t *testing.T) {
	p, err := scenario.Start(scenario.Options{Features: []string{"fulfillment_order_label_api"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	st, ok := p.Server.World().Store(p.Shop.Store.ID)
	if !ok || !slices.Contains(st.Features, "fulfillment_order_label_api") {
		t.Errorf("the store has the features %v", st.Features)
	}
	if _, err := scenario.Start(scenario.Options{Features: []string{"none"}}); err == nil {
		t.Error("a feature that does not exist was accepted")
	}
}
