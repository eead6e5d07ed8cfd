package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// product adds a mug to the store and returns its only variant.
func product(ctx context.Context, c *client.Client) client.ID {
	p, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Mug"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(1050)), Stock: client.Set(client.Stock(5))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	return p.Variants[0].ID
}

func ExampleOrderService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	order, err := v202503.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: product(ctx, c), Quantity: 2}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.Total, order.Status, order.PaymentStatus)

	order, err = v202503.Orders(c).GetWith(ctx, order.ID, client.OrderOptions{Aggregates: []client.Aggregate{client.AggregateFulfillmentOrders}})
	if err != nil {
		log.Fatal(err)
	}
	// Each fulfillment order is packed, dispatched and tracked until its delivery.
	for _, ref := range order.FulfillmentOrders() {
		for _, status := range []client.FulfillmentStatus{client.FulfillmentPacked, client.FulfillmentDispatched} {
			if _, err := v202503.FulfillmentOrders(c).Update(ctx, order.ID, ref.ID, client.FulfillmentOrderInput{Status: status}); err != nil {
				log.Fatal(err)
			}
		}
		if _, err := v202503.TrackingEvents(c).Create(ctx, order.ID, ref.ID, client.TrackingEventInput{Status: client.TrackingDelivered, Description: "At the door"}); err != nil {
			log.Fatal(err)
		}
	}
	order, err = v202503.Orders(c).Close(ctx, order.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.ShippingStatus, order.Status)
	// Output:
	// 21.00 open pending
	// delivered closed
}

func ExampleOrderService_Crawl() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()

	var last client.ID
	n := 0
	for order, err := range v202503.Orders(c).Crawl(client.OrderFilter{Paging: client.Paging{Fields: []string{"id", "total"}}}).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		if order.ID > last {
			last = order.ID
			n++
		}
	}
	fmt.Println("all orders, the oldest first:", n > 0)
	// Output:
	// all orders, the oldest first: true
}

func ExampleDraftOrderService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	draft, err := v202503.DraftOrders(c).Create(ctx, client.DraftOrderInput{
		ContactName: "Ana", ContactLastname: "Lima", ContactEmail: "ana@shop.example",
		PaymentStatus: client.PaymentUnpaid,
		Products:      []client.DraftProductInput{{VariantID: product(ctx, c), Quantity: 1}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(draft.Number, draft.Total, draft.PaymentStatus, draft.Storefront)
	order, err := v202503.DraftOrders(c).Confirm(ctx, draft.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.ID == draft.ID, order.Number >= 100, order.CompletedAt.IsZero())
	// Output:
	// 0 10.50 pending form
	// true true false
}
