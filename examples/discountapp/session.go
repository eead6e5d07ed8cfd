package main

import (
	"context"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// session is a customer who fills a cart.
type session struct {
	out    io.Writer
	shop   *clienttest.Shop
	goods  goods
	basket *clienttest.Basket
	cart   clienttest.Cart
}

// act is one action of the customer.
type act struct {
	title string
	do    func(context.Context) (clienttest.Cart, error)
}

// play performs the customer's actions, and prints the cart before and after each.
func (s *session) play(ctx context.Context) error {
	var err error
	if s.basket, err = s.shop.NewCart(clienttest.Visitor{}); err != nil {
		return err
	}
	if s.cart, err = s.basket.Cart(); err != nil {
		return err
	}
	for i, step := range []act{
		{"puts two imperial mates into the cart", s.add("MATE-IMP", 2)},
		{"adds a mate of calabash: the cheapest of three is free", s.add("MATE-CAL", 1)},
		{"adds a straw", s.add("BOMB-ALP", 1)},
		{"adds yerba: a mate, the straw and the yerba are a kit, and two mates are left", s.add("YERBA-1K", 1)},
		{"takes five imperial mates: all is over 200.00", s.set("MATE-IMP", 5)},
		{"takes the yerba out: no kit, and two of six mates are free", s.set("YERBA-1K", 0)},
		{"asks for delivery, and nothing changes", s.deliver},
		{"takes one imperial mate only", s.set("MATE-IMP", 1)},
	} {
		fmt.Fprintf(s.out, "\n%d. The customer %s\n", i+1, step.title)
		s.print("before", s.cart)
		if s.cart, err = step.do(ctx); err != nil {
			return err
		}
		s.print("after ", s.cart)
	}
	return nil
}

func (s *session) add(sku string, pieces int) func(context.Context) (clienttest.Cart, error) {
	return func(ctx context.Context) (clienttest.Cart, error) {
		return s.basket.Add(ctx, s.goods[sku].Variants[0].ID, pieces)
	}
}

// set changes the pieces of a line; 0 removes it.
func (s *session) set(sku string, pieces int) func(context.Context) (clienttest.Cart, error) {
	return func(ctx context.Context) (clienttest.Cart, error) {
		line := s.line(s.goods[sku].ID)
		if pieces == 0 {
			return s.basket.Remove(ctx, line)
		}
		return s.basket.SetQuantity(ctx, line, pieces)
	}
}

func (s *session) deliver(ctx context.Context) (clienttest.Cart, error) {
	return s.basket.SetDestination(ctx, clienttest.Destination{Country: "AR", City: "Rosario", Zipcode: "2000"})
}

func (s *session) line(product client.ID) client.ID {
	for _, l := range s.cart.Lines {
		if l.ProductID == product {
			return l.ID
		}
	}
	return 0
}

func (s *session) print(when string, c clienttest.Cart) {
	fmt.Fprintf(s.out, "   %s  %s - %s = %s\n", when, c.Subtotal, c.Promotions, c.Total)
	for _, l := range c.Lines {
		fmt.Fprintf(s.out, "           %d x %-16s %7s %8s\n", l.Quantity, l.Name, l.Price, l.Full)
		for _, d := range c.Discounts {
			if d.LineID == l.ID {
				fmt.Fprintf(s.out, "               %-30s %9s\n", d.Text["en"], "-"+d.Amount.String())
			}
		}
	}
	for _, d := range c.Discounts {
		if d.LineID == 0 {
			fmt.Fprintf(s.out, "           %-34s %9s\n", d.Text["en"], "-"+d.Amount.String())
		}
	}
}
