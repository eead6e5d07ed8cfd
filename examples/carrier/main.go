// Command carrier is a shipping carrier with rates and pickup points. It shows how an app answers the checkout in time,
// even if its own systems fail.
//
//	go run ./examples/carrier
//
// It requires only Go, and simulates customers at the checkout of the reference server, in this process. The customers
// get rates, rates from the platform's cache, and the merchant's fallback option for places that the carrier does not
// serve. Then they see an outage and the recovery. The program exits with 0 only if every customer got the expected
// options. With -console 127.0.0.1:8082 a browser shows the platform until Ctrl-C.
//
// The tariff is in tariff.go, the app in app.go, and the customers are in session.go.
package main

import (
	"context"
	"errors"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

const address = "https://carrier.example" // of the app

func main() { pages.Main(run) }

func run(ctx context.Context, console string, out io.Writer) error {
	return pages.Play(ctx, console, out, clienttest.Options{}, func(ctx context.Context, platform *clienttest.Server) error {
		a, err := newApp(platform.Client())
		if err != nil {
			return err
		}
		if err := errors.Join(platform.Partner(address, a.handler()), a.install(ctx, address)); err != nil {
			return err
		}
		platform.SetFallback(clienttest.FallbackOption{Name: "Flat rate of the shop", Price: client.MustMoney("2500.00"), MinDays: 5, MaxDays: 10})
		return (&session{out: out, platform: platform, app: a}).play(ctx)
	})
}
