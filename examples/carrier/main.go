// Command carrier is a shipping carrier with a table of weights and points where parcels wait. A JSON file
// says what they are.
//
//	go run ./examples/carrier
//
// needs nothing but Go. It starts the reference server in this process, adds the carrier to its store, and plays
// buyers at the checkout: they see rates, rates from the platform's cache, the merchant's
// fallback option where the carrier does not go, an outage of the carrier's own systems, and the recovery.
// It exits 0 only if every buyer saw what is expected.
//
// The tariff is in tariff.go, the app in app.go; session.go is the world around it.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

//go:embed tariff.json
var builtIn []byte

const address = "https://carrier.example" // of the app

func main() {
	file := flag.String("tariff", "", "the JSON `file` with the tariff; tariff.json beside the program's source if empty")
	flag.Parse()
	if err := run(context.Background(), *file, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "carrier:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string, out io.Writer) error {
	data := builtIn
	if file != "" {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			return err
		}
	}
	t, err := readTariff(data)
	if err != nil {
		return err
	}
	platform, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		return err
	}
	defer platform.Close()

	a, err := newApp(v202503.New(platform.Client()), t)
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
	return s.play(ctx)
}
