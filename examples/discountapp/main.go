// Command discountapp is a discount app with three promotions: three for two in a category, a price for a kit of
// products, and a percentage that grows with the cart. It shows how an app answers carts within 800 ms.
//
//	go run ./examples/discountapp
//
// It requires only Go, and simulates a customer on the reference server, in this process. The server sends each change
// of the cart to the app. The program prints each cart before and after, and exits with 0 only if the platform accepted
// every answer. With -console 127.0.0.1:8082 a browser shows the platform until Ctrl-C.
//
// The app is in app.go, the offers in lines.go and tiers.go, and the store and its customer in store.go and session.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

const (
	address  = "https://app.example" // of the app
	language = "en"                  // of the store
)

func main() { pages.Main(run) }

func run(ctx context.Context, console string, out io.Writer) error {
	var a *app
	defer func() {
		if a != nil {
			a.close() // after the console, in which somebody may change carts
		}
	}()
	return pages.Play(ctx, console, out, clienttest.Options{}, func(ctx context.Context, platform *clienttest.Server) error {
		goods, err := stock(ctx, platform.Client())
		if err != nil {
			return err
		}
		if a, err = newApp(platform.Client(), platform.StoreID(), newOffers(), netip.MustParsePrefix("198.51.100.0/24")); err != nil {
			return err
		}
		if err := errors.Join(platform.Partner(address, a.carts), a.install(ctx, language, address+"/carts")); err != nil {
			return err
		}
		s := &session{out: out, shop: platform.Shop(clienttest.ShopOptions{Source: "198.51.100.7"}), goods: goods}
		if err := s.play(ctx); err != nil {
			return err
		}
		return verdict(out, s.shop.Runs())
	})
}

// verdict counts the outcomes of the answers.
func verdict(out io.Writer, runs []clienttest.Run) error {
	outcomes := map[string]int{}
	for _, r := range runs {
		outcomes[r.Outcome]++
	}
	fmt.Fprintf(out, "\n%d carts were sent: %d answers applied, %d without need for action\n", len(runs), outcomes["applied"], outcomes["kept"])
	if accepted := outcomes["applied"] + outcomes["kept"]; accepted < len(runs) {
		return fmt.Errorf("the platform refused %d answers", len(runs)-accepted)
	}
	return nil
}
