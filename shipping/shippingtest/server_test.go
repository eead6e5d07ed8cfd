package shippingtest_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/shipping/shippingtest"
)

// Every call of the reference server is recorded as what it is, and can be made again.
func TestCallsOfTheServer(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	c := srv.Client()
	undo := func(context.Context, []shipping.LabelRef) ([]shipping.LabelFailure, error) { return nil, nil }
	mux := http.NewServeMux()
	mux.Handle("/labels/", &shipping.LabelHandler{
		Access:   shipping.Access{Guarded: true},
		Generate: func(context.Context, []shipping.Label) ([]shipping.LabelFailure, error) { return nil, nil },
		Cancel:   undo, Suspend: undo, Reactivate: undo,
	})
	var file strings.Builder
	recorder := &shippingtest.Recorder{Handler: mux, Out: &file}
	if err := srv.Partner("https://post.example", recorder); err != nil {
		t.Fatal(err)
	}
	post, err := unstable.Carriers(c).Create(ctx, carriers.CarrierInput{
		Name: "Post", CallbackURL: "https://post.example/rates", CallbackLabelsURL: client.Set("https://post.example/labels"),
		Types: carriers.Types{carriers.TypeToDoor},
	})
	if err != nil {
		t.Fatal(err)
	}
	product, err := unstable.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(100))}}})
	if err != nil {
		t.Fatal(err)
	}
	order, err := unstable.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"}, Products: []client.OrderProductInput{{VariantID: product.Variants[0].ID, Quantity: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	parcels, err := unstable.FulfillmentOrders(c).List(order.ID, client.FulfillmentOrderFilter{}).Collect(ctx)
	if err != nil || len(parcels) != 1 {
		t.Fatalf("parcels %+v, %v", parcels, err)
	}
	if _, err := unstable.FulfillmentOrders(c).Update(ctx, order.ID, parcels[0].ID, client.FulfillmentOrderInput{
		Shipping: client.Set(client.FulfillmentShippingInput{Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: post.ID.String()})}),
	}); err != nil {
		t.Fatal(err)
	}
	calls, err := srv.RequestLabels(ctx, parcels[0].ID)
	if err != nil || len(calls) != 1 {
		t.Fatalf("got %+v, %v", calls, err)
	}
	label := calls[0].Labels[0].LabelID
	for _, call := range []func() ([]clienttest.LabelCall, error){
		func() ([]clienttest.LabelCall, error) { return srv.SuspendLabels(ctx, label) },
		func() ([]clienttest.LabelCall, error) { return srv.ReactivateLabels(ctx, label) },
		func() ([]clienttest.LabelCall, error) { return srv.CancelLabels(ctx, label) },
	} {
		if calls, err := call(); err != nil || calls[0].Reason != "" {
			t.Fatalf("got %+v, %v", calls, err)
		}
	}
	if strings.Contains(file.String(), "Ana") || strings.Contains(file.String(), "shop.example") {
		t.Errorf("the customer is recorded: %s", file.String())
	}
	var again []string
	err = shippingtest.Replay(ctx, strings.NewReader(file.String()), shippingtest.Sender{Handler: mux}, func(r shippingtest.Result) error {
		if again = append(again, r.Record.Operation); len(r.Changes) > 0 {
			t.Errorf("%s: %v", r.Record.Operation, r.Changes)
		}
		return nil
	})
	if err != nil || !slices.Equal(again, []string{"generate", "suspension", "reactivate", "cancel"}) {
		t.Errorf("got %v, %v: %s", err, again, file.String())
	}
}
