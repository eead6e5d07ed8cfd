package clienttest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A carrier that answers late, by the server's clock: nobody waits for it, and it is a failure.
func ExampleSpend() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	takes := 4 * time.Second
	post := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if clienttest.Spend(r.Context(), takes) == nil {
			_, _ = io.WriteString(w, `{"rates":[{"name":"Two days","code":"standard","price":14.15,"currency":"ARS","type":"ship"}]}`)
		}
	})
	if err := srv.Partner("https://post.example", post); err != nil {
		log.Fatal(err)
	}
	carrier, err := addCarrier(ctx, srv, nil)
	if err != nil {
		log.Fatal(err)
	}
	srv.SetShippingRules(clienttest.ShippingRules{Delay: 500 * time.Millisecond}) // on the network
	for i := range 2 {
		if _, err := srv.Quote(ctx, mug(i)); err != nil {
			log.Fatal(err)
		}
		takes += time.Second
	}
	for _, call := range srv.RateCalls() {
		fmt.Println(call.Status, call.Late, call.Duration, call.Counts)
	}
	health := srv.CarrierHealth(carrier)
	fmt.Println(health.Failures, "of", health.Requests, "failed: the circuit is", health.Circuit)
	// Output:
	// 200 false 4.5s success
	// 0 true 5s failure
	// 1 of 2 failed: the circuit is closed
}

// The merchant asks for a label, wants it suspended and back again, and cancels it.
func ExampleServer_RequestLabels() {
	srv, err := clienttest.Start(clienttest.Options{Features: []string{client.FeatureFulfillmentLabels}})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	post := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // shipping.LabelHandler in an app
		fmt.Println("asked for", r.URL.Path)
		w.WriteHeader(http.StatusAccepted)
	})
	if err := srv.Partner("https://post.example", post); err != nil {
		log.Fatal(err)
	}
	carrier, err := addCarrier(ctx, srv, fields{"callback_labels_url": "https://post.example/labels"})
	if err != nil {
		log.Fatal(err)
	}
	calls, err := srv.RequestLabels(ctx, parcelOf(ctx, srv, carrier))
	if err != nil {
		log.Fatal(err)
	}
	label := calls[0].Labels[0]
	fmt.Println(label.Status)
	for _, ask := range []func(context.Context, ...ulid.ULID) ([]clienttest.LabelCall, error){
		srv.SuspendLabels, srv.ReactivateLabels, srv.CancelLabels,
	} {
		if calls, err = ask(ctx, label.LabelID); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(calls[0].Labels[0].Status, "after", len(srv.LabelCalls()), "calls")
	// Output:
	// asked for /labels/generate
	// STARTED
	// asked for /labels/suspension
	// asked for /labels/reactivate
	// asked for /labels/cancel
	// CANCELED after 4 calls
}

// parcelOf is the fulfillment order of an order that the carrier is to bring.
func parcelOf(ctx context.Context, srv *clienttest.Server, carrier client.ID) ulid.ULID {
	sold, err := srv.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	orders := v202503.FulfillmentOrders(srv.Client())
	parts, err := orders.List(sold.OrderID, client.FulfillmentOrderFilter{}).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	_, err = orders.Update(ctx, sold.OrderID, parts[0].ID, client.FulfillmentOrderInput{
		Shipping: client.Set(client.FulfillmentShippingInput{Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.String()})}),
	})
	if err != nil {
		log.Fatal(err)
	}
	return parts[0].ID
}
