package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

const appSecret = "canary-client-secret"

// appOn returns an app whose requests are answered by transport.
func appOn(t *testing.T, transport http.RoundTripper) *App {
	t.Helper()
	a, err := NewApp(AppConfig{ID: 2001, Secret: appSecret, Config: Config{
		BaseURL: "https://api.example.com/base", UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: transport},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The app is authorised by its secret, and its addresses name no store.
func TestPlanRequests(t *testing.T) {
	var seen []string
	a := appOn(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+appSecret {
			t.Errorf("authorized by %q", got)
		}
		seen = append(seen, exchangeOf(t, r).String())
		const body = `{"id":7,"code":"pro","external_reference":null,"default":true}`
		return respond(r, strings.NewReader(body), int64(len(body))), nil
	}))
	s := (*PlanService)(appAt(a, Version202503))
	ctx := t.Context()
	plan, err := s.Create(ctx, PlanInput{Code: "pro", ExternalReference: Set("p/1"), Description: Null[string]()})
	if err != nil || plan.ID != "7" || plan.ExternalReference != nil || !plan.Default {
		t.Errorf("got %+v, %v", plan, err)
	}
	_, err = s.Update(ctx, "p/1", PlanInput{Description: Set("")})
	if err := errors.Join(err, s.Delete(ctx, "7"), a.Do(ctx, Request{Version: VersionUnstable, Path: "/apps/{app_id}", Args: []any{2001}}, nil)); err != nil {
		t.Error(err)
	}
	if want := []string{
		`POST /base/2025-03/apps/2001/plans {"code":"pro","external_reference":"p/1","description":null}`,
		`PATCH /base/2025-03/apps/2001/plans/p%2F1 {"description":""}`,
		`DELETE /base/2025-03/apps/2001/plans/7`,
		`GET /base/unstable/apps/2001`,
	}; !slices.Equal(seen, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
	if _, err := s.Create(ctx, PlanInput{}); !errors.Is(err, ErrValidation) || len(seen) != 4 {
		t.Errorf("without a code: got %v after %d requests", err, len(seen))
	}
}

func TestAppConfigIsChecked(t *testing.T) {
	good := AppConfig{ID: 1, Secret: appSecret, Config: Config{BaseURL: "https://api.example.com", UserAgent: "Tests (tests@app.example)"}}
	for want, change := range map[string]func(*AppConfig){
		"AppConfig.ID 0":               func(c *AppConfig) { c.ID = 0 },
		"AppConfig.Secret is empty":    func(c *AppConfig) { c.Secret = "" },
		"AppConfig.Config.StoreID 123": func(c *AppConfig) { c.Config.StoreID = 123 },
		"AppConfig.Config.Token":       func(c *AppConfig) { c.Config.Token = StaticToken("t") },
		"Config.BaseURL is empty":      func(c *AppConfig) { c.Config.BaseURL = "" },
		"Config.UserAgent":             func(c *AppConfig) { c.Config.UserAgent = "Tests" },
	} {
		c := good
		change(&c)
		if _, err := NewApp(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), appSecret) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAppSecretIsNeverPrinted(t *testing.T) {
	c := AppConfig{ID: 1, Secret: appSecret, Config: Config{BaseURL: "https://api.example.com", UserAgent: "Tests (tests@app.example)"}}
	a := appOn(t, hostile.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("down") }))
	_, err := (*PlanService)(appAt(a, Version202503)).Create(t.Context(), PlanInput{Code: "pro"})
	for _, v := range []any{c, &c, []*AppConfig{&c}, a, []*App{a}, appAt(a, Version202503), (*PlanService)(appAt(a, Version202503)), err} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if printed := fmt.Sprintf(verb, v); strings.Contains(printed, "canary") {
				t.Errorf("%T as %s: %s", v, verb, printed)
			}
		}
	}
}

