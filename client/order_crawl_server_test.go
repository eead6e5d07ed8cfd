package client_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// TestCrawlOfAServer: beyond the number of orders that a query may match, also where several
// were created within the seconds at which the crawl is split, and again from each cursor.
func TestCrawlOfAServer(t *testing.T) {
	srv := newServer(t, clienttest.Options{Limits: clienttest.Limits{OrdersPerQuery: 4}})
	c := srv.Client()
	product, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(500))}}})
	if err != nil {
		t.Fatal(err)
	}
	var made []client.ID
	order := func() {
		t.Helper()
		o, err := v202503.Orders(c).Create(t.Context(), client.OrderInput{
			Gateway:  "offline",
			Customer: client.OrderCustomerInput{Name: "Ann", Email: fmt.Sprintf("ann-%d@mail.example", len(made))},
			Products: []client.OrderProductInput{{VariantID: product.Variants[0].ID, Quantity: 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, o.ID)
	}
	for range 7 { // up to 3 within a second
		for range 3 {
			order()
		}
		srv.Clock().Advance(time.Hour)
	}
	if _, err := v202503.Orders(c).List(client.OrderFilter{}).Page(t.Context()); err == nil {
		t.Fatal("the server answers more orders than its limit allows")
	}
	crawl := v202503.Orders(c).Crawl(client.OrderFilter{})
	var got []client.ID
	var cursors []string
	var read []int
	for page, err := range crawl.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Items {
			got = append(got, o.ID)
		}
		cursors, read = append(cursors, page.Cursor), append(read, len(got))
	}
	if !slices.Equal(got, made) {
		t.Fatalf("got %v, want %v", got, made)
	}
	for page, cursor := range cursors[:len(cursors)-1] {
		rest := map[client.ID]int{}
		for o, err := range v202503.Orders(c).Crawl(client.OrderFilter{}).After(cursor).All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			rest[o.ID]++
		}
		again := map[int]bool{} // hours, which hold three orders each
		for i, id := range made {
			switch {
			case i < read[page] && rest[id] > 0:
				again[i/3] = true
			case i >= read[page] && rest[id] == 0:
				t.Errorf("order %d is missing behind page %d", id, page+1)
			}
			if rest[id] > 1 {
				t.Errorf("order %d came %d times behind page %d", id, rest[id], page+1)
			}
		}
		if len(again) > 1 {
			t.Errorf("behind page %d orders of %d hours came again, want those at one border", page+1, len(again))
		}
	}
	for range 5 { // more than the limit within one second
		order()
	}
	var failure error
	for _, err := range crawl.All(t.Context()) {
		if failure = err; err != nil {
			break
		}
	}
	if !errors.Is(failure, client.ErrValidation) {
		t.Errorf("got %v, want ErrValidation: nothing splits a second", failure)
	}
}
