package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, os.Getenv("BASE")+"/products/1", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var product struct {
		ID   int64
		Name map[string]string
	}
	if err := json.NewDecoder(resp.Body).Decode(&product); err != nil {
		return err
	}
	fmt.Println(product.ID, product.Name)
	return nil
}
