package main

import (
	"context"
	"fmt"
	"os"

	"github.com/stripe/stripe-go/v85"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	customer, err := stripe.NewClient(os.Getenv("TOKEN")).V1Customers.Retrieve(ctx, "cus_1", nil)
	if err != nil {
		return err
	}
	fmt.Println(customer.ID, customer.Name)
	return nil
}
