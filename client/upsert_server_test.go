package client_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// Set writes a metafield whether it is there or not, and nothing if it has the value already.
func TestMetafieldSet(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	p := must[*client.Product](t)(v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}}))
	in := client.MetafieldInput{Namespace: "app", Key: "size", Value: "L", OwnerResource: client.MetafieldOwnerProduct, OwnerID: p.ID}
	made := must[*client.Metafield](t)(v202503.Metafields(c).Set(t.Context(), in))
	writes := func() (n int) {
		for _, r := range srv.Requests() {
			if r.Method != "GET" {
				n++
			}
		}
		return n
	}
	before := writes()
	same := must[*client.Metafield](t)(v202503.Metafields(c).Set(t.Context(), in))
	if same.ID != made.ID || writes() != before {
		t.Errorf("the same value again: metafield %d after %d, and %d writes", same.ID, made.ID, writes()-before)
	}
	in.Value, in.Description = "M", client.Set("of the shirt")
	if m := must[*client.Metafield](t)(v202503.Metafields(c).Set(t.Context(), in)); m.ID != made.ID || m.Value != "M" || m.Description != "of the shirt" {
		t.Errorf("another value: %+v", m)
	}
	in.Description, in.Value = client.Opt[string]{}, "S"
	if m := must[*client.Metafield](t)(v202503.Metafields(c).Set(t.Context(), in)); m.Value != "S" || m.Description != "of the shirt" {
		t.Errorf("the description did not stay: %+v", m)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			in := in
			in.Key, in.Value = "race", fmt.Sprint(i)
			if _, err := v202503.Metafields(c).Set(t.Context(), in); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list := v202503.Metafields(c).ListFor(client.MetafieldOwnerProduct, client.MetafieldFilter{OwnerID: p.ID, Key: "race"})
	if page, err := list.Page(t.Context()); err != nil || len(page.Items) != 1 {
		t.Errorf("%d metafields after eight calls at once, %v", len(page.Items), err)
	}
	in.Value = ""
	if _, err := v202503.Metafields(c).Set(t.Context(), in); !errors.Is(err, client.ErrValidation) {
		t.Errorf("no value: %v, want ErrValidation", err)
	}
}

// Ensure leaves a field that fits as it is, adds what a list lacks, and refuses another type.
func TestCustomFieldEnsure(t *testing.T) {
	srv := clienttest.New(t)
	fields := v202503.ProductCustomFields(srv.Client())
	in := client.CustomFieldInput{Name: "Fabric", ValueType: client.ValueTypeTextList, Values: []string{"wool", "silk"}}
	made := must[*client.CustomField](t)(fields.Ensure(t.Context(), in))
	in.Values = []string{"silk", "linen"}
	again := must[*client.CustomField](t)(fields.Ensure(t.Context(), in))
	var values []string
	for _, v := range again.Values {
		values = append(values, v.Value)
	}
	slices.Sort(values)
	if again.ID != made.ID || !slices.Equal(values, []string{"linen", "silk", "wool"}) {
		t.Errorf("field %s after %s, with %q", again.ID, made.ID, values)
	}
	before := len(srv.Requests())
	if f := must[*client.CustomField](t)(fields.Ensure(t.Context(), in)); f.ID != made.ID || len(srv.Requests()) != before+1 {
		t.Errorf("field %s after %s by %d requests, want the same by one", f.ID, made.ID, len(srv.Requests())-before)
	}
	in.ValueType, in.Values = client.ValueTypeText, nil
	if f, err := fields.Ensure(t.Context(), in); !errors.Is(err, client.ErrValidation) || f != nil {
		t.Errorf("another type: %v, %v; want ErrValidation", f, err)
	}
}

// Any number of variants get their prices, in calls of 50; what is wrong spoils nothing else.
func TestStockPrices(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	products := map[client.ID]*client.Product{}
	var changes []client.StockPrice
	for i := range 30 {
		in := client.ProductInput{Name: client.Text{"en": fmt.Sprint("Mug ", i)}, Attributes: []client.Text{{"en": "Size"}}}
		for j := range 1 + i%7 {
			in.Variants = append(in.Variants, client.VariantInput{Price: client.Set(client.Cents(100)), Values: []client.Text{{"en": fmt.Sprint(j)}}})
		}
		p := must[*client.Product](t)(v202503.Products(c).Create(t.Context(), in))
		products[p.ID] = p
		change := client.StockPrice{ProductID: p.ID}
		for _, v := range p.Variants {
			change.Variants = append(change.Variants, client.VariantStockPrice{VariantID: v.ID, Price: client.Set(client.Cents(int64(v.ID % 1000)))})
		}
		changes = append(changes, change)
	}
	last := client.StockPrice{ProductID: changes[0].ProductID, Variants: []client.VariantStockPrice{{VariantID: changes[0].Variants[0].VariantID, Price: client.Set(client.Cents(7))}}}
	wrong := client.StockPrice{ProductID: changes[3].ProductID}
	given := append(slices.Insert(slices.Clone(changes), 10, wrong), last)
	before := len(srv.Requests())
	succeeded, failed := 0, 0
	for result, err := range v202503.Products(c).StockPrices(t.Context(), slices.Values(given)) {
		if err != nil {
			failed++
			if result.ProductID != wrong.ProductID || !errors.Is(err, client.ErrValidation) {
				t.Errorf("product %d: %v", result.ProductID, err)
			}
			continue
		}
		for _, v := range result.Variants {
			if v.Success {
				succeeded++
			}
		}
	}
	total := 1
	for _, c := range changes {
		total += len(c.Variants)
	}
	if failed != 1 || succeeded != total {
		t.Errorf("%d failed and %d variants were changed, want 1 and %d", failed, succeeded, total)
	}
	if calls := len(srv.Requests()) - before; calls != 3 { // the product that is wrong ends the first
		t.Errorf("%d calls for %d variants, want 3", calls, total)
	}
	for id, p := range products {
		for _, v := range p.Variants {
			want := client.Cents(int64(v.ID % 1000))
			if v.ID == last.Variants[0].VariantID {
				want = client.Cents(7)
			}
			if got := must[*client.Variant](t)(v202503.Variants(c).Get(t.Context(), id, v.ID)); got.Price == nil || !got.Price.Equal(want) {
				t.Errorf("variant %d costs %v, want %s", v.ID, got.Price, want)
			}
		}
	}
}

// A call that fails is the error of its products, and of no others; two changes of a variant are two calls.
func TestStockPricesFail(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	p := must[*client.Product](t)(v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}}))
	change := func(price int64) client.StockPrice {
		return client.StockPrice{ProductID: p.ID, Variants: []client.VariantStockPrice{{VariantID: p.Variants[0].ID, Price: client.Set(client.Cents(price))}}}
	}
	if err := srv.Fault(clienttest.Fault{Operation: "PATCH /products/stock-price", Status: 422, Count: 1}); err != nil {
		t.Fatal(err)
	}
	var errs []error
	for result, err := range v202503.Products(c).StockPrices(t.Context(), slices.Values([]client.StockPrice{change(100), change(200)})) {
		if result.ProductID != p.ID {
			t.Errorf("a result of product %d", result.ProductID)
		}
		errs = append(errs, err)
	}
	if len(errs) != 2 || !errors.Is(errs[0], client.ErrValidation) || errs[1] != nil {
		t.Errorf("got %v, want a refusal and then none", errs)
	}
}
