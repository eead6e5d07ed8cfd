package unstable_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestOrdersAreEdited(t *testing.T) {
	var asked []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"id":7,"auto_partial_refund_status":"skipped","newer":1}`)), Request: r}, err
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := unstable.Orders(c).Edit(t.Context(), 7, client.OrderEdit{Products: []client.OrderEditProduct{{LineItemID: 111}}, NotifyCustomer: true, Reason: "sold out"})
	if err != nil || edited.ID != 7 || edited.AutoPartialRefundStatus != client.RefundSkipped || string(edited.Extra["newer"]) != "1" {
		t.Errorf("got %+v, %v", edited, err)
	}
	if _, err := unstable.Orders(c).Edit(t.Context(), 7, client.OrderEdit{}); !errors.Is(err, client.ErrValidation) {
		t.Errorf("an edit of nothing: %v", err)
	}
	want := `POST /unstable/123/orders/7/edit {"products":[{"line_item_id":111,"quantity":0,"modify_stock":false}],"skip_shipping_requote":false,"auto_partial_refund":false,"notify_customer":true,"reason":"sold out"}`
	if got := strings.Join(asked, "\n"); got != want {
		t.Errorf("asked %s\nwant  %s", got, want)
	}
}
