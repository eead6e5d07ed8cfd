//go:build !race

package client_test

import (
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// TestCallAllocations: a call for a small record, of which 11 allocations are those of the transport of the test.
func TestCallAllocations(t *testing.T) {
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (t@app.example)",
		HTTPClient: &http.Client{Transport: bench.Canned(`{"id":1,"name":{"en":"Kitchen"}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(200, func() {
		if _, err := v202503.Categories(c).Get(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	})
	if n > 40 {
		t.Errorf("got %v allocations, want 40 at most", n)
	}
}
