package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// jobs is a queue of one's own in a table: one row for each key, which counts arrivals.
type jobs struct{ pool *pgxpool.Pool }

// Deliver implements webhook.Sink. It returns when the row is on disk.
func (j jobs) Deliver(ctx context.Context, e webhook.Entry) error {
	entry, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = j.pool.Exec(ctx, `INSERT INTO jobs AS j (key, entry, generation) VALUES ($1, $2, 1)
		ON CONFLICT (key) DO UPDATE SET entry = excluded.entry, generation = j.generation + 1`, e.Key, entry)
	return err
}

// work takes one row and handles it. The row goes only if nothing arrived meanwhile: another
// arrival may tell of a change that the handler has not seen.
func (j jobs) work(ctx context.Context, events *webhook.Registry) error {
	var key string
	var entry []byte
	var generation int
	err := j.pool.QueryRow(ctx, "SELECT key, entry, generation FROM jobs LIMIT 1").Scan(&key, &entry, &generation)
	if errors.Is(err, pgx.ErrNoRows) {
		fmt.Println("nothing to do")
		return nil
	}
	var e webhook.Entry
	if err = errors.Join(err, json.Unmarshal(entry, &e)); err != nil {
		return err
	}
	if err := events.Handle(ctx, e); err != nil {
		return err
	}
	_, err = j.pool.Exec(ctx, "DELETE FROM jobs WHERE key = $1 AND generation = $2", key, generation)
	return err
}

// A queue in a table of one's own takes the place of the inbox. This one is for a single
// worker: the inbox of this package adds leases, lanes, pauses after failures and dead letters.
func Example_sink() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	database, err := pgtest.Start(ctx) // for this example: an app has the URL of its own
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer database.Stop()
	if err := withSink(ctx, database.URL()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 200 <nil>
	// 200 <nil>
	// order 42 of store 123
	// nothing to do
}

func withSink(ctx context.Context, url string) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS jobs (key text PRIMARY KEY, entry jsonb NOT NULL, generation int NOT NULL)"); err != nil {
		return err
	}
	queue := jobs{pool}
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Println("order", d.Payload.ID, "of store", d.StoreID)
		return nil
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events, Sink: queue}
	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	for range 2 { // the platform delivers twice
		fmt.Println(sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 42})))
	}
	if err := queue.work(ctx, &events); err != nil {
		return err
	}
	return queue.work(ctx, &events)
}
