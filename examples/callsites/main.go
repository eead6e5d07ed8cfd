// Command callsites runs the five call sites of the project's README against a
// reference server in this process, and exits 0 only if each did what it shows.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "callsites:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	platform, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		return err
	}
	defer platform.Close()
	token, err := platform.Install()
	if err != nil {
		return err
	}
	api, err := connect(platform.URL(), platform.StoreID(), token, &http.Client{Transport: platform.Transport()})
	if err != nil {
		return err
	}
	product, err := api.Products.Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Mug", "es": "Taza"},
		Variants: []client.VariantInput{{Price: client.Set(client.MustMoney("20.00")), Stock: client.Set(client.Stock(3))}},
	})
	if err != nil {
		return err
	}
	names, err := published(ctx, api)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "published:", names)
	variant, err := sell(ctx, api, product)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "on sale for", variant.PromotionalPrice, "instead of", variant.Price)
	fmt.Fprintln(out, "a product that does not exist:", describe(ctx, api, 1))
	hooks, paid := receiver(platform.App().Secret)
	if err := hooks.Check(); err != nil {
		return err
	}
	if err := post(hooks, platform.App().Secret, `{"store_id":123,"event":"order/paid","id":42}`); err != nil {
		return err
	}
	fmt.Fprintln(out, "paid order:", <-paid)
	return nil
}

// post delivers a body as the platform does.
func post(hooks http.Handler, secret client.Secret, body string) error {
	w := httptest.NewRecorder()
	hooks.ServeHTTP(w, delivery(secret, body))
	if w.Code != http.StatusOK {
		return fmt.Errorf("the delivery was answered %d", w.Code)
	}
	return nil
}
