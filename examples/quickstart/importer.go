package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// importCatalog creates the categories and then the products, several at a time.
func (s *session) importCatalog(ctx context.Context) error {
	if err := s.growTree(ctx); err != nil {
		return err
	}
	s.t.note("%s in the tree", count(len(s.tree), "category", "categories"))
	products := s.catalog.products
	refused := make([]error, len(products))
	bar := progress{t: s.t, what: "products", of: len(products)}
	next := make(chan int)
	var workers sync.WaitGroup
	for range s.o.workers {
		workers.Go(func() {
			for i := range next {
				products[i].made, refused[i] = s.create(ctx, products[i])
				bar.one()
			}
		})
	}
	for i := range products {
		next <- i
	}
	close(next)
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.reportImport(refused)
	return nil
}

func (s *session) reportImport(refused []error) {
	var failed []string
	for i, err := range refused {
		p := s.catalog.products[i]
		if err != nil {
			failed = append(failed, fmt.Sprintf("line %d, product %q: %v", p.line, p.handle, err))
			continue
		}
		s.inbox.expect(webhook.ProductCreated, p.made.ID)
	}
	s.t.check(len(failed) == 0, "%d of %d products imported", len(refused)-len(failed), len(refused))
	s.t.list(failed)
}

// create creates a product. If the outcome is unknown it looks for the product by its SKU before it tries once more. A
// product without a SKU cannot be found.
func (s *session) create(ctx context.Context, p *product) (*client.Product, error) {
	made, err := v202503.Products(s.client).Create(ctx, p.input)
	if errors.Is(err, client.ErrOutcomeUnknown) && p.hasSKU() {
		made, _, err = v202503.Products(s.client).CreateOrGet(ctx, p.input) // differences are found when it is read back
	}
	return made, err
}

func (p *product) hasSKU() bool {
	return slices.ContainsFunc(p.input.Variants, func(v client.VariantInput) bool {
		_, ok := v.SKU.Get()
		return ok
	})
}
