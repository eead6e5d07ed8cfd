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

// shop is the store of the demonstration and those who work in it.
type shop struct {
	api      *v202503.API
	clock    *clienttest.Clock
	rand     *rand.Rand
	products []client.ID // those that it had before are left alone
	variants []client.ID // the first of each product
	orders   []client.ID
	made     int
}

func newShop(server *clienttest.Server) *shop {
	return &shop{api: v202503.New(server.Client()), clock: server.Clock(), rand: rand.New(rand.NewPCG(1, 2))}
}

// fill gives the store products and orders, one a minute.
func (s *shop) fill(ctx context.Context, products, orders int) error {
	for len(s.products) < products {
		if err := s.addProduct(ctx); err != nil {
			return err
		}
		s.clock.Advance(time.Minute)
	}
	for len(s.orders) < orders {
		if err := s.addOrder(ctx); err != nil {
			return err
		}
		s.clock.Advance(time.Minute)
	}
	return nil
}

func (s *shop) addProduct(ctx context.Context) error {
	s.made++
	things, colours := []string{"Mug", "Plate", "Lamp", "Chair", "Vase"}, []string{"Red", "Blue", "Green", "Black"}
	in := client.ProductInput{
		Name:       client.Text{"en": fmt.Sprintf("%s %d", things[s.made%len(things)], s.made)},
		Brand:      client.Set("Clay & Sons"),
		Tags:       client.Set(client.JoinTags("new", "generated")),
		Attributes: []client.Text{{"en": "Colour"}},
	}
	for i := range 1 + s.made%len(colours) {
		in.Variants = append(in.Variants, client.VariantInput{
			Values: []client.Text{{"en": colours[i]}},
			SKU:    client.Set(fmt.Sprintf("GEN-%d-%d", s.made, i)),
			Price:  client.Set(s.price()),
			Stock:  client.Set(client.Stock(s.rand.IntN(50))),
		})
	}
	p, err := s.api.Products.Create(ctx, in)
	if err != nil {
		return err
	}
	s.products, s.variants = append(s.products, p.ID), append(s.variants, p.Variants[0].ID)
	return nil
}

func (s *shop) addOrder(ctx context.Context) error {
	s.made++
	o, err := s.api.Orders.Create(ctx, client.OrderInput{
		Gateway:  "offline",
		Customer: client.OrderCustomerInput{Name: fmt.Sprintf("Customer %d", s.made), Email: fmt.Sprintf("customer-%d@mail.example", s.made)},
		Products: []client.OrderProductInput{{VariantID: s.variants[s.rand.IntN(len(s.variants))], Quantity: 1 + s.rand.IntN(3)}},
	})
	if err != nil {
		return err
	}
	s.orders = append(s.orders, o.ID)
	return nil
}

// work changes 2n products and 2n orders, wherever they are, adds n of each and deletes n products. Orders cannot be
// deleted.
func (s *shop) work(ctx context.Context, n int) (what string, err error) {
	for range n {
		for _, act := range []func(context.Context) error{
			s.rename, s.changePrice, s.note, s.cancel, s.deleteProduct, s.addProduct, s.addOrder,
		} {
			if err := act(ctx); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("%d products changed, %d added, %d deleted, %d orders changed, %d added", 2*n, n, n, 2*n, n), nil
}

func (s *shop) rename(ctx context.Context) error {
	s.made++
	_, err := s.api.Products.Update(ctx, s.products[s.rand.IntN(len(s.products))], client.ProductInput{Name: client.Text{"en": fmt.Sprintf("Renamed %d", s.made)}})
	return err
}

func (s *shop) changePrice(ctx context.Context) error {
	i := s.rand.IntN(len(s.products))
	_, err := s.api.Variants.Update(ctx, s.products[i], s.variants[i], client.VariantInput{Price: client.Set(s.price())})
	return err
}

func (s *shop) deleteProduct(ctx context.Context) error {
	i := s.rand.IntN(len(s.products))
	err := s.api.Products.Delete(ctx, s.products[i])
	s.products, s.variants = slices.Delete(s.products, i, i+1), slices.Delete(s.variants, i, i+1)
	return err
}

func (s *shop) note(ctx context.Context) error {
	s.made++
	_, err := s.api.Orders.Update(ctx, s.orders[s.rand.IntN(len(s.orders))], client.OrderUpdate{OwnerNote: client.Set(fmt.Sprintf("Note %d", s.made))})
	return err
}

// cancel cancels the newest order, which is still open.
func (s *shop) cancel(ctx context.Context) error {
	_, err := s.api.Orders.Cancel(ctx, s.orders[len(s.orders)-1], client.OrderCancel{Reason: client.CancelReasonCustomer})
	return err
}

func (s *shop) price() client.Money { return client.Cents(100 + s.rand.Int64N(100_000)) }
