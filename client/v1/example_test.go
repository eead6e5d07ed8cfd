package v1_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
)

// An order is packed and sent off in one go, which only this version can.
func ExampleOrderService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	paid, err := srv.Charge(client.MustMoney("25.50")) // an order that was paid
	if err != nil {
		log.Fatal(err)
	}
	c := srv.Client()
	ctx := context.Background()

	order, err := v1.Orders(c).Pack(ctx, paid.OrderID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.ShippingStatus)
	order, err = v1.Orders(c).Fulfill(ctx, paid.OrderID, v1.OrderFulfill{
		ShippingTrackingNumber: "ABC1234", NotifyCustomer: client.Set(false),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.ShippingStatus.Common())
	// Output:
	// unfulfilled
	// fulfilled
}
