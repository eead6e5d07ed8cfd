package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// lossy loses the answers of the first calls that add customers, or the calls.
type lossy struct {
	http.RoundTripper
	answers, calls int
	added          int // calls that arrived
	read           int // pages and tables that were read
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		l.read++
	}
	if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "/customers") {
		return l.RoundTripper.RoundTrip(r)
	}
	if l.calls > 0 {
		l.calls--
		return hostile.Status(http.StatusBadGateway, "")(r)
	}
	l.added++
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil && l.answers > 0 {
		l.answers--
		resp.Body.Close()
		return hostile.Status(http.StatusGatewayTimeout, "")(r)
	}
	return resp, err
}

// dealers is a server with price tables and customers.
func dealers(t *testing.T, customers int) (*clienttest.Server, *lossy, *client.Client, []client.ID, [2]client.ID) {
	t.Helper()
	l := &lossy{}
	srv := clienttest.New(t, clienttest.Options{Wrap: func(rt http.RoundTripper) http.RoundTripper { l.RoundTripper = rt; return l }})
	c := srv.Client()
	var ids []client.ID
	for i := range customers {
		c, err := unstable.Customers(c).Create(t.Context(), client.CustomerInput{Name: "C", Email: fmt.Sprintf("c%d@mail.example", i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	var tables [2]client.ID
	for i := range tables {
		table, err := unstable.PriceTables(c).Create(t.Context(), client.PriceTableInput{Name: "Dealers", DefaultDiscount: client.Set(client.Cents(1000))})
		if err != nil {
			t.Fatal(err)
		}
		tables[i] = table.ID
	}
	l.read = 0
	return srv, l, c, ids, tables
}

func wantIn(t *testing.T, c *client.Client, table client.ID, want ...client.ID) {
	t.Helper()
	all, err := unstable.PriceTables(c).Customers(table, client.PriceTableFilter{}).Collect(t.Context())
	var got []client.ID
	for _, c := range all {
		got = append(got, c.ID)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("in table %d: got %v, %v, want %v", table, got, err, want)
	}
}

// A call whose answer is lost is not repeated; EnsureCustomers reads back, and adds those who are missing.
func TestEnsureCustomers(t *testing.T) {
	for name, test := range map[string]struct{ answers, calls, added int }{
		"nothing lost": {0, 0, 1}, "answer lost": {1, 0, 1}, "call lost": {0, 1, 1}, "two calls lost, then an answer": {1, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, l, c, ids, tables := dealers(t, 3)
			l.answers, l.calls = test.answers, test.calls
			if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[0], ids[2], ids[0], ids[2]); err != nil || l.added != test.added {
				t.Errorf("%v, %d calls arrived, want %d", err, l.added, test.added)
			}
			wantIn(t, c, tables[0], ids[0], ids[2])
			if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[0], ids...); err != nil {
				t.Error(err)
			}
			wantIn(t, c, tables[0], ids...)
		})
	}
}

func TestEnsureCustomersOfAnotherTable(t *testing.T) {
	_, l, c, ids, tables := dealers(t, 3)
	if err := unstable.PriceTables(c).AddCustomers(t.Context(), tables[0], ids[0]); err != nil {
		t.Fatal(err)
	}
	if err := unstable.PriceTables(c).AddCustomers(t.Context(), tables[1], ids[1]); err != nil {
		t.Fatal(err)
	}
	err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[1], ids...)
	if conflict, ok := errors.AsType[*client.PriceTableConflictError](err); !ok || !slices.Equal(conflict.Customers, ids[:1]) {
		t.Errorf("got %v, want a conflict about %v", err, ids[:1])
	}
	wantIn(t, c, tables[1], ids[1])
	l.calls = 100
	if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[1], ids[2]); !errors.Is(err, client.ErrOutcomeUnknown) || l.calls != 96 {
		t.Errorf("a platform that always fails: %v after %d calls", err, 100-l.calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := unstable.PriceTables(c).EnsureCustomers(ctx, tables[1], ids[2]); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// One customer of a large table is found without reading it.
func TestEnsureCustomersOfLargeTable(t *testing.T) {
	_, l, c, ids, tables := dealers(t, 201)
	if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[0], ids...); err != nil {
		t.Fatal(err)
	}
	for _, last := range ids[199:] {
		l.read = 0
		if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[0], last); err != nil || l.read != 2 {
			t.Errorf("%v after %d reads, want 2", err, l.read)
		}
		l.read = 0
		err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[1], last)
		if conflict, ok := errors.AsType[*client.PriceTableConflictError](err); !ok || !slices.Equal(conflict.Customers, []client.ID{last}) {
			t.Errorf("got %v, want a conflict", err)
		}
	}
	if err := unstable.PriceTables(c).Delete(t.Context(), tables[0]); err != nil {
		t.Fatal(err)
	}
	if err := unstable.PriceTables(c).EnsureCustomers(t.Context(), tables[0], ids[0]); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("a table that was deleted: %v, want ErrNotFound", err)
	}
}

