package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// TestCrawlOfAnyList: lists with since_id have one shape of crawl, whose cursors go on after each page while records
// are deleted and created.
func TestCrawlOfAnyList(t *testing.T) {
	srv := newServer(t)
	c := srv.Client()
	t.Run("products", func(t *testing.T) { crawlAndResume(t, products(t, c)) })
	t.Run("customers", func(t *testing.T) { crawlAndResume(t, customers(t, c)) })
	t.Run("orders", func(t *testing.T) { crawlAndResume(t, orders(t, c)) })
	for _, err := range v202503.Coupons(c).List(client.CouponFilter{}).Crawl().All(t.Context()) {
		if !errors.Is(err, client.ErrValidation) {
			t.Errorf("a list without since_id: %v", err)
		}
	}
	page := must[*client.Page[client.Product]](t)(v202503.Products(c).List(client.ProductFilter{Paging: five}).Page(t.Context()))
	for _, err := range v202503.Products(c).List(client.ProductFilter{Paging: five}).Crawl().After(page.Cursor).All(t.Context()) {
		if !errors.Is(err, client.ErrValidation) {
			t.Errorf("the cursor of a list: %v", err)
		}
	}
}

func crawlAndResume[T any](t *testing.T, k kind[T]) {
	var made []client.ID
	for n := range 13 {
		made = append(made, must[client.ID](t)(k.create(t.Context(), n)))
	}
	crawl, rest := k.list.Crawl(), slices.Clone(made)
	for pages := 0; ; pages++ {
		var page *client.Page[T]
		for p, err := range crawl.Pages(t.Context()) {
			if page = p; err != nil {
				t.Fatal(err)
			}
			break // another process goes on
		}
		var got []client.ID
		for i := range page.Items {
			if id := k.id(&page.Items[i]); slices.Contains(made, id) {
				got = append(got, id)
			}
		}
		if len(got) > 5 || !slices.Equal(got, rest[:len(got)]) {
			t.Errorf("page %d has %v, want the first of %v", pages, got, rest)
		}
		rest = rest[len(got):]
		if !page.Next() {
			break
		}
		crawl = k.list.Crawl().After(page.Cursor)
		if pages == 0 && k.remove != nil { // numbered pages would skip a record now
			if err := k.remove(t.Context(), made[0]); err != nil {
				t.Fatal(err)
			}
		}
		if pages < 3 {
			made = append(made, must[client.ID](t)(k.create(t.Context(), 100+pages)))
			rest = append(rest, made[len(made)-1])
		}
	}
	if len(rest) > 0 {
		t.Errorf("%v did not come", rest)
	}
}
