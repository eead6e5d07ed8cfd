package main

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// goods are the products of the store, by SKU.
type goods map[string]*client.Product

// stock fills the store, as its merchant would.
func stock(ctx context.Context, c *client.Client) (goods, error) {
	mates, err := v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mates"}})
	if err != nil {
		return nil, err
	}
	all := goods{}
	for _, item := range []struct {
		sku, name, price string
		categories       []client.ID
	}{
		{"MATE-IMP", "Mate imperial", "40.00", []client.ID{mates.ID}},
		{"MATE-CAL", "Mate calabaza", "25.00", []client.ID{mates.ID}},
		{"BOMB-ALP", "Bombilla alpaca", "22.50", nil},
		{"YERBA-1K", "Yerba 1 kg", "12.40", nil},
	} {
		price, err := client.ParseMoney(item.price)
		if err != nil {
			return nil, err
		}
		all[item.sku], err = v202503.Products(c).Create(ctx, client.ProductInput{
			Name: client.Text{"en": item.name}, Categories: client.Set(item.categories),
			Variants: []client.VariantInput{{SKU: client.Set(item.sku), Price: client.Set(price)}},
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
