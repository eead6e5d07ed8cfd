package clienttest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// Tests call New, which ends the server with the test; programs call Start.
func ExampleStart() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c := srv.Client()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	fmt.Println(mug.Name, mug.Handle, err)

	_, err = v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}, VideoURL: client.Set("http://video.example.com")})
	fmt.Println(err)
	// Output:
	// Mug mug <nil>
	// video_url: "http://video.example.com": must be an https URL: validation
}

// A fault makes an operation fail once it has done its work, which is the case
// that an application must not repeat blindly.
func ExampleServer_Fault() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c := srv.Client()
	if err := srv.Fault(clienttest.Fault{Operation: "POST /products", Count: 1, Reset: true, After: true}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	fmt.Println(err)
	page, err := v202503.Products(c).List(client.ProductFilter{}).Page(ctx)
	fmt.Println(page.Total, "product,", err)
	// Output:
	// POST /products: EOF (the write may have been applied: read before repeating it)
	// 1 product, <nil>
}

// A fault without a Count is an outage that lasts until it is ended.
func ExampleServer_EndFaults() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c := srv.Client()
	if err := srv.Fault(clienttest.Fault{Operation: "*", Status: http.StatusBadGateway}); err != nil {
		fmt.Println(err)
		return
	}
	_, err = v202503.Store(c).Get(ctx)
	fmt.Println(errors.Is(err, client.ErrServer))
	srv.EndFaults()
	_, err = v202503.Store(c).Get(ctx)
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

// Webhooks reach the handler at their address. On the server's own clock retries
// wait for Advance.
func ExampleServer_Partner() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	err = srv.Partner("https://app.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path, len(r.Header.Get("x-platform-hmac-sha256")))
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := srv.Client()
	if _, err := v202503.Webhooks(c).Create(ctx, client.WebhookInput{Event: "category/created", URL: "https://app.example/hooks"}); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Kitchen"}}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(srv.Settle(ctx), len(srv.Deliveries()))
	// Output:
	// POST /hooks 64
	// <nil> 1
}
