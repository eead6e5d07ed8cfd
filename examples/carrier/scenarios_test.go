package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	a, err := newApp(p.Client)
	if err != nil {
		return nil, err
	}
	return a.handler(), a.install(ctx, address)
}

// The scenarios about rates have one report in Go and by the command.
func TestScenarios(t *testing.T) {
	scenariotest.Compare(t, scenariotest.Case{App: scenarioApp, Origin: address, Passed: "rates"})
}
