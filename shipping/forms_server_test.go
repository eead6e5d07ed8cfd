package shipping_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/shipping"
)

// A carrier reads each form in which the platform may ask.
func TestFormsOfRateRequests(t *testing.T) {
	for _, tc := range []struct {
		rules          clienttest.ShippingRules
		carrier, plain bool // it is there, and its cost is a number alone
	}{
		{clienttest.ShippingRules{}, true, false},
		{clienttest.ShippingRules{PlainCost: true}, true, true},
		{clienttest.ShippingRules{NoCarrier: true}, false, false},
		{clienttest.ShippingRules{NoCarrier: true, PlainCost: true}, false, false},
	} {
		t.Run(fmt.Sprintf("%+v", tc.rules), func(t *testing.T) {
			srv := clienttest.New(t)
			id, err := srv.Seed(t.Context(), "/shipping_carriers", map[string]any{"name": "Post", "callback_url": "https://post.example/rates", "types": "ship"})
			if err != nil {
				t.Fatal(err)
			}
			option := map[string]any{"code": "standard", "name": "Standard", "additional_cost": 1.5}
			if _, err := srv.Seed(t.Context(), fmt.Sprintf("/shipping_carriers/%s/options", id), option); err != nil {
				t.Fatal(err)
			}
			var seen *shipping.Request
			handler := &shipping.Handler{
				Access: shipping.Access{Guarded: true},
				Rates: func(context.Context, shipping.Quote) ([]shipping.Rate, error) {
					r, err := shipping.DoorRate(shipping.Offer{Name: "Two days", Code: "standard", Price: client.Cents(1415), Currency: "ARS"})
					return []shipping.Rate{r}, err
				},
			}
			post := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				var loose struct {
					Carrier *struct {
						Options []struct {
							Cost json.RawMessage `json:"additional_cost"`
						} `json:"options"`
					} `json:"carrier"`
				}
				if err := json.Unmarshal(raw, &loose); err != nil || (loose.Carrier != nil) != tc.carrier {
					t.Errorf("sent %s, %v, want a carrier: %v", raw, err, tc.carrier)
				}
				if loose.Carrier != nil && (loose.Carrier.Options[0].Cost[0] != '{') != tc.plain {
					t.Errorf("additional_cost %s, want a number alone: %v", loose.Carrier.Options[0].Cost, tc.plain)
				}
				if seen, err = shipping.ReadRequest(raw); err != nil {
					t.Error(err)
				}
				r.Body = io.NopCloser(bytes.NewReader(raw))
				handler.ServeHTTP(w, r)
			})
			if err := srv.Partner("https://post.example", post); err != nil {
				t.Fatal(err)
			}
			srv.SetShippingRules(tc.rules)
			q, err := srv.Quote(t.Context(), clienttest.Parcel{
				To:    clienttest.ShippingAddress{Country: "AR", PostalCode: "1602"},
				Items: []clienttest.ParcelItem{{ID: 1, ProductID: 2, Name: "Mug", Quantity: 1, Grams: 300, Price: client.Cents(2000), Width: "12"}},
			})
			if err != nil || len(q.Options) != 1 || q.Options[0].Price.String() != "15.65" {
				t.Fatalf("got %+v, %v, want the rate with the merchant's cost", q, err)
			}
			if tc.carrier && (seen.Carrier.ID != client.Code(id.String()) || seen.Carrier.Options[0].AdditionalCost.Amount != "1.50" || seen.Carrier.Options[0].AdditionalCost.Currency != "ARS") {
				t.Errorf("read %+v", seen.Carrier)
			}
		})
	}
}
