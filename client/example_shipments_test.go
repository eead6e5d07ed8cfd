package client_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// sold makes an order of two mugs, and returns it with its fulfillment order.
func sold(ctx context.Context, c *client.Client) (client.ID, ulid.ULID) {
	order, err := v202503.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: product(ctx, c), Quantity: 2}},
	})
	if err != nil {
		log.Fatal(err)
	}
	parts, err := v202503.FulfillmentOrders(c).List(order.ID, client.FulfillmentOrderFilter{}).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	return order.ID, parts[0].ID
}

// A carrier's legacy system, without fulfillment orders, reports the events of an order.
func ExampleFulfillmentService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()
	order, _ := sold(ctx, c)

	if _, err := v202503.Fulfillments(c).Create(ctx, order, client.FulfillmentInput{Status: client.TrackingInTransit, Description: "Left Rosario"}); err != nil {
		log.Fatal(err)
	}
	for f, err := range v202503.Fulfillments(c).List(order).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Status, "-", f.Description)
	}
	// Output: in_transit - Left Rosario
}

// The merchant requests a label, and the app of the carrier makes it.
func ExampleLabelService() {
	srv, err := clienttest.Start(clienttest.Options{Features: []string{client.FeatureFulfillmentLabels}})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	order, parcel := sold(ctx, srv.Client())
	label := requested(ctx, srv, order, parcel) // as shipping.LabelHandler receives it

	c := srv.Client() // no other version has labels
	for _, in := range []client.LabelInput{
		{Status: client.LabelInProgress},
		{Status: client.LabelReadyToDownload, Documents: []client.LabelDocumentInput{
			{Type: "LABEL", Format: "PDF", Size: 20_480, DownloadURLFromApp: "https://post.example/labels/1.pdf"},
		}},
	} {
		fmt.Println(in.Status, unstable.Labels(c).Update(ctx, parcel, label, in))
	}
	fmt.Println(unstable.Labels(c).Download(ctx, parcel, label))
	// Output:
	// IN_PROGRESS <nil>
	// READY_TO_DOWNLOAD <nil>
	// <nil>
}

// requested makes the platform request the label of a fulfillment order from a carrier.
func requested(ctx context.Context, srv *clienttest.Server, order client.ID, parcel ulid.ULID) ulid.ULID {
	accept := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	if err := srv.Partner("https://post.example", accept); err != nil {
		log.Fatal(err)
	}
	carrier, err := srv.Seed(ctx, "/shipping_carriers", map[string]any{
		"name": "Post", "types": "ship", "callback_url": "https://post.example/rates", "callback_labels_url": "https://post.example/labels",
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.FulfillmentOrders(srv.Client()).Update(ctx, order, parcel, client.FulfillmentOrderInput{
		Shipping: client.Set(client.FulfillmentShippingInput{Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.String()})}),
	}); err != nil {
		log.Fatal(err)
	}
	calls, err := srv.RequestLabels(ctx, parcel)
	if err != nil {
		log.Fatal(err)
	}
	return calls[0].Labels[0].LabelID
}
