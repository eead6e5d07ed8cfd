package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
)

// basket returns a cart. Each line is a text such as "1 of 10.00 in 7": the pieces, the price and the id of the
// category. The id of a product is the index of its line.
func basket(t *testing.T, lines ...string) *discounts.Cart {
	t.Helper()
	c := &discounts.Cart{ID: "1", StoreID: 1, Tier: promotions.TierLineItems, Currency: "ARS"}
	for i, text := range lines {
		var pieces, category int64
		var price string
		if _, err := fmt.Sscanf(text, "%d of %s in %d", &pieces, &price, &category); err != nil {
			t.Fatal(err)
		}
		c.Products = append(c.Products, discounts.LineItem{
			ID: client.ID(100 + i), ProductID: client.ID(i), Price: client.MustMoney(price), Quantity: client.Int(pieces),
			Categories: []discounts.CategoryRef{{ID: client.ID(category)}},
		})
	}
	return c
}

func TestLines(t *testing.T) {
	o := newOffers()
	o.ThreeForTwo.category = 7
	o.Bundle.products, o.Bundle.Price = []client.ID{0, 1, 2}, client.MustMoney("10.00")
	own := []promotions.Promotion{
		{ID: uuid.MustParse("11111111-1111-4111-8111-111111111111"), Name: o.ThreeForTwo.Promotion, Tier: promotions.TierLineItems, Active: true},
		{ID: uuid.MustParse("22222222-2222-4222-8222-222222222222"), Name: o.Bundle.Promotion, Tier: promotions.TierLineItems, Active: true},
	}
	for _, v := range []struct {
		name  string
		lines []string
		want  string // line and amount, in the order of the answer
	}{
		{"nothing", nil, ""},
		{"two of the category", []string{"2 of 5.00 in 7"}, ""},
		{"three", []string{"3 of 5.00 in 7"}, "100 5.00"},
		{"eight on two lines", []string{"7 of 5.00 in 7", "1 of 4.00 in 7"}, "100 5.00 101 4.00"},
		{"another category", []string{"3 of 5.00 in 8"}, ""},
		{"a kit, with a share that does not divide", []string{"1 of 3.33 in 0", "1 of 3.33 in 0", "1 of 3.35 in 0"}, "102 0.01"},
		{"two kits", []string{"2 of 10.00 in 0", "3 of 10.00 in 0", "2 of 10.01 in 0"}, "100 13.34 101 13.33 102 13.35"},
		{"a kit whose first part is free", []string{"1 of 0.00 in 0", "1 of 9.99 in 0", "1 of 10.00 in 0"}, "101 4.99 102 5.00"},
		{"a kit whose last part is free", []string{"1 of 10.00 in 0", "1 of 9.99 in 0", "1 of 0.00 in 0"}, "100 5.00 101 4.99"},
		{"a kit that would cost more", []string{"1 of 3.00 in 0", "1 of 3.00 in 0", "1 of 3.00 in 0"}, ""},
		{"a kit of the category, and three left", []string{"4 of 10.00 in 7", "1 of 10.00 in 0", "1 of 10.00 in 0"}, "100 6.67 101 6.67 102 6.66 100 10.00"},
		{"a kit of the category, and two left", []string{"3 of 10.00 in 7", "1 of 10.00 in 0", "1 of 10.00 in 0"}, "100 6.67 101 6.67 102 6.66"},
		{"no part of the kit", []string{"1 of 10.00 in 0", "1 of 10.00 in 0"}, ""},
		{"free pieces", []string{"3 of 0.00 in 7"}, ""},
	} {
		answer, err := o.plans().Evaluate(t.Context(), basket(t, v.lines...), own)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		var got []string
		for _, part := range strings.Split(string(answer), `"line_item":"`)[1:] {
			line, rest, _ := strings.Cut(part, `"`)
			_, rest, _ = strings.Cut(rest, `"amount":"`)
			amount, _, _ := strings.Cut(rest, `"`)
			got = append(got, line, amount)
		}
		if strings.Join(got, " ") != v.want {
			t.Errorf("%s: got %s, want %s", v.name, strings.Join(got, " "), v.want)
		}
	}
	// A promotion that the merchant has switched off is not planned.
	own[0].Active, own[1].Active = false, false
	if answer, err := o.plans().Evaluate(t.Context(), basket(t, "3 of 5.00 in 7"), own); answer != nil || err != nil {
		t.Errorf("switched off: got %s, %v", answer, err)
	}
}
