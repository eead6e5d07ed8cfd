package bench

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// Variants is how many variants the products of the catalogs have.
const Variants = 10

// linesPerOrder is how many products an order has.
const linesPerOrder = 3

// Stock creates products, and then orders of them, in the store of the client. The packages of the versions import
// packages that have benchmarks, so it does not use them.
func Stock(ctx context.Context, c *client.Client, products, variants, orders int) error {
	var categories []client.ID
	for _, name := range []client.Text{in("Shirts", "Camisas", "Camisas"), in("Summer", "Verano", "Verão")} {
		made, err := create[client.Category](ctx, c, "/categories", client.CategoryInput{Name: name})
		if err != nil {
			return err
		}
		categories = append(categories, made.ID)
	}
	var made []client.ID
	for n := range products {
		p, err := create[client.Product](ctx, c, "/products", product(n, variants, categories))
		if err != nil {
			return err
		}
		if len(made) < linesPerOrder {
			made = append(made, p.Variants[n%variants].ID)
		}
	}
	for n := range orders {
		if _, err := create[client.Order](ctx, c, "/orders", order(n, made)); err != nil {
			return err
		}
	}
	return nil
}

func create[T any](ctx context.Context, c *client.Client, path string, in any) (record T, err error) {
	err = c.Do(ctx, client.Request{Method: http.MethodPost, Path: path, Body: in}, &record)
	return record, err
}

// Page returns the first page of /products or /orders as the reference server answers it, with so many records, 200 at most.
func Page(tb testing.TB, path string, size int) []byte {
	tb.Helper()
	products, orders := size, 0
	if path == "/orders" {
		products, orders = linesPerOrder, size
	}
	srv := clienttest.New(tb)
	if err := Stock(tb.Context(), srv.Client(), products, Variants, orders); err != nil {
		tb.Fatal(err)
	}
	var page json.RawMessage
	if err := srv.Client().Do(tb.Context(), client.Request{Path: path, Query: url.Values{"per_page": {"200"}}}, &page); err != nil {
		tb.Fatal(err)
	}
	return page
}
