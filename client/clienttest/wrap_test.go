package clienttest_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// tripper is a transport of a test.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestWrap: every client of the server and of its other stores goes through the wrapper, and what the server itself
// does, such as Seed, does not.
func TestWrap(t *testing.T) {
	var seen []string
	srv := clienttest.New(t, clienttest.Options{Wrap: func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Method+" "+r.URL.Path)
			return next.RoundTrip(r)
		})
	}})
	other, err := srv.AddStore(77)
	if err != nil {
		t.Fatal(err)
	}
	id, err := srv.Seed(t.Context(), "/categories", map[string]any{"name": "Mugs"})
	if err != nil || id == 0 {
		t.Fatalf("got id %d, %v", id, err)
	}
	for _, c := range []*client.Client{srv.Client(), srv.Client("read_products"), other.Client()} {
		if err := c.Do(t.Context(), client.Request{Path: "/store"}, nil); err != nil {
			t.Error(err)
		}
	}
	own := "GET /2025-03/" + srv.StoreID().String() + "/store"
	if want := []string{own, own, "GET /2025-03/77/store"}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
}
