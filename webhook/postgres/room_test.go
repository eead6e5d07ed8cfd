package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// If counting the pending entries takes longer than an Accept may take, deliveries that need no room are accepted, and
// all of them wait for the same count.
func TestAcceptWhileCounting(t *testing.T) {
	t.Parallel()
	o := Options{Queue: newQueue(t), HighWater: 10}
	var w world
	known := w.entry(1)
	if _, err := open(t, database.URL(), o).Accept(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	in := open(t, database.URL(), o)
	in.sql.count = "WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext($1))) SELECT n.count FROM gate, LATERAL (" + in.sql.count + ") AS n"
	gate, err := newPool(t, database.URL(), 1).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.Exec(t.Context(), "SELECT pg_advisory_xact_lock(hashtext($1))", o.Queue); err != nil {
		t.Fatal(err)
	}
	accept := func(e webhook.Entry) (webhook.Outcome, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // half of it waits for the count
		defer cancel()
		met, err := in.Accept(ctx, e)
		return append(met, "")[0], err
	}
	redact := w.entry(2)
	redact.Protected = true
	if met, err := accept(redact); met != webhook.OutcomeStored || err != nil {
		t.Errorf("Accept of data protection: %q, %v, want stored", met, err)
	}
	if met, err := accept(known); met != webhook.OutcomeJoined || err != nil {
		t.Errorf("Accept of a known key: %q, %v, want joined", met, err)
	}
	if met, err := accept(w.entry(3)); !errors.Is(err, webhook.ErrFull) {
		t.Errorf("Accept of a new key: %q, %v, want ErrFull", met, err)
	}
	if err := gate.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if met, err := accept(w.entry(3)); met != webhook.OutcomeStored || err != nil {
		t.Errorf("Accept of a new key when it is counted: %q, %v, want stored", met, err)
	}
	for id := int64(4); id < 10; id++ {
		if _, err := accept(w.entry(id)); err != nil {
			t.Fatal(err)
		}
	}
	in.room.mu.Lock()
	defer in.room.mu.Unlock()
	if got := in.room.known(); got != 9 && got != 10 { // data protection came while the count was held up, and may be in it or not
		t.Errorf("%d are taken to be pending, want 9 or 10", got)
	}
}

// Accept has a bound on its connections, however many calls wait for a row.
func TestAcceptConnections(t *testing.T) {
	t.Parallel()
	in, err := Open(t.Context(), newPool(t, database.URL(), 32), Options{Queue: newQueue(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Fatal(err)
	}
	tx, err := newPool(t, database.URL(), 1).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "SELECT FROM webhook_inbox.entry WHERE queue = $1 FOR UPDATE", in.options.Queue); err != nil {
		t.Fatal(err)
	}
	ended, ctx := make(chan error), t.Context()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for range 64 {
		go func() {
			_, err := in.Accept(ctx, w.entry(1))
			ended <- err
		}()
	}
	most := int32(0)
	for left := 64; left > 0; {
		select {
		case err := <-ended:
			if left--; err == nil {
				t.Error("an Accept of a locked row has returned")
			}
		case <-time.After(time.Millisecond):
			most = max(most, in.pool.Stat().AcquiredConns())
		}
	}
	if most > mostGroups {
		t.Errorf("%d connections at a time, want at most %d", most, mostGroups)
	}
	if err := tx.Rollback(context.WithoutCancel(ctx)); err != nil {
		t.Fatal(err)
	}
}

// A call whose context has no end has one all the same: its connection may be dead without telling.
func TestBounded(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(database.URL())
	if err != nil {
		t.Fatal(err)
	}
	var calls ends
	config.ConnConfig.Tracer = &calls
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	in, err := Open(t.Context(), pool, Options{Queue: newQueue(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	for name, call := range map[string]func(ctx context.Context) error{
		"Mark":    func(ctx context.Context) error { return ignored(in.Mark(ctx, "a")) },
		"SetMark": func(ctx context.Context) error { return in.SetMark(ctx, "a", time.Now()) },
		"Stats":   func(ctx context.Context) error { return ignored(in.Stats(ctx)) },
		"Dead":    func(ctx context.Context) error { return ignored(in.Dead(ctx, "", 1)) },
		"Replay":  func(ctx context.Context) error { return ignored(in.Replay(ctx, "a")) },
		"Purge":   func(ctx context.Context) error { return ignored(in.Purge(ctx, "a")) },
		"Lease": func(ctx context.Context) error {
			return ignored(in.Lease(ctx, webhook.LeaseQuery{Limit: 1, Term: time.Hour}))
		},
	} {
		calls.bounded.Store(0)
		calls.endless.Store(0)
		err := call(context.Background())
		if bounded, endless := calls.bounded.Load(), calls.endless.Load(); err != nil || bounded == 0 || endless > 0 {
			t.Errorf("%s: %v; %d of its statements have no end, and %d have one", name, err, endless, bounded)
		}
	}
}

// ends counts statements by whether their context has an end.
type ends struct{ bounded, endless atomic.Int64 }

func (e *ends) trace(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		e.bounded.Add(1)
	} else {
		e.endless.Add(1)
	}
	return ctx
}

func (e *ends) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return e.trace(ctx)
}
func (e *ends) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (e *ends) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return e.trace(ctx)
}
func (e *ends) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (e *ends) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
