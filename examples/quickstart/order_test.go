package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// addProvider makes a payment provider, as the app does when it is set up in a store.
func addProvider(t *testing.T, srv *clienttest.Server, token string) {
	t.Helper()
	c, err := client.New(client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(client.Secret(token)), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: srv.Transport()},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v202503.PaymentProviders(c).Create(t.Context(), cash("ARS", "AR")); err != nil {
		t.Fatal(err)
	}
}

func TestOrderAtRealPlatform(t *testing.T) {
	const shipped = "shipping fulfilled, total 117.40"
	tests := []struct {
		name     string
		scopes   []string // all without any
		provider bool
		args     []string
		fault    clienttest.Fault
		status   int
		lines    []string
	}{
		{"paid", nil, true, []string{"-order"}, clienttest.Fault{}, exitEqual, []string{" ok paid:    open, payment paid", " ok shipped: open, payment paid, " + shipped}},
		{"no provider", nil, false, []string{"-order"}, clienttest.Fault{}, exitEqual, []string{"not paid: the app has no payment provider", " ok shipped: open, payment pending, " + shipped}},
		{"no payment app", []string{"write_products", "write_orders"}, false, []string{"-order"}, clienttest.Fault{}, exitEqual, []string{"not paid: the app is no payment app", " ok shipped: open, payment pending, " + shipped}},
		{"no right to orders", []string{"write_products"}, false, []string{"-order"}, clienttest.Fault{}, exitFailed, []string{"step 8, take an order", "403"}},
		{"not asked for", nil, true, nil, clienttest.Fault{}, exitEqual, []string{"skipped: -order creates an order"}},
		{"packing refused", nil, true, []string{"-order"}, clienttest.Fault{Operation: "PATCH /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}", Status: http.StatusUnprocessableEntity}, exitFailed, []string{" ok paid:", "step 8, take an order"}},
		{"payment not seen", nil, true, []string{"-order"}, clienttest.Fault{Operation: "GET /orders/{id}", Skip: 1, Count: 1, Status: http.StatusOK, Body: `{"id":1,"status":"open","payment_status":"pending","shipping_status":"unpacked","total":"117.40","currency":"ARS"}`}, exitDiffers, []string{" NO paid:", `payment_status: is "pending", must be "paid"`, `total_paid: is "0.00", must be "117.40"`}},
		{"fulfillment orders late", nil, true, []string{"-order"}, clienttest.Fault{Operation: "GET /orders/{order_id}/fulfillment-orders", Count: 1, Status: http.StatusOK, Body: "[]"}, exitEqual, []string{" ok shipped:"}},
		{"no fulfillment orders", nil, true, []string{"-order", "-wait", "1ms"}, clienttest.Fault{Operation: "GET /orders/{order_id}/fulfillment-orders", Status: http.StatusOK, Body: "[]"}, exitFailed, []string{"has no fulfillment orders after 1ms"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, env := real(t, clienttest.Options{RealTime: true})
			if tt.provider {
				addProvider(t, srv, env["COMMERCE_TOKEN"])
			}
			if len(tt.scopes) > 0 {
				token, err := srv.Install(tt.scopes...)
				if err != nil {
					t.Fatal(err)
				}
				env["COMMERCE_TOKEN"] = string(token)
			}
			if tt.fault.Operation != "" {
				if err := srv.Fault(tt.fault); err != nil {
					t.Fatal(err)
				}
			}
			play(t, env, append(tt.args, "-csv", csvFile(t, small))...).check(t, tt.status, tt.lines...)
			checkRequests(t, srv, slices.Contains(tt.args, "-order"))
		})
	}
}

// checkRequests checks that the platform reads all that is sent, and that orders are made only on demand.
func checkRequests(t *testing.T, srv *clienttest.Server, order bool) {
	t.Helper()
	asked := false
	for _, r := range srv.Requests() {
		asked = asked || r.Operation == "POST /orders"
		if len(r.Unread) > 0 {
			t.Errorf("%s %s: the platform does not read %v", r.Method, r.Path, r.Unread)
		}
	}
	if asked != order {
		t.Errorf("an order was asked for: %t, want %t", asked, order)
	}
}

// One status of a fulfillment order is not another, and what does not come is missed.
func TestInboxMissesStatus(t *testing.T) {
	const id = "01HZX3V5J8Q2W4R6T8Y0A1B2C3"
	b := newInbox()
	b.expect(webhook.OrderPaid, 7)
	b.want(statusFact(id, "PACKED"))
	b.want(statusFact(id, "DISPATCHED"))
	b.mu.Lock()
	b.count(statusFact(id, "PACKED"))
	b.mu.Unlock()
	missing := strings.Join(b.await(t.Context(), time.Millisecond), ", ")
	if want := "fulfillment_order/status_updated " + id + " DISPATCHED, order/paid 7"; missing != want {
		t.Errorf("missing %q, want %q", missing, want)
	}
	if seen, expected := b.of(webhook.FulfillmentOrderStatusUpdated.Name); seen != 1 || expected != 2 {
		t.Errorf("%d seen, %d expected, want 1 and 2", seen, expected)
	}
}
