package postgres_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

// A receiver that counts each new order exactly once, however often it is told and whatever
// is killed.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	database, err := pgtest.Start(ctx) // for this example: an app has the URL of its own
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer database.Stop()
	if err := receiver(ctx, stop, database.URL()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// answered 200
	// answered 200
	// counted order 42
}

func receiver(ctx context.Context, stop func(), url string) error {
	inbox, err := postgres.OpenURL(ctx, url, postgres.Options{Queue: "example"})
	if err != nil {
		return err
	}
	defer inbox.Close()
	pool := inbox.Pool()
	if _, err := pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS counted (order_id bigint)"); err != nil {
		return err
	}

	var events webhook.Registry
	webhook.On(&events, webhook.OrderCreated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO counted VALUES ($1)", int64(d.Payload.ID)); err != nil {
				return err
			}
			return webhook.CommitTx(ctx, tx)
		})
		if err == nil {
			fmt.Println("counted order", d.Payload.ID)
		}
		stop() // the example is over
		return err
	})

	secret := client.Secret("5f2b1c9a7d3e4f60")
	handler := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}
	body := `{"store_id":123,"event":"order/created","id":42}`
	for range 2 { // the platform delivers twice
		r := httptest.NewRequest("POST", "/hooks", strings.NewReader(body))
		r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(body)))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println("answered", w.Code)
	}
	return (&webhook.Worker{Inbox: inbox, Registry: &events}).Run(ctx)
}
