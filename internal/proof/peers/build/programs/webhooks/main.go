package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

func main() {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		_, err := fmt.Println(d.StoreID, d.Payload.ID)
		return err
	})
	http.Handle("POST /hooks", &webhook.Handler{Secrets: []value.Secret{value.Secret(os.Getenv("SECRET"))}, Registry: &events})
	if err := http.ListenAndServe("127.0.0.1:8080", nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
