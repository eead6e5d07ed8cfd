package clienttest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	v1 "github.com/commerceplatform/commerce-go/client/v1"
)

// Charge stands in for the shop, the buyer and the payment, so that a test begins
// where the chargeback does.
func ExampleServer_Charge() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		fmt.Println(err)
		return
	}
	amount := map[string]any{"value": charge.Amount, "currency": charge.Currency}
	var dispute struct {
		ID string `json:"id"`
	}
	err = srv.Client().Do(ctx, client.Request{
		Method: http.MethodPost, Version: client.VersionV1,
		Path: "/orders/{order_id}/transactions/{transaction_id}/disputes", Args: []any{charge.OrderID, charge.TransactionID},
		Body: map[string]any{
			"reason_code": "fraudulent_activity", "external_reason_code": "10.4", "amount": amount, "retained_total": amount,
			"initiated_at": "2024-12-02T12:30:15Z",
		},
	}, &dispute)
	fmt.Println(charge.Amount, charge.Currency, len(dispute.ID), err)
	// Output:
	// 25.50 ARS 24 <nil>
}

func TestChargesArePaidOrders(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	seen := map[string]bool{}
	for _, amount := range []string{"0.01", "25.5", "1000000.00"} {
		charge, err := srv.Charge(client.MustMoney(amount))
		if err != nil {
			t.Fatal(err)
		}
		order, err := v1.Orders(c).Get(t.Context(), charge.OrderID)
		if err != nil {
			t.Fatal(err)
		}
		if order.PaymentStatus != "paid" || !order.Total.Equal(charge.Amount) || order.Currency != charge.Currency {
			t.Errorf("order of %s: %s, %s %s", amount, order.PaymentStatus, order.Total, order.Currency)
		}
		if seen[charge.TransactionID.String()] {
			t.Errorf("transaction %s twice", charge.TransactionID)
		}
		seen[charge.TransactionID.String()] = true
	}
	for _, amount := range []string{"0.00", "-1.00", "1.005"} {
		if _, err := srv.Charge(client.MustMoney(amount)); err == nil || !strings.Contains(err.Error(), "amount must be above 0") {
			t.Errorf("a charge of %s: %v", amount, err)
		}
	}
	var providers []map[string]any
	if err := srv.Client().Do(t.Context(), client.Request{Path: "/payment_providers"}, &providers); err != nil || len(providers) != 1 {
		t.Errorf("%d payment providers, %v; want one for all charges", len(providers), err)
	}
}
