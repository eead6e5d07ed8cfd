package main

import (
	"context"
	"fmt"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := client.New(client.Config{
		BaseURL: os.Getenv("BASE"), StoreID: 1, Token: client.StaticToken(client.Secret(os.Getenv("TOKEN"))),
		UserAgent: "Build (build@app.example)",
	})
	if err != nil {
		return err
	}
	product, err := v202503.Products(c).Get(ctx, 1)
	if err != nil {
		return err
	}
	fmt.Println(product.ID, product.Name)
	return nil
}
