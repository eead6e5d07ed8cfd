package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
	"github.com/commerceplatform/commerce-go/oauth"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	of := oauth.App{ID: p.AppID, Secret: p.Secret, AuthURL: p.AuthURL, Name: "Quickstart"}
	return newApp(of, p.URL, proctest.Origin, proctest.Origin+"/webhooks")
}

// The scenarios about installations and webhooks have one report in Go and by the command. The app
// has no webhook for app/uninstalled.
func TestScenarios(t *testing.T) {
	const callback = proctest.Origin + "/oauth/callback"
	scenariotest.Compare(t, scenariotest.Case{
		App: scenarioApp, Passed: "install webhook-outage", Failed: "reinstall",
		Scenarios: clienttest.Scenarios{RedirectURL: callback, Begin: callback},
	})
}
