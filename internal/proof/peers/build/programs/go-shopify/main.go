package main

import (
	"context"
	"fmt"
	"os"

	goshopify "github.com/bold-commerce/go-shopify/v4"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := goshopify.NewClient(goshopify.App{}, os.Getenv("SHOP"), os.Getenv("TOKEN"))
	if err != nil {
		return err
	}
	product, err := c.Product.Get(ctx, 1, nil)
	if err != nil {
		return err
	}
	fmt.Println(product.Id, product.Title)
	return nil
}
