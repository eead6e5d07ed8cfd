package main

import (
	"context"
	"fmt"
	"os"

	"github.com/google/go-github/v92/github"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := github.NewClient(github.WithAuthToken(os.Getenv("TOKEN")))
	if err != nil {
		return err
	}
	repository, _, err := c.Repositories.GetByID(ctx, 1)
	if err != nil {
		return err
	}
	fmt.Println(repository.GetID(), repository.GetName())
	return nil
}
