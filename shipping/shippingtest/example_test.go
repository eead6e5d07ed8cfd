package shippingtest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/shipping/shippingtest"
)

// carrier takes a price per kilogram.
func carrier(perKilogram int64, token client.Secret) http.Handler {
	rates := func(_ context.Context, q shipping.Quote) ([]shipping.Rate, error) {
		rate, err := shipping.DoorRate(shipping.Offer{
			Code: "standard", Name: "Standard", Price: client.Cents((q.Grams() + 999) / 1000 * perKilogram), Currency: "ARS",
		})
		return []shipping.Rate{rate}, err
	}
	labels := func(_ context.Context, labels []shipping.Label) ([]shipping.LabelFailure, error) { return nil, nil }
	mux := http.NewServeMux()
	mux.Handle("/rates/", &shipping.Handler{Rates: rates, Access: shipping.Access{PathTokens: []client.Secret{token}}})
	mux.Handle("/labels/", &shipping.LabelHandler{Generate: labels, Access: shipping.Access{Guarded: true}})
	return mux
}

// request is one for rates of a weight, to a customer, who is not recorded.
func request(grams int) string {
	return fmt.Sprintf(`{"cart_id":"7","store_id":123456,"currency":"ARS","language":"es","origin":{"postal_code":"1602","country":"AR"},`+
		`"destination":{"name":"Ana Souza","address":"San Martín","number":"1830","postal_code":"2000","country":"AR"},"items":[{"id":1,"quantity":1,`+
		`"grams":%d,"dimensions":{"width":12.0,"height":10.0,"depth":10.0}}],"carrier":{"id":"9","name":"C","options":[]}}`, grams)
}

const token, other = "4fQ0zT7sVb2nXk91", "9kW3mR6uPd8yHj24" // secrets of two installations

// After the change of a tariff, the quotes that changed are shown, and no others. The recording has not the token, so
// what stands in its place is mapped to the token of the handler.
func ExampleReplay() {
	var file bytes.Buffer
	recorder := &shippingtest.Recorder{Handler: carrier(1000, token), Out: &file}
	for _, grams := range []int{0, 1500} {
		r := httptest.NewRequest(http.MethodPost, "/rates/"+token, strings.NewReader(request(grams)))
		recorder.ServeHTTP(httptest.NewRecorder(), r)
	}
	fmt.Println(strings.Contains(file.String(), "Ana"), strings.Contains(file.String(), token), recorder.Err())
	_, after, _ := strings.Cut(file.String(), `"target":"/rates/`)
	recorded, _, _ := strings.Cut(after, `"`)

	to := shippingtest.Sender{Handler: carrier(1200, other), Map: map[string]string{recorded: other}}
	err := shippingtest.Replay(context.Background(), &file, to, func(r shippingtest.Result) error {
		fmt.Println(r.Record.Operation, r.Status, r.Changes)
		return nil
	})
	fmt.Println(err)
	// Output:
	// false false <nil>
	// rates 200 []
	// rates 200 [ship rate standard: 24 ARS, was 20 ARS]
	// <nil>
}
