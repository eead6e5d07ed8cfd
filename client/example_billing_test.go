package client_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// Plans belong to the app and not to a store, so the client secret is used in place of a token.
func ExampleNewApp() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	app, err := client.NewApp(client.AppConfig{ID: srv.App().ID, Secret: srv.App().Secret, Config: client.Config{
		BaseURL: srv.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: srv.Transport()},
	}})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	plans := v202503.Plans(app)
	pro, err := plans.Create(ctx, client.PlanInput{Code: "pro", ExternalReference: client.Set("pro-1")})
	if err != nil {
		log.Fatal(err)
	}
	pro, err = plans.Update(ctx, "pro-1", client.PlanInput{Description: client.Set("All there is")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pro.Code, *pro.Description, "- default:", pro.Default)
	fmt.Println(plans.Delete(ctx, string(pro.ID)))
	// Output:
	// pro All there is - default: true
	// DELETE /apps/{app_id}/plans/{plan_id}: 400 Bad Request: Could not delete a default plan (request 3)
}

// A store pays for the app each month by its subscription, and once by a charge.
func ExampleChargeService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	app := srv.App().ID
	ctx := context.Background()

	_, err = v202503.AppSubscriptions(c).Get(ctx, "app-cost", app) // the app has no plan yet
	fmt.Println(err)
	charge, err := v202503.Charges(c).Create(ctx, app, client.ChargeInput{
		Description: "Extra seats", ConceptCode: "app-cost",
		FromDate: client.At(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)), ToDate: client.At(time.Date(2025, 1, 31, 0, 0, 0, 0, time.UTC)),
		AmountValue: client.MoneyNumber{Money: client.Cents(1250)}, AmountCurrency: "ARS",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(charge.AmountValue, charge.AmountCurrency, charge.Description)
	// Output:
	// GET /concepts/{concept_code}/services/{service_id}/subscriptions: 404 Not Found (request 1)
	// 12.50 ARS Extra seats
}
