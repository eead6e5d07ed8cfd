package main

import (
	"context"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// least blocks purchases of less than 10.00.
func least(ctx context.Context, c *client.Client, sources *client.Sources) (*rules.Handler, error) {
	// README: rules
	checkout := &rules.Handler{
		Cart: func(ctx context.Context, r *rules.Request) (rules.Verdict, error) {
			if r.Totals.Total.Cmp(client.MustMoney("10.00")) < 0 {
				return rules.VerdictBlock, nil
			}
			return rules.VerdictAllow, nil
		},
		Sources: sources, // the addresses that the platform asks from
	}
	err := v202503.BusinessRules(c).Set(ctx, client.RuleDomainCart, "https://app.example/rules") // where checkout is mounted
	// end
	return checkout, err
}

// finishes tries to end purchases.
func finishes(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	from, err := client.ParseSources("192.0.2.1") // where this platform calls from
	if err != nil {
		return err
	}
	sources := &client.Sources{}
	sources.Set(from...)
	c := platform.Client()
	checkout, err := least(ctx, c, sources)
	if err != nil {
		return err
	}
	if err := checkout.Check(); err != nil {
		return err
	}
	if err := platform.Partner("https://app.example", checkout); err != nil {
		return err
	}
	mug, err := importMug(ctx, c)
	if err != nil {
		return err
	}
	basket, err := platform.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		return err
	}
	empty, err := basket.MayFinish(ctx)
	if err != nil {
		return err
	}
	if _, err := basket.Add(ctx, mug.Variants[0].ID, 1); err != nil {
		return err
	}
	full, err := basket.MayFinish(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "an empty cart is %s, one with a mug is free to go: %v\n", empty, full == "")
	return nil
}
