package v1_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestOrdersArePackedAndFulfilled(t *testing.T) {
	var asked []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"id":7,"shipping_status":"shipped"}`)), Request: r}, err
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	if o, err := v1.Orders(c).Pack(t.Context(), 7); err != nil || o.ID != 7 {
		t.Errorf("Pack: %+v, %v", o, err)
	}
	in := v1.OrderFulfill{ShippingTrackingNumber: "BR1", ShippingTrackingURL: "https://t.example/BR1", NotifyCustomer: client.Set(false)}
	if o, err := v1.Orders(c).Fulfill(t.Context(), 7, in); err != nil || o.ShippingStatus.Common() != client.ShippingStatusFulfilled {
		t.Errorf("Fulfill: %+v, %v", o, err)
	}
	want := "POST /v1/123/orders/7/pack {}\nPOST /v1/123/orders/7/fulfill " +
		`{"shipping_tracking_number":"BR1","shipping_tracking_url":"https://t.example/BR1","notify_customer":false}`
	if got := strings.Join(asked, "\n"); got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
}
