package clienttest_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// The app charges the store; that the merchant pays is up to the platform.
func ExampleServer_PayCharge() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	var charge struct {
		ID uuid.UUID `json:"id"`
	}
	err = srv.Client().Do(ctx, client.Request{
		Method: http.MethodPost, Path: "/services/{service_id}/charges", Args: []any{srv.App().ID},
		Body: map[string]any{
			"description": "Extra seats", "concept_code": "app-cost", "from_date": "2025-01-01", "to_date": "2025-01-31",
			"amount_value": client.Cents(1250), "amount_currency": "ARS",
		},
	}, &charge)
	fmt.Println(err, srv.FailCharge(charge.ID), srv.PayCharge(charge.ID))
	fmt.Println(srv.PayCharge(charge.ID) != nil)
	// Output:
	// <nil> <nil> <nil>
	// true
}
