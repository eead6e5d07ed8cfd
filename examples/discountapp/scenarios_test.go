package main

import (
	"context"
	"net/http"
	"net/netip"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/scenariotest"
)

// scenarioApp is the app in the store of a scenario.
func scenarioApp(ctx context.Context, p scenariotest.Platform) (http.Handler, error) {
	if _, err := stock(ctx, p.Client); err != nil {
		return nil, err
	}
	a, err := newApp(p.Client, p.StoreID, newOffers(), netip.MustParsePrefix("127.0.0.0/8"))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, a.close)
	return a.carts, a.install(ctx, language, address+"/carts")
}

// The scenarios about discounts have one report in Go and by the command.
func TestScenarios(t *testing.T) {
	scenariotest.Compare(t, scenariotest.Case{
		App: scenarioApp, Passed: "commands coupon-race discount late-partner",
		Scenarios: clienttest.Scenarios{Set: map[string]string{"sku": "MATE-CAL"}},
	})
}
