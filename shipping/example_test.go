package shipping_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
)

const body = `{"store_id":123456,"currency":"ARS","language":"es","origin":{"postal_code":"1602","country":"AR"},
 "destination":{"postal_code":"2000","country":"AR"},"items":[{"id":1,"quantity":3,"grams":400,"dimensions":{"width":12.0,"height":10.0,"depth":10.0}}],
 "carrier":{"id":"1234567","name":"C","options":[{"id":"9","name":"Standard","code":"standard"}]}}`

// A carrier that takes 10.00 per kilogram, within one country.
func perKilogram(_ context.Context, q shipping.Quote) ([]shipping.Rate, error) {
	if q.Destination.Country != q.Origin.Country {
		return nil, shipping.ErrNoCoverage
	}
	kilograms := (q.Grams() + 999) / 1000
	rate, err := shipping.DoorRate(shipping.Offer{Code: "standard", Name: "Standard", Price: client.Cents(kilograms * 1000), Currency: "ARS"})
	return []shipping.Rate{rate}, err
}

func ExampleHandler() {
	const token = "4fQ0zT7sVb2nXk91" // a secret of yours
	rates := &shipping.Handler{Rates: perKilogram, Access: shipping.Access{PathTokens: []client.Secret{token}}}
	if err := rates.Check(); err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/rates/", rates)

	// The platform asks.
	for _, request := range []string{body, strings.Replace(body, `"2000","country":"AR"`, `"11000","country":"UY"`, 1)} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/rates/"+token, strings.NewReader(request)))
		fmt.Printf("%d %.60s\n", w.Code, w.Body) // the first 60 characters
	}
	// Output:
	// 200 {"rates":[{"name":"Standard","code":"standard","price":20.00
	// 422 {"error":"no_coverage"}
}

func ExamplePickupRate() {
	rate, err := shipping.PickupRate(shipping.Offer{
		Code: "branch", Name: "Branch", Price: client.MustMoney("8.50"), Currency: "ARS",
		MinDelivery: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC),
	}, shipping.Point{
		Address: shipping.Address{Address: "Mitre", Number: "25", City: "Rosario", Country: "AR"},
		Hours:   []shipping.Hours{{Day: time.Saturday, Start: "2000", End: "0200"}}, // over midnight
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.Marshal(rate)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, hours, _ := strings.Cut(string(text), `"hours":`)
	fmt.Println(hours)
	// Output:
	// [{"day":6,"start":"2000","end":"2359"},{"day":0,"start":"0000","end":"0200"}],"availability":true}
}

func ExampleDoorRate() {
	_, err := shipping.DoorRate(shipping.Offer{Code: "standard", Name: "Standard", Price: client.MustMoney("14.15"), Currency: "ars"})
	fmt.Println(err)
	// Output:
	// currency: "ars": must be an ISO 4217 code: validation
}

// A function is tried out without a handler.
func ExampleRequest_Quote() {
	request, err := shipping.ReadRequest([]byte(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	rates, err := perKilogram(context.Background(), request.Quote())
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := request.Encode(rates)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shipping.Validate(request, answer))
	// Output:
	// <nil>
}

// Two requests with the same key get the same answer from the platform's cache.
func ExampleRequest_Key() {
	one, err := shipping.ReadRequest([]byte(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	same, err := shipping.ReadRequest([]byte(strings.Replace(body, `"language":"es"`, `"language":"pt","total_price":99`, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	other, err := shipping.ReadRequest([]byte(strings.Replace(body, `"quantity":3`, `"quantity":4`, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(one.Key() == same.Key(), one.Key() == other.Key())
	// Output:
	// true false
}

func ExampleHandler_Health() {
	rates := &shipping.Handler{
		Rates: perKilogram, Access: shipping.Access{Guarded: true},
		OnHealthChanged: func(_ context.Context, now shipping.Health) { fmt.Println("health:", now.State) },
	}
	for range 250 {
		rates.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/rates", strings.NewReader(body)))
	}
	h := rates.Health()
	fmt.Println(h.State, h.Failures, "of", h.Requests)
	// Output:
	// healthy 0 of 250
}

func ExampleLabelHandler() {
	labels := &shipping.LabelHandler{
		Access: shipping.Access{Guarded: true},
		Generate: func(_ context.Context, labels []shipping.Label) ([]shipping.LabelFailure, error) {
			for _, l := range labels {
				fmt.Println("queued", l.ID) // make it later, and tell the platform with LabelService.Update
			}
			return nil, nil
		},
	}
	w := httptest.NewRecorder()
	labels.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/labels/generate",
		strings.NewReader(`[{"id":"01JEXAMP1E0000000000000AB1","status":"STARTED","fulfillment_order_info":{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}}]`)))
	fmt.Println(w.Code)
	// Output:
	// queued 01JEXAMP1E0000000000000AB1
	// 202
}
