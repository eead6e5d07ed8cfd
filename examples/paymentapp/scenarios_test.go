package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
	"github.com/commerceplatform/commerce-go/payments"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	a, err := newApp(p.Client, payments.Callback{Keys: p.PaymentKeys, Origin: origin})
	if err != nil {
		return nil, err
	}
	return a.routes, a.install(ctx)
}

// The scenarios about payments have one report in Go and by the command. The app captures a payment when the goods
// leave, so an earlier refund is refused.
func TestScenarios(t *testing.T) {
	scenariotest.Compare(t, scenariotest.Case{
		App: scenarioApp, Origin: origin, Passed: "chargeback", Failed: "partial-refund",
		Scenarios: clienttest.Scenarios{Set: map[string]string{"payments": origin}},
	})
}