func TestBillingInputsAreChecked(t *testing.T) {
	good := ChargeInput{
		Description: "Seats", FromDate: At(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)), ToDate: At(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)),
		AmountValue: MoneyNumber{Cents(1)}, AmountCurrency: "ARS", ConceptCode: "app-cost",
	}
	charge := func(change func(*ChargeInput)) error {
		in := good
		change(&in)
		return in.check()
	}
	for _, test := range []struct {
		want string
		err  error
	}{
		{"", good.check()},
		{"description", charge(func(in *ChargeInput) { in.Description = "" })},
		{"from_date", charge(func(in *ChargeInput) { in.FromDate = Time{} })},
		{"to_date", charge(func(in *ChargeInput) { in.ToDate = Time{} })},
		{"to_date", charge(func(in *ChargeInput) { in.ToDate = At(in.FromDate.Add(-1)) })},
		{"amount_value", charge(func(in *ChargeInput) { in.AmountValue = MoneyNumber{} })},
		{"amount_currency", charge(func(in *ChargeInput) { in.AmountCurrency = "" })},
		{"concept_code", charge(func(in *ChargeInput) { in.ConceptCode = "" })},
		{"", AppSubscriptionInput{}.check()},
		{"", AppSubscriptionInput{AmountCurrency: "ARS", AmountValue: Set(MoneyNumber{}), PlanID: "p"}.check()},
		{"amount_currency", AppSubscriptionInput{AmountCurrency: "peso"}.check()},
		{"amount_value", AppSubscriptionInput{AmountValue: Set(MoneyNumber{Cents(-1)})}.check()},
		{"plan_external_id", AppSubscriptionInput{PlanID: "p", PlanExternalID: "q"}.check()},
	} {
		if test.want == "" && test.err != nil || test.want != "" && (!errors.Is(test.err, ErrValidation) || !strings.HasPrefix(test.err.Error(), test.want+": ")) {
			t.Errorf("got %v, want an error about %q", test.err, test.want)
		}
	}
}

// Amounts of billing are written as numbers.
func TestBillingRequestsOfAStore(t *testing.T) {
	v, seen := answering(t, Version202503, `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10","amount_value":12.5,"plan":{"id":7}}`)
	ctx := t.Context()
	subscription, err := (*AppSubscriptionService)(v).Update(ctx, "app-cost", 2001, AppSubscriptionInput{AmountCurrency: "ARS", AmountValue: Set(MoneyNumber{Cents(1250)}), PlanExternalID: "p"})
	if err != nil || !subscription.AmountValue.Equal(Cents(1250)) || subscription.Plan.ID != "7" {
		t.Errorf("got %+v, %v", subscription, err)
	}
	day := At(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	_, err = (*ChargeService)(v).Create(ctx, 2001, ChargeInput{Description: "Seats", FromDate: day, ToDate: day, AmountValue: MoneyNumber{Cents(1250)}, AmountCurrency: "ARS", ConceptCode: "app-cost"})
	if err != nil {
		t.Error(err)
	}
	if _, err := (*AppSubscriptionService)(v).Get(ctx, "app-cost", 2001); err != nil {
		t.Error(err)
	}
	want := []string{
		`PATCH /2025-03/123/concepts/app-cost/services/2001/subscriptions {"amount_currency":"ARS","amount_value":12.50,"plan_external_id":"p"}`,
		`POST /2025-03/123/services/2001/charges {"description":"Seats","from_date":"2030-01-01T00:00:00Z","to_date":"2030-01-01T00:00:00Z","amount_value":12.50,"amount_currency":"ARS","concept_code":"app-cost"}`,
		`GET /2025-03/123/concepts/app-cost/services/2001/subscriptions`,
	}
	for i, x := range *seen {
		if x.String() != want[i] {
			t.Errorf("asked %s, want %s", x, want[i])
		}
	}
	_, charged := (*ChargeService)(v).Create(ctx, 2001, ChargeInput{})
	_, updated := (*AppSubscriptionService)(v).Update(ctx, "app-cost", 2001, AppSubscriptionInput{AmountCurrency: "?"})
	if !errors.Is(charged, ErrValidation) || !errors.Is(updated, ErrValidation) || len(*seen) != len(want) {
		t.Errorf("got %v and %v after %d requests", charged, updated, len(*seen))
	}
}

// Where there are secrets, an error keeps nothing of a body but what was said in JSON.
func TestErrorsOfRequestsWithSecrets(t *testing.T) {
	const foreign = ": not in a form of the platform, so a proxy or gateway may have answered"
	const unknown = " (the write may have been applied: read before repeating it)"
	for body, want := range map[string]string{
		`{"message":"no"}`: "POST /x: 400 Bad Request: no",
		`<p>canary</p>`:    "POST /x: 400 Bad Request" + foreign + unknown,
		`{"message":"can`:  "POST /x: 400 Bad Request" + foreign + unknown,
	} {
		v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp := respond(r, strings.NewReader(body), int64(len(body)))
			resp.StatusCode = http.StatusBadRequest
			return resp, nil
		}))
		err := engine.Do(t.Context(), v, engine.Request{Method: "POST", Path: "/x", Secrets: true}, nil)
		if e, ok := errors.AsType[*Error](err); !ok || e.Body != nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}
