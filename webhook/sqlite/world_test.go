package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// world is a shop whose products change, and an app that copies them. The truth is in this process, the copies
// are in the file of the inbox.
type world struct {
	in   *sqlite.Inbox
	path string
	shop string // the address of the shop

	products []atomic.Int64 // the versions, by number from 1
	orders   atomic.Int64   // the last number

	mu      sync.Mutex
	heard   map[int64]int64 // by product: the version of which a delivery was acknowledged
	created map[int64]bool  // the orders of which a delivery was acknowledged
}

const worldSQL = `
	CREATE TABLE IF NOT EXISTS copy (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, fence INTEGER NOT NULL);
	CREATE TABLE IF NOT EXISTS shipment (id INTEGER NOT NULL);
	CREATE INDEX IF NOT EXISTS shipment_id ON shipment (id)`

// newWorld opens an inbox for a world with so many products.
func newWorld(t testing.TB, products int) *world {
	t.Helper()
	w := &world{path: file(t), products: make([]atomic.Int64, products+1), heard: make(map[int64]int64), created: make(map[int64]bool)}
	w.in = inbox(t, w.path, sqlite.Options{})
	if _, err := w.in.DB().Exec(worldSQL); err != nil {
		t.Fatal(err)
	}
	shop := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || id < 0 || id >= len(w.products) {
			http.NotFound(rw, r)
			return
		}
		_, _ = fmt.Fprint(rw, w.products[id].Load())
	}))
	t.Cleanup(shop.Close)
	w.shop = shop.URL
	return w
}

// reader keeps a connection to the shop for each handler of a worker: http.DefaultClient keeps two, and would dial for
// most reads.
var reader = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: webhook.DefaultConcurrency}}

// read asks the shop for the version of a product.
func (w *world) read(ctx context.Context, id int64) (version int64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%d", w.shop, id), nil)
	if err != nil {
		return 0, err
	}
	answer, err := reader.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = fmt.Fscan(answer.Body, &version)
	return version, err
}

// handlers are those of an app: the copy is guarded by the fence, and a shipment is one transaction with the end
// of the entry.
func (w *world) handlers() *webhook.Registry {
	var r webhook.Registry
	webhook.On(&r, webhook.OrderCreated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		return w.in.Transact(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO shipment (id) VALUES (?)", int64(d.Payload.ID)); err != nil {
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
	version, err := w.read(ctx, id)
	if err != nil {
		return err
	}
	return w.in.Transact(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `INSERT INTO copy VALUES (?1, ?2, ?3)
			ON CONFLICT (id) DO UPDATE SET version = ?2, fence = ?3 WHERE fence <= ?3`, id, version, int64(fence))
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); n == 0 || err != nil {
			return errors.Join(errStale, err)
		}
		return nil
	})
}

// deliver sends a random delivery about the given products, or a new order, and reports whether it was acknowledged.
func (w *world) deliver(p *bench.Poster, url string, from, products int) bool {
	if rand.IntN(5) == 0 {
		order := w.orders.Add(1)
		if !post(p, url, body(webhook.OrderCreated.Name, order)) {
			return false
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.created[order] = true
		return true
	}
	id := from + 1 + rand.IntN(products)
	version := w.products[id].Load()
	if rand.IntN(3) == 0 { // else a delivery that the platform repeats
		version = w.products[id].Add(1)
	}
	if !post(p, url, body(webhook.ProductUpdated.Name, int64(id))) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard[int64(id)] = max(w.heard[int64(id)], version)
	return true
}

// work runs a worker until nothing is pending.
func (w *world) work(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	worker := &webhook.Worker{Inbox: w.in, Registry: w.handlers(), Logger: slog.New(slog.DiscardHandler)}
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	w.drained(t)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	reader.CloseIdleConnections()
}

// drained waits until nothing is pending. To count takes a tenth of the time at most: it is work that the worker waits
// for.
func (w *world) drained(t *testing.T) {
	t.Helper()
	for {
		began := time.Now()
		s, err := w.in.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Dead > 0 {
			letters, _ := w.in.Dead(t.Context(), "", 1)
			t.Fatalf("%d entries are dead, the first of them: %s", s.Dead, letters[0].Cause)
		}
		if s.Pending == 0 {
			return
		}
		<-time.After(max(50*time.Millisecond, 10*time.Since(began)))
	}
}

// verify compares what handlers did with what was acknowledged: nothing is lost, and nothing was done twice.
func (w *world) verify(t *testing.T) {
	t.Helper()
	copies := w.pairs(t, "SELECT id, version FROM copy")
	shipments := w.pairs(t, "SELECT id, count(*) FROM shipment GROUP BY id")
	lost, double, stale := 0, 0, 0
	for order := range w.created {
		if shipments[order] == 0 {
			lost++
		}
	}
	for _, n := range shipments {
		if n > 1 {
			double++
		}
	}
	for id, version := range w.heard {
		if copies[id] < version {
			stale++
		}
	}
	var verdict string
	if err := w.in.DB().QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity %q, %v", verdict, err)
	}
	t.Logf("%d orders acknowledged, %d shipped: %d lost, %d double; %d products changed, %d copies stale; integrity %s",
		len(w.created), len(shipments), lost, double, len(w.heard), stale, verdict)
	if lost > 0 || double > 0 || stale > 0 {
		t.Errorf("%d lost, %d double, %d stale, want 0 of each", lost, double, stale)
	}
}

func (w *world) pairs(t *testing.T, query string) map[int64]int64 {
	t.Helper()
	rows, err := w.in.DB().Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := make(map[int64]int64)
	for rows.Next() {
		var key, value int64
		if err := rows.Scan(&key, &value); err != nil {
			t.Fatal(err)
		}
		all[key] = value
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// body is what the platform sends.
func body(event webhook.Name, id int64) []byte {
	return fmt.Appendf(nil, `{"store_id":123,"event":%q,"id":%d}`, event, id)
}

// post sends a delivery as the platform does, and reports whether it was acknowledged.
func post(p *bench.Poster, url string, body []byte) bool {
	status, err := p.Post(url, webhook.SignatureHeader, webhook.Sign(secret, body), body)
	return err == nil && status == http.StatusOK
}
