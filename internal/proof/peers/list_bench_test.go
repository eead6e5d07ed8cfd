package peers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	goshopify "github.com/bold-commerce/go-shopify/v4"
	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

const perPage = 200

// BenchmarkList reads a page of 200 products with 10 variants each over loopback. The shapes of the platforms differ,
// so that the figure to compare is that per megabyte.
func BenchmarkList(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		page := bench.Page(b, "/products", perPage)
		srv := httptest.NewServer(bench.Canned(page))
		defer srv.Close()
		c := ours(b, srv.URL, nil)
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			if p, err := v202503.Products(c).List(client.ProductFilter{}).Page(b.Context()); err != nil || len(p.Items) != perPage {
				b.Fatal(err)
			}
		}
	})
	b.Run("go-shopify", func(b *testing.B) {
		page, err := json.Marshal(map[string]any{"products": shopifyProducts()})
		if err != nil {
			b.Fatal(err)
		}
		srv := httptest.NewServer(bench.Canned(page))
		defer srv.Close()
		c, err := goshopify.NewClient(goshopify.App{}, "bench", "t", goshopify.WithHTTPClient(&http.Client{
			Transport: plain(strings.TrimPrefix(srv.URL, "http://")),
		}))
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			if all, err := c.Product.List(b.Context(), nil); err != nil || len(all) != perPage {
				b.Fatal(err)
			}
		}
	})
}

// plain takes a client that knows only https to a server on loopback.
type plain string

func (host plain) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = "http", string(host)
	return http.DefaultTransport.RoundTrip(req)
}

// shopifyProducts are a catalog like that of package bench, in one language.
func shopifyProducts() []goshopify.Product {
	at := new(time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC))
	amount := func(n int64) *decimal.Decimal { return new(decimal.New(n, -2)) }
	var all []goshopify.Product
	for n := range uint64(perPage) {
		p := goshopify.Product{
			Id: 1000000 + n, Title: fmt.Sprint("Linen shirt with pockets ", n),
			BodyHTML: "<p>" + strings.Repeat(washing, 18) + "</p>",
			Vendor:   "Lila & Mar", Handle: fmt.Sprint("linen-shirt-with-pockets-", n), Tags: "linen,summer,basic",
			CreatedAt: at, UpdatedAt: at, PublishedAt: at,
			Options: []goshopify.ProductOption{
				{Id: 1, Name: "Size", Position: 1, Values: []string{"XS", "S", "M", "L", "XL"}},
				{Id: 2, Name: "Colour", Position: 2, Values: []string{"Black", "Sea blue"}},
			},
		}
		for i := range uint64(3) {
			p.Images = append(p.Images, goshopify.Image{
				Id: 10*n + i, ProductId: p.Id, Position: 1, CreatedAt: at, UpdatedAt: at, Width: 1024, Height: 1024,
				Src: fmt.Sprintf("https://cdn.example/products/shirt-%d-%d.jpg", n, i),
			})
		}
		for i := range uint64(10) {
			p.Variants = append(p.Variants, goshopify.Variant{
				Id: 1000*n + i, ProductId: p.Id, Title: "XS / Black", Sku: fmt.Sprintf("LINEN-%06d-%02d", n, i),
				Position: 1, Grams: 250, InventoryPolicy: "deny",
				Price: amount(1500000), CompareAtPrice: amount(1800000),
				FulfillmentService: "manual", InventoryManagement: "shop", InventoryItemId: 1000*n + i,
				Option1: "XS", Option2: "Black", CreatedAt: at, UpdatedAt: at, Taxable: true,
				Barcode: fmt.Sprintf("779%09d", 100*n+i), InventoryQuantity: 7,
				Weight: amount(25), WeightUnit: "kg", OldInventoryQuantity: 7, RequireShipping: true,
				AdminGraphqlApiId: fmt.Sprintf("gid://shop/ProductVariant/%d", 1000*n+i),
			})
		}
		all = append(all, p)
	}
	return all
}

const washing = "Prewashed linen, 140 g/m²; wash at 30 °C &amp; dry in the shade. "
