package disputes_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/disputes"
)

const currency = "ARS" // of the reference server's store

var (
	day    = client.At(at("2025-01-05T10:00:00Z"))
	lawful = disputes.Input{
		Reason: disputes.ReasonFraudulentActivity, ExternalReason: "10.4", InitiatedAt: client.At(at("2024-12-02T12:30:15Z")),
		Amount: money("25.50"), RetainedTotal: money("10.00"),
	}
)

func money(value string) disputes.Amount {
	return disputes.Amount{Value: client.MustMoney(value), Currency: currency}
}

// desk is a payment app on a reference server.
type desk struct {
	srv    *clienttest.Server
	core   *client.Client
	client *client.Client

	provider uuid.UUID
	variant  client.ID
}

// open describes the app's payment provider and adds a product to sell.
func open(ctx context.Context, srv *clienttest.Server) (*desk, error) {
	c := srv.Client()
	d := &desk{srv: srv, core: c, client: c}
	var provider struct {
		ID uuid.UUID `json:"id"`
	}
	err := c.Do(ctx, client.Request{Method: http.MethodPost, Path: "/payment_providers", Body: map[string]any{
		"name": "Cards", "description": "Cards", "checkout_js_url": "https://app.example/checkout.js",
		"logo_urls":                 map[string]string{"400x120": "https://app.example/wide.png", "160x100": "https://app.example/small.png"},
		"supported_currencies":      []string{currency},
		"supported_payment_methods": []any{map[string]any{"payment_method_type": "credit_card", "payment_methods": []string{"visa"}}},
		"checkout_payment_options": []any{map[string]any{
			"id": "8c6b1f0e-0c0f-4ac5-9d8c-6f5a3a1a7c11", "name": "Cards", "integration_type": "transparent",
			"supported_billing_countries": []string{"AR"}, "supported_payment_method_types": []string{"credit_card"},
		}},
	}}, &provider)
	if err != nil {
		return nil, err
	}
	d.provider = provider.ID
	mug, err := v1.Products(d.client).Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Mug"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(2550)), Stock: client.Set(client.StockUnlimited)}},
	})
	if err == nil {
		d.variant = mug.Variants[0].ID
	}
	return d, err
}

// sell makes an order that was paid by card.
func (d *desk) sell(ctx context.Context) (client.ID, uuid.UUID, error) {
	order, err := v1.Orders(d.client).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: d.variant, Quantity: 1}},
	})
	if err != nil {
		return 0, uuid.Nil, err
	}
	var tx struct {
		ID uuid.UUID `json:"id"`
	}
	err = d.core.Do(ctx, client.Request{Version: client.VersionV1, Method: http.MethodPost, Path: "/orders/{order_id}/transactions", Args: []any{order.ID}, Body: map[string]any{
		"payment_provider_id": d.provider,
		"payment_method":      map[string]string{"type": "credit_card", "id": "visa"},
		"first_event": map[string]any{
			"amount": map[string]any{"value": order.Total, "currency": order.Currency}, "type": "sale", "status": "success", "authorization_code": "A1",
		},
		"info": map[string]any{"external_id": "ext-" + order.ID.String(), "installments": map[string]any{"quantity": 1}},
	}}, &tx)
	return order.ID, tx.ID, err
}

// newDesk is a desk with a sale, for tests.
func newDesk(t *testing.T) (*desk, client.ID, uuid.UUID) {
	t.Helper()
	d, err := open(t.Context(), clienttest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	order, tx, err := d.sell(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d, order, tx
}
