package scenario_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

// recorded is what the control API records while a scenario is played.
func recorded(t *testing.T, s scenario.Scenario) scenario.Scenario {
	t.Helper()
	p, err := scenario.Start(scenario.Options{Secret: "s3cret", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	app := &proctest.App{
		Base: p.Base, Secret: "s3cret", ID: 2001, Transport: p.Server.Transport(),
		Parts: []string{"webhooks", "discounts", "carrier", "payments"},
	}
	if err := p.Mount(map[string]http.Handler{proctest.Origin: app}); err != nil {
		t.Fatal(err)
	}
	client, err := control.Dial(p.Control)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Call(t.Context(), "POST", "scenarios/record", nil, nil); err != nil {
		t.Fatal(err)
	}
	if r := p.Run(t.Context(), s, nil); r.Failed+r.Skipped != "" {
		t.Fatal(r.Failed + r.Skipped)
	}
	var raw json.RawMessage
	if err := client.Call(t.Context(), "POST", "scenarios/stop", nil, &raw); err != nil {
		t.Fatal(err)
	}
	out, err := scenario.Parse("recorded.json", raw)
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return out
}

// Recorded acts are a scenario that passes on another platform, with other ids, and fails if the app answers otherwise.
func TestRecorded(t *testing.T) {
	for name, defect := range map[string]string{
		"discount": "never removes a discount", "purchase": "refuses repetitions", "partial-refund": "", "coupon-race": "", "reinstall": "",
	} {
		t.Run(name, func(t *testing.T) {
			s := recorded(t, shipped(t, name))
			acts := 0
			for _, step := range s.Steps {
				if step.Act != "" && step.Act != "entities" {
					acts++
				}
			}
			raw, _ := json.MarshalIndent(s.Steps, "", " ")
			if r := played(t, s, ""); r.Failed+r.Skipped != "" || acts < 3 {
				t.Errorf("%s%s\n%s", r.Failed, r.Skipped, raw)
			}
			if name == "discount" {
				if r := played(t, s, defect); !strings.Contains(r.Failed, "cart.promotions") {
					t.Errorf("with a defect: %q", r.Failed)
				}
			}
		})
	}
}