// The API shows carts at the prices of the customer's table, and takes lines out of them.
func TestPriceTableInCarts(t *testing.T) {
	srv, _, c, ids, tables := dealers(t, 1)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	two := client.Set(2)
	must(unstable.PriceTables(c).Update(ctx, tables[0], client.PriceTableInput{CartMinimumQuantity: two}))
	must(unstable.PriceTables(c).AddCustomers(ctx, tables[0], ids[0]))
	must(unstable.PriceTables(c).ApproveCustomers(ctx, tables[0], ids[0]))
	var variants []client.ID
	for _, price := range []int64{1000, 3333} {
		p, err := unstable.Products(c).Create(ctx, client.ProductInput{Name: client.Plain("P"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(price))}}})
		must(err)
		variants = append(variants, p.Variants[0].ID)
	}
	basket, err := srv.Shop().NewCart(clienttest.Visitor{CustomerID: ids[0]})
	must(err)
	_, err = basket.Add(ctx, variants[0], 1)
	must(err)
	cart, err := basket.Add(ctx, variants[1], 1)
	must(err)
	if cart.Subtotal != client.Cents(3900) { // 9.00 + 30.00: 33.33 less 10 % is 29.997
		t.Errorf("subtotal %s, want 39.00", cart.Subtotal)
	}
	shown := func() string {
		t.Helper()
		c, err := unstable.Carts(c).Get(ctx, basket.ID)
		must(err)
		return string(c.Extra["products"])
	}
	if got := shown(); !strings.Contains(got, `"price":"9.00"`) || !strings.Contains(got, `"price":"30.00"`) {
		t.Errorf("the API shows %s", got)
	}
	must(unstable.Carts(c).RemoveLineItem(ctx, basket.ID, cart.Lines[1].ID))
	if got := shown(); !strings.Contains(got, `"price":"10.00"`) {
		t.Errorf("one item is less than the table requires: the API shows %s", got)
	}
	if p, err := unstable.Variants(c).Get(ctx, cart.Lines[0].ProductID, variants[0]); err != nil || *p.Price != client.Cents(1000) {
		t.Errorf("a variant is read at %v, %v: want its own price", p.Price, err)
	}
}

// With RepeatedCustomers204 the server accepts a repetition.
func TestRepeatedCustomers(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Demo: true, Readings: clienttest.Readings{RepeatedCustomers204: true}})
	c := srv.Client()
	customers, err := unstable.Customers(c).List(client.CustomerFilter{}).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	table, err := unstable.PriceTables(c).Create(t.Context(), client.PriceTableInput{Name: "W", DefaultDiscount: client.Set(client.Cents(0))})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := unstable.PriceTables(c).AddCustomers(t.Context(), table.ID, customers[0].ID); err != nil {
			t.Error(err)
		}
	}
}

// Exceptions and customers of a table are listed, read and removed one by one.
func TestPriceTableParts(t *testing.T) {
	_, _, c, ids, tables := dealers(t, 1)
	ctx, service := t.Context(), unstable.PriceTables(c)
	mug, err := unstable.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	kitchen, err := unstable.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Kitchen"}})
	if err != nil {
		t.Fatal(err)
	}
	table, variant := tables[0], mug.Variants[0].ID
	if err := errors.Join(
		service.SetCategories(ctx, table, client.PriceTableCategoryInput{CategoryID: kitchen.ID, Discount: client.Cents(1250)}),
		service.SetVariants(ctx, table, client.PriceTableVariantInput{ProductID: mug.ID, VariantID: variant, Price: client.Set(client.Cents(880))}),
		service.AddCustomers(ctx, table, ids[0]),
	); err != nil {
		t.Fatal(err)
	}
	categories, err := service.Categories(table, client.PriceTableFilter{}).Collect(ctx)
	if err != nil || len(categories) != 1 || categories[0].CategoryID != kitchen.ID || categories[0].Discount != client.Cents(1250) {
		t.Errorf("categories %+v, %v", categories, err)
	}
	variants, err := service.Variants(table, client.PriceTableFilter{}).Collect(ctx)
	if err != nil || len(variants) != 1 || variants[0].VariantID != variant || variants[0].Price == nil || *variants[0].Price != client.Cents(880) {
		t.Errorf("variants %+v, %v", variants, err)
	}
	of, err := service.OfCustomer(ids[0], client.PriceTableFilter{}).Collect(ctx)
	if err != nil || len(of) != 1 || of[0].ID != table {
		t.Errorf("the tables of the customer: %+v, %v", of, err)
	}

	for what, remove := range map[string]func() error{
		"category": func() error { return service.RemoveCategory(ctx, table, kitchen.ID) },
		"variant":  func() error { return service.RemoveVariant(ctx, table, variant) },
		"customer": func() error { return service.RemoveCustomer(ctx, table, ids[0]) },
	} {
		if err := remove(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := remove(); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("%s a second time: %v, want %v", what, err, client.ErrNotFound)
		}
	}
	left, err := service.Get(ctx, table)
	if err != nil || left.HasCategories || left.HasVariants || left.HasCustomers {
		t.Errorf("something is left: %+v, %v", left, err)
	}
	if of, err = service.OfCustomer(ids[0], client.PriceTableFilter{}).Collect(ctx); err != nil || len(of) != 0 {
		t.Errorf("the tables of the customer: %+v, %v", of, err)
	}
}
