package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	dir, err := os.MkdirTemp("", "scenario-")
	if err != nil {
		return nil, err
	}
	for _, e := range names {
		if _, err := v202503.Webhooks(p.Client).Ensure(ctx, public+"/hooks", e.Name); err != nil {
			return nil, err
		}
	}
	o := options{
		baseURL: p.URL, storeID: int64(p.StoreID), database: filepath.Join(dir, "mirror.db"), listen: "127.0.0.1:0",
		token: p.Token, secret: p.Secret, wait: -1,
	}
	return scenariotest.Served(ctx, listening, func(ctx context.Context, out io.Writer) error { return receive(ctx, o, out) })
}

// The scenarios about webhooks have one report in Go and by the command.
func TestScenarios(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // also of the program
	scenariotest.Compare(t, scenariotest.Case{App: scenarioApp, Passed: "webhook-outage"})
}
