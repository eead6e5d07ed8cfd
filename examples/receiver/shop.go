package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// shop is the store and the people who work in it.
type shop struct {
	client     *client.Client
	rand       *rand.Rand
	products   []client.ID // existing products
	categories []client.ID
	made       map[webhookOf]int // numbers of created and deleted records
	names      int
}

// webhookOf names an event that happens to a record once.
type webhookOf string

func newShop(c *client.Client) *shop {
	return &shop{client: c, rand: rand.New(rand.NewPCG(1, 2)), made: map[webhookOf]int{}}
}

// work changes the store n times.
func (s *shop) work(ctx context.Context, n int) error {
	acts := []func(context.Context) error{
		s.addProduct, s.addCategory, s.renameProduct, s.renameProduct, s.renameProduct, s.renameCategory, s.addProduct, s.deleteProduct,
	}
	for i := range n {
		if err := acts[i%len(acts)](ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) name() client.Text {
	s.names++
	return client.Text{"en": fmt.Sprintf("Thing %d", s.names)}
}

func (s *shop) addProduct(ctx context.Context) error {
	p, err := v202503.Products(s.client).Create(ctx, client.ProductInput{Name: s.name()})
	if err != nil {
		return err
	}
	s.products = append(s.products, p.ID)
	s.made["product/created"]++
	return nil
}

func (s *shop) addCategory(ctx context.Context) error {
	c, err := v202503.Categories(s.client).Create(ctx, client.CategoryInput{Name: s.name()})
	if err != nil {
		return err
	}
	s.categories = append(s.categories, c.ID)
	s.made["category/created"]++
	return nil
}

// renameProduct prefers the newest product, so that events of one product arrive close together.
func (s *shop) renameProduct(ctx context.Context) error {
	i := len(s.products) - 1 - s.rand.IntN(min(3, len(s.products)))
	_, err := v202503.Products(s.client).Update(ctx, s.products[i], client.ProductInput{Name: s.name()})
	return err
}

func (s *shop) renameCategory(ctx context.Context) error {
	_, err := v202503.Categories(s.client).Update(ctx, s.categories[s.rand.IntN(len(s.categories))], client.CategoryInput{Name: s.name()})
	return err
}

func (s *shop) deleteProduct(ctx context.Context) error {
	i := s.rand.IntN(len(s.products))
	if err := v202503.Products(s.client).Delete(ctx, s.products[i]); err != nil {
		return err
	}
	s.products = slices.Delete(s.products, i, i+1)
	s.made["product/deleted"]++
	return nil
}

// states returns the expected states in a mirror of the store.
func (s *shop) states(ctx context.Context) (map[string]string, error) {
	states := map[string]string{}
	for p, err := range v202503.Products(s.client).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return nil, err
		}
		states[record{resource: "product", id: int64(p.ID)}.name()] = productState(p)
	}
	for c, err := range v202503.Categories(s.client).List(client.CategoryFilter{}).All(ctx) {
		if err != nil {
			return nil, err
		}
		states[record{resource: "category", id: int64(c.ID)}.name()] = categoryState(c)
	}
	return states, nil
}
