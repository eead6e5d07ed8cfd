package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// shop is the store of the demonstration and the people who work in it.
type shop struct {
	client   *client.Client
	clock    *clienttest.Clock
	rand     *rand.Rand
	products []*client.Product // made by fill or work; others are not changed
	orders   []client.ID
	made     int
}

func newShop(server *clienttest.Server) *shop {
	return &shop{client: server.Client(), clock: server.Clock(), rand: rand.New(rand.NewPCG(1, 2))}
}

// fill gives the store n products and n orders, one of each a minute.
func (s *shop) fill(ctx context.Context, n int) error {
	return s.repeat(ctx, n, s.addProduct, s.addOrder)
}

// work changes, adds and deletes records in any part of the lists. Orders cannot be deleted.
func (s *shop) work(ctx context.Context) error {
	return s.repeat(ctx, 3, s.rename, s.note, s.cancel, s.deleteProduct, s.addProduct, s.addOrder)
}

func (s *shop) repeat(ctx context.Context, n int, acts ...func(context.Context) error) error {
	for range n {
		for _, act := range acts {
			if err := act(ctx); err != nil {
				return err
			}
		}
		s.clock.Advance(time.Minute)
	}
	return nil
}

func (s *shop) addProduct(ctx context.Context) error {
	s.made++
	p, err := v202503.Products(s.client).Create(ctx, client.ProductInput{
		Name:  client.Text{"en": fmt.Sprintf("Mug %d", s.made)},
		Brand: client.Set("Clay & Sons"),
		Variants: []client.VariantInput{{
			SKU: client.Set(fmt.Sprintf("MUG-%d", s.made)), Price: client.Set(client.Cents(100 + s.rand.Int64N(100_000))),
		}},
	})
	s.products = append(s.products, p)
	return err
}

func (s *shop) addOrder(ctx context.Context) error {
	s.made++
	o, err := v202503.Orders(s.client).Create(ctx, client.OrderInput{
		Gateway: "offline",
		Customer: client.OrderCustomerInput{
			Name: fmt.Sprintf("Customer %d", s.made), Email: fmt.Sprintf("customer-%d@mail.example", s.made),
		},
		Products: []client.OrderProductInput{{VariantID: s.any().Variants[0].ID, Quantity: 1 + s.rand.IntN(3)}},
	})
	if err == nil {
		s.orders = append(s.orders, o.ID)
	}
	return err
}

func (s *shop) any() *client.Product { return s.products[s.rand.IntN(len(s.products))] }

func (s *shop) rename(ctx context.Context) error {
	s.made++
	name := client.ProductInput{Name: client.Text{"en": fmt.Sprintf("Renamed %d", s.made)}}
	_, err := v202503.Products(s.client).Update(ctx, s.any().ID, name)
	return err
}

func (s *shop) deleteProduct(ctx context.Context) error {
	i := s.rand.IntN(len(s.products))
	err := v202503.Products(s.client).Delete(ctx, s.products[i].ID)
	s.products = slices.Delete(s.products, i, i+1)
	return err
}

func (s *shop) note(ctx context.Context) error {
	s.made++
	note := client.OrderUpdate{OwnerNote: client.Set(fmt.Sprintf("Note %d", s.made))}
	_, err := v202503.Orders(s.client).Update(ctx, s.orders[s.rand.IntN(len(s.orders))], note)
	return err
}

// cancel cancels the newest order, which is still open.
func (s *shop) cancel(ctx context.Context) error {
	_, err := v202503.Orders(s.client).Cancel(ctx, s.orders[len(s.orders)-1], client.OrderCancel{Reason: client.CancelReasonCustomer})
	return err
}
