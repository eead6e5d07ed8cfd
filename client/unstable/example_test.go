package unstable_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
)

// A customer wants two pieces instead of one, before anything is packed.
func ExampleOrderService_Edit() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	made, err := srv.Charge(client.MustMoney("25.50")) // an order of one line
	if err != nil {
		log.Fatal(err)
	}
	c := srv.Client()
	ctx := context.Background()
	order, err := unstable.Orders(c).Get(ctx, made.OrderID)
	if err != nil {
		log.Fatal(err)
	}

	edited, err := unstable.Orders(c).Edit(ctx, order.ID, client.OrderEdit{
		Products: []client.OrderEditProduct{{LineItemID: order.Products[0].ID, Quantity: 2}}, Reason: "one for a friend",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.Total, "becomes", edited.Total, "and is", edited.PaymentStatus)
	// Output: 25.50 becomes 51.00 and is partially_paid
}
