package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

const secret client.Secret = "5f2b1c9a7d3e4f60"

// world is what is true and what handlers made of it, in tables beside the inbox: products have
// versions, of which signals tell and handlers keep a copy; orders are created once, of which facts tell, and have
// an effect. Each test has its own.
type world struct {
	pool  *pgxpool.Pool
	queue string

	orders  atomic.Int64
	mu      sync.Mutex
	created map[int64]bool // orders whose delivery was acknowledged
	again   [][]byte       // deliveries that were not: the platform repeats them
}

const worldSQL = `
CREATE TABLE IF NOT EXISTS world_product (queue text, id bigint, version bigint NOT NULL, PRIMARY KEY (queue, id));
CREATE TABLE IF NOT EXISTS world_copy (queue text, id bigint, version bigint NOT NULL, fence bigint NOT NULL, PRIMARY KEY (queue, id));
CREATE TABLE IF NOT EXISTS world_effect (queue text, id bigint, number bigserial);
CREATE INDEX IF NOT EXISTS world_effect_id ON world_effect (queue, id);`

// newWorld has so many products.
func newWorld(t testing.TB, pool *pgxpool.Pool, queue string, products int) *world {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT pg_advisory_xact_lock(1)"); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), worldSQL)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"world_product (queue, id, version)", "world_copy (queue, id, version, fence)"} {
		values := "$1, n, 0"
		if table != "world_product (queue, id, version)" {
			values += ", 0"
		}
		if _, err := pool.Exec(t.Context(), "INSERT INTO "+table+" SELECT "+values+" FROM generate_series(1, $2::bigint) n", queue, products); err != nil {
			t.Fatal(err)
		}
	}
	return &world{pool: pool, queue: queue, created: make(map[int64]bool)}
}

// change gives a product a new version. The commit need not be durable, because it precedes the entry of its event in
// the log.
func (w *world) change(ctx context.Context, id int64) (version int64, err error) {
	b := &pgx.Batch{}
	b.Queue("SELECT set_config('synchronous_commit', 'off', true)")
	b.Queue("UPDATE world_product SET version = version + 1 WHERE queue = $1 AND id = $2 RETURNING version", w.queue, id).
		QueryRow(func(row pgx.Row) error { return row.Scan(&version) })
	return version, w.pool.SendBatch(ctx, b).Close()
}

// acknowledged notes that an order was accepted.
func (w *world) acknowledged(order int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.created[order] = true
}

// unheard notes that a delivery was not acknowledged.
func (w *world) unheard(body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = append(w.again, body)
}

// redeliver repeats what was not acknowledged.
func (w *world) redeliver(t *testing.T, in *Inbox) {
	t.Helper()
	events := w.handlers()
	var entries []webhook.Entry
	for _, body := range w.again {
		entries = append(entries, events.Entry("", "", body))
	}
	if _, err := in.Accept(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d deliveries repeated at the end, which were not acknowledged", len(w.again))
}

// handlers are those of a receiver: the copy is guarded by the fence, and the effect is one
// transaction with the end of the entry.
func (w *world) handlers() *webhook.Registry {
	var r webhook.Registry
	webhook.On(&r, webhook.OrderCreated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO world_effect (queue, id) VALUES ($1, $2)", w.queue, int64(d.Payload.ID)); err != nil {
				return err
			}
			return webhook.CommitTx(ctx, tx)
		})
	})
	webhook.On(&r, webhook.ProductUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		return w.copy(ctx, int64(d.Payload.ID), webhook.Fence(ctx))
	})
	return &r
}

var errStale = errors.New("a later lease has written")

// copy reads a product and writes the copy, in two steps, between which anything may happen.
func (w *world) copy(ctx context.Context, id int64, fence uint64) error {
	var version int64
	if err := w.pool.QueryRow(ctx, "SELECT version FROM world_product WHERE queue = $1 AND id = $2", w.queue, id).Scan(&version); err != nil {
		return err
	}
	tag, err := w.pool.Exec(ctx, "UPDATE world_copy SET version = $3, fence = $4 WHERE queue = $1 AND id = $2 AND fence <= $4",
		w.queue, id, version, int64(fence))
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// verify compares what handlers did with what is true: nothing is lost, and no effect is there twice.
func (w *world) verify(t *testing.T) {
	t.Helper()
	rows, err := w.pool.Query(t.Context(), "SELECT id, count(*) FROM world_effect WHERE queue = $1 GROUP BY id", w.queue)
	if err != nil {
		t.Fatal(err)
	}
	effects := make(map[int64]int)
	var id int64
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&id, &n}, func() error {
		effects[id] = n
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	lost, double := 0, 0
	for order := range w.created {
		if effects[order] == 0 {
			lost++
		}
	}
	for _, n := range effects {
		if n > 1 {
			double++
		}
	}
	var stale int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM world_product p JOIN world_copy c USING (queue, id)
		WHERE p.queue = $1 AND c.version <> p.version`, w.queue).Scan(&stale); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d orders acknowledged, %d effects: %d lost, %d double; %d products stale", len(w.created), len(effects), lost, double, stale)
	if lost > 0 || double > 0 || stale > 0 {
		t.Errorf("%d lost, %d double effects, %d stale products, want 0 of each", lost, double, stale)
	}
}

// drained waits until nothing is pending. To count takes a tenth of the time at most: it is work that the worker waits
// for.
func drained(t *testing.T, in *Inbox) {
	t.Helper()
	for {
		began := time.Now()
		s, err := in.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Dead > 0 {
			letters, _ := in.Dead(t.Context(), "", 1)
			t.Fatalf("%d entries are dead, the first of them: %s", s.Dead, letters[0].Cause)
		}
		if s.Pending == 0 {
			return
		}
		<-time.After(max(quick, 10*time.Since(began)))
	}
}

// work runs a worker until the function that it returns is called.
func work(t *testing.T, w *webhook.Worker) (stop func()) {
	t.Helper()
	w.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stopped := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stopped)
	return stopped
}

// body is what the platform sends.
func body(event webhook.Name, id int64) []byte {
	return fmt.Appendf(nil, `{"store_id":123,"event":%q,"id":%d}`, event, id)
}

// post sends a delivery as the platform does, and returns the status.
func post(p *bench.Poster, url string, body []byte) (int, error) {
	return p.Post(url, webhook.SignatureHeader, webhook.Sign(secret, body), body)
}
