package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	dir, err := os.MkdirTemp("", "scenario-")
	if err != nil {
		return nil, err
	}
	args := fmt.Sprintf("-base-url %s -auth-url %s -app-id %d -public-url %s -database %s -listen 127.0.0.1:0 -carts-from 127.0.0.1",
		p.URL, p.AuthURL, p.AppID, public, filepath.Join(dir, "app.db"))
	secrets := map[string]string{"COMMERCE_APP_SECRET": string(p.Secret), "COMMERCE_TOKEN_KEYS": testKey}
	o, err := readOptions(strings.Fields(args), func(name string) string { return secrets[name] })
	if err != nil {
		return nil, err
	}
	o.wait = testWait
	if _, err := v202503.Products(p.Client).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Bell"}, Tags: client.Set("gift"),
		Variants: []client.VariantInput{{SKU: client.Set("BELL"), Price: client.Set(client.Cents(500)), Stock: client.Set(client.StockUnlimited)}},
	}); err != nil {
		return nil, err
	}
	return scenariotest.Served(ctx, "listening at ", func(ctx context.Context, out io.Writer) error { return serve(ctx, o, out) })
}

// The scenarios about its parts have one report in Go and by the command.
func TestScenarios(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())                                                 // also of the program
	fits := []string{"commands", "install", "rates", "reinstall", "webhook-outage"} // others require discounts of one product
	const callback = public + "/oauth/callback"
	scenariotest.Compare(t, scenariotest.Case{
		App: scenarioApp, Passed: strings.Join(fits, " "),
		Scenarios: clienttest.Scenarios{
			Names: fits, RedirectURL: callback, Begin: callback, Protection: public + "/hooks", Set: map[string]string{"sku": "BELL"},
		},
	})
}
