package peers

import (
	"net/http"
	"testing"

	goshopify "github.com/bold-commerce/go-shopify/v4"
	"github.com/google/go-github/v92/github"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stripe/stripe-go/v85"

	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// BenchmarkCall reads one small record over a transport in memory, so that the stack of each client is compared.
func BenchmarkCall(b *testing.B) {
	call := func(f func() error) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	c := ours(b, "https://api.example.com", bench.Canned(`{"id":1,"name":{"en":"Kitchen"}}`))
	b.Run("ours", call(func() error { _, err := v202503.Categories(c).Get(b.Context(), 1); return err }))

	hub, err := github.NewClient(github.WithTransport(bench.Canned(`{"id":1,"name":"Kitchen"}`)), github.WithAuthToken("t"))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("go-github", call(func() error { _, _, err := hub.Repositories.GetByID(b.Context(), 1); return err }))

	money := stripe.NewClient("sk_test_1", stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		HTTPClient:    &http.Client{Transport: bench.Canned(`{"id":"cus_1","name":"Kitchen"}`)},
		LeveledLogger: &stripe.LeveledLogger{},
	})))
	b.Run("stripe-go", call(func() error {
		_, err := money.V1Customers.Retrieve(b.Context(), "cus_1", nil)
		return err
	}))

	shop, err := goshopify.NewClient(goshopify.App{}, "bench", "t", goshopify.WithHTTPClient(&http.Client{
		Transport: bench.Canned(`{"product":{"id":1,"title":"Kitchen"}}`),
	}))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("go-shopify", call(func() error { _, err := shop.Product.Get(b.Context(), 1, nil); return err }))

	models := openai.NewClient(option.WithAPIKey("t"), option.WithHTTPClient(&http.Client{
		Transport: bench.Canned(`{"id":"kitchen","object":"model"}`),
	}))
	b.Run("openai-go", call(func() error { _, err := models.Models.Get(b.Context(), "kitchen"); return err }))
}
