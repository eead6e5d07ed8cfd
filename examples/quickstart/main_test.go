package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

func TestMain(m *testing.M) {
	proctest.Main(map[string]func() error{scenariotest.Role: scenariotest.Program(scenarioApp)})
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), "", &out); err != nil {
		t.Fatal(err)
	}
	steps := strings.Split(out.String(), "\n")
	if len(steps) != 5 {
		t.Fatalf("printed\n%s", &out)
	}
	for i, want := range []string{
		"1. The app is installed in store 1001.", "2. The store has 12 products, such as ", " for 30.00.",
		"signature was verified.",
	} {
		if !strings.Contains(steps[i], want) {
			t.Errorf("step %d is %q, want %q", i+1, steps[i], want)
		}
	}
}

// A webhook whose signature is wrong does not reach the handler, and the API does not know a store without an
// installation.
func TestNobodyElse(t *testing.T) {
	const site = "https://app.example"
	a, err := newApp(oauth.App{ID: 1, Secret: "5f2b1c9a7d3e4f60"}, "https://api.example.com", site, site+"/webhooks")
	if err != nil {
		t.Fatal(err)
	}
	body := webhooktest.Body(1001, "product/created", map[string]any{"id": 42})
	r, w := httptest.NewRequest(http.MethodPost, "/webhooks", bytes.NewReader(body)), httptest.NewRecorder()
	r.Header.Set("Content-Type", "application/json")
	a.ServeHTTP(w, r)
	if w.Code != http.StatusUnauthorized || len(a.created) > 0 {
		t.Errorf("a forged webhook: status %d, %d handled", w.Code, len(a.created))
	}
	if _, err := a.create(t.Context(), 1001); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("got %v, want ErrNotInstalled", err)
	}
}
