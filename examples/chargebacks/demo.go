package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/payments"
)

const openDispute = "POST /orders/{order_id}/transactions/{transaction_id}/disputes"

// demonstrate imports the file twice into a store of the reference server.
func demonstrate(ctx context.Context, o options, out io.Writer) (err error) {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		return err
	}
	defer srv.Close()
	dir, err := os.MkdirTemp("", "chargebacks")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	api := v1.New(srv.Client())
	if err := sell(ctx, srv.Client(), api, 4); err != nil {
		return err
	}
	// The connection breaks after the fourth dispute was opened, before the answer came.
	if err := srv.Fault(clienttest.Fault{Operation: openDispute, Skip: 3, Count: 1, Reset: true, After: true}); err != nil {
		return err
	}
	for _, title := range []string{"The file for the first time", "\nThe same file again"} {
		fmt.Fprintf(out, "%s: %s\n", title, o.csv)
		sent := writes(srv)
		if _, err := importFile(ctx, api, o.csv, filepath.Join(dir, "journal"), out); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d requests that write\n", writes(srv)-sent)
	}
	return nil
}

// writes counts the requests about disputes that are no reads.
func writes(srv *clienttest.Server) int {
	n := 0
	for _, r := range srv.Requests() {
		if r.Method != http.MethodGet && strings.Contains(r.Operation, "/disputes") {
			n++
		}
	}
	return n
}

// sell makes orders, numbered from 100, that were paid by PAY-1, PAY-2 and so on.
func sell(ctx context.Context, c *client.Client, api *v1.API, n int) error {
	mug, err := api.Products.Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(12000)), Stock: client.Set(client.StockUnlimited)}},
	})
	if err != nil {
		return err
	}
	provider, err := describeProvider(ctx, c)
	if err != nil {
		return err
	}
	for i := range n {
		order, err := api.Orders.Create(ctx, client.OrderInput{
			Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
			Products: []client.OrderProductInput{{VariantID: mug.Variants[0].ID, Quantity: 1}},
		})
		if err != nil {
			return err
		}
		paid := payments.Amount{Value: order.Total, Currency: order.Currency}
		_, err = api.Transactions.Create(ctx, order.ID, payments.TransactionInput{
			PaymentProviderID: provider,
			PaymentMethod:     payments.PaymentMethodInput{Type: payments.MethodTypeCreditCard, ID: "visa"},
			FirstEvent:        payments.EventInput{Amount: paid, Type: payments.EventTypeSale, Status: payments.EventSuccess, AuthorizationCode: "A1"},
			Info:              payments.InfoInput{ExternalID: fmt.Sprintf("PAY-%d", i+1), Installments: client.Set(payments.InstallmentsInput{Quantity: 1})},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// describeProvider tells the platform about the app's payment provider.
func describeProvider(ctx context.Context, c *client.Client) (uuid.UUID, error) {
	var provider struct {
		ID uuid.UUID `json:"id"`
	}
	err := c.Do(ctx, client.Request{Method: http.MethodPost, Path: "/payment_providers", Body: map[string]any{
		"name": "Cards", "description": "Cards", "checkout_js_url": "https://app.example/checkout.js",
		"logo_urls":                 map[string]string{"400x120": "https://app.example/wide.png", "160x100": "https://app.example/small.png"},
		"supported_currencies":      []string{"ARS"},
		"supported_payment_methods": []any{map[string]any{"payment_method_type": payments.MethodTypeCreditCard, "payment_methods": []string{"visa"}}},
		"checkout_payment_options": []any{map[string]any{
			"id": "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", "name": "Cards", "integration_type": "transparent",
			"supported_billing_countries": []string{"AR"}, "supported_payment_method_types": []payments.MethodType{payments.MethodTypeCreditCard},
		}},
	}}, &provider)
	return provider.ID, err
}
