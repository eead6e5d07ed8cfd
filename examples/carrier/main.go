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
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

const address = "https://carrier.example" // of the app

func main() {
	console := flag.String("console", "", "serve the console on this `address`, and stay until Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *console, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "carrier:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, console string, out io.Writer) error {
	platform, err := clienttest.Start(clienttest.Options{Console: pages.At(console)})
	if err != nil {
		return err
	}
	defer platform.Close()

	a, err := newApp(platform.Client())
	if err != nil {
		return err
	}
	if err := platform.Partner(address, a.handler()); err != nil {
		return err
	}
	if err := a.install(ctx, address); err != nil {
		return err
	}
	platform.SetFallback(clienttest.FallbackOption{Name: "Flat rate of the shop", Price: client.MustMoney("2500.00"), MinDays: 5, MaxDays: 10})

	s := &session{out: out, platform: platform, app: a}
	return platform.PlayWithConsole(ctx, out, s.play)
}
