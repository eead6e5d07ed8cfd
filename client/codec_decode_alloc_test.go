//go:build !race

package client_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// TestDecodeAllocations: values behind pointers, short lists and texts share memory. Each language-keyed text is a map
// and takes two allocations: 14,800 in these products.
func TestDecodeAllocations(t *testing.T) {
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (t@app.example)",
	})
	if err != nil {
		t.Fatal(err)
	}
	most := func(path string, most float64, read func(page []byte) (int, error)) {
		page := bench.Page(t, path, client.MaxPerPage)
		n := testing.AllocsPerRun(3, func() {
			if items, err := read(page); err != nil || items != client.MaxPerPage {
				t.Fatal(items, err)
			}
		})
		if n > most {
			t.Errorf("%s: %v allocations, want %v at most", path, n, most)
		}
	}
	most("/products", 18_500, func(page []byte) (int, error) {
		items, err := client.DecodeList[client.Product](t.Context(), c, page)
		return len(items), err
	})
	most("/orders", 8_000, func(page []byte) (int, error) {
		items, err := client.DecodeList[client.Order](t.Context(), c, page)
		return len(items), err
	})
}
