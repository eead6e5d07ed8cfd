package refserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// What was shown is not shown any more once anything has changed that it is made of.
func TestListsFollowChanges(t *testing.T) {
	f := setup(t, Options{Bucket: 1000, Leak: 1000}, "read_products")
	list := func() string {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("/v1/%d/products", f.store.ID), nil)
		r.Header.Set("Authentication", "bearer "+f.token)
		r.Header.Set("User-Agent", "Test (test@example.com)")
		w := httptest.NewRecorder()
		if f.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		return w.Body.String()
	}
	change := func(do func(tx *world.Tx) error) {
		t.Helper()
		if err := f.World().Update(0, f.store.ID, do); err != nil {
			t.Fatal(err)
		}
	}
	product := world.Product{ID: 1, Name: map[string]string{"en": "first name"}, Categories: []int64{3}}
	change(func(tx *world.Tx) error { return tx.Products.Put(1, product) })
	begin := f.World().Snapshot()
	steps := []struct {
		want string
		do   func(tx *world.Tx) error
	}{
		{"second name", func(tx *world.Tx) error {
			product.Name = map[string]string{"en": "second name"}
			return tx.Products.Put(1, product)
		}},
		{"a variant", func(tx *world.Tx) error {
			return tx.Variants.Put(2, world.Variant{ID: 2, ProductID: 1, SKU: "a variant"})
		}},
		{"a category", func(tx *world.Tx) error {
			return tx.Categories.Put(3, world.Category{ID: 3, Name: map[string]string{"en": "a category"}})
		}},
		{`"stock":47`, func(tx *world.Tx) error {
			return tx.InventoryLevels.Put(4, world.InventoryLevel{ID: 4, VariantID: 2, LocationID: "x", Stock: 47})
		}},
	}
	if got := list(); !strings.Contains(got, "first name") {
		t.Fatalf("got %s", got)
	}
	for _, s := range steps {
		before := list()
		if change(s.do); strings.Contains(before, s.want) || !strings.Contains(list(), s.want) {
			t.Errorf("got %s, then %s; want %s in the second", before, list(), s.want)
		}
	}
	if first, second := list(), list(); first != second {
		t.Errorf("two lists of the same differ: %s and %s", first, second)
	}
	f.World().Restore(begin)
	if got := list(); !strings.Contains(got, "first name") || strings.Contains(got, "a variant") {
		t.Errorf("restored: got %s", got)
	}
}

// What is kept is bounded.
func TestShownIsBounded(t *testing.T) {
	var s shown
	first, second := &world.Tables{}, &world.Tables{}
	large := make([]byte, mostShown/4)
	for i := range int64(10) {
		s.put(1, first, shownKey{"list", i}, large)
		if s.bytes > mostShown {
			t.Fatalf("%d bytes after %d records, want %d at most", s.bytes, i+1, mostShown)
		}
	}
	if s.put(1, second, shownKey{"list", 1}, large); s.bytes != len(large) {
		t.Errorf("%d bytes after a change, want %d", s.bytes, len(large))
	}
}
