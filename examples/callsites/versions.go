package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// ship packs an order with one version and reads it with another.
func ship(ctx context.Context, c *client.Client, id client.ID) (*client.Order, error) {
	// README: versions
	_, err := v1.Orders(c).Pack(ctx, id) // v202503.Orders(c).Pack does not compile: 2025-03 has no such method
	if err != nil {
		return nil, err
	}
	order, err := v202503.Orders(c).Get(ctx, id) // the records are the same Go types in all versions
	// end
	return order, err
}

// raw makes a call without a method.
func raw(ctx context.Context, c *client.Client) (string, error) {
	// README: do
	var store struct {
		Plan string `json:"plan_name"`
	}
	err := c.Do(ctx, client.Request{Version: client.Version202503, Method: http.MethodGet, Path: "/store"}, &store)
	// end
	return store.Plan, err
}

// moves uses two versions at once, and a call without a method.
func moves(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	paid, err := platform.Charge(client.MustMoney("25.50"))
	if err != nil {
		return err
	}
	order, err := ship(ctx, platform.Client(), paid.OrderID)
	if err != nil {
		return err
	}
	plan, err := raw(ctx, platform.Client())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "order: %s, %s; plan %q\n", order.PaymentStatus, order.ShippingStatus, plan)
	return nil
}
