package postgres

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// within is the time in which an inbox accepts after its address leads to a server that takes writes.
const within = 5 * time.Second

// cluster makes one that is stopped at the end of the test.
func cluster(t *testing.T) *pgtest.Cluster {
	t.Helper()
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c
}

// listens reports whether a process listens on a server.
func listens(t *testing.T, c *pgtest.Cluster) (is bool) {
	t.Helper()
	pool := newPool(t, c.URL(), 1)
	defer pool.Close()
	if err := pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%')").Scan(&is); err != nil {
		t.Fatal(err)
	}
	return is
}

// Somebody makes a server read only and has the address lead to another one: connections that stay open are given up.
func TestSwitchover(t *testing.T) {
	t.Parallel()
	old, next := cluster(t), cluster(t)
	for _, c := range []*pgtest.Cluster{old, next} {
		if err := execute(t.Context(), c, "CREATE ROLE app LOGIN SUPERUSER PASSWORD 'same'"); err != nil {
			t.Fatal(err)
		}
	}
	open(t, next.URL(), Options{}).Close() // makes the tables
	u, err := url.Parse(old.URL())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("app", "same")
	net, address := through(t, u.String())
	in := open(t, address, Options{})
	var w world
	var all sync.WaitGroup
	for id := range int64(8) { // as many connections as there may be
		all.Go(func() {
			if _, err := in.Accept(t.Context(), w.entry(id+1)); err != nil {
				t.Error(err)
			}
			if _, err := in.Stats(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	stop := work(t, &webhook.Worker{Inbox: in, Registry: w.nothing(), Poll: quick})
	until(t, "the worker listens", func() bool { return listens(t, old) })
	if err := execute(t.Context(), old, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"); err != nil {
		t.Fatal(err)
	}
	until(t, "the old server refuses", func() bool {
		_, err := in.Accept(t.Context(), w.entry(100))
		var refused *pgconn.PgError
		return errors.As(err, &refused) && refused.Code == readOnly
	})
	net.lead(next.Address())
	began := time.Now()
	until(t, "the next server accepts", func() bool {
		_, err := in.Accept(t.Context(), w.entry(101))
		return err == nil
	})
	if took := time.Since(began); took > within {
		t.Errorf("accepted %v after the address led to a server that takes writes, want %v at most", took, within)
	}
	for id := range int64(20) { // no connection of the pool is left that does not
		if _, err := in.Accept(t.Context(), w.entry(200+id)); err != nil {
			t.Errorf("Accept %d after the first: %v", id, err)
		}
	}
	until(t, "the worker listens on the next server", func() bool { return listens(t, next) })
	stop()
}

// nothing has handlers that do nothing.
func (w *world) nothing() *webhook.Registry {
	var r webhook.Registry
	webhook.On(&r, webhook.ProductUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	return &r
}

// A server and its synchronous standby change places while deliveries come in and are handled. The address leads to the
// standby for a while, which refuses, and then to the server that was promoted, while the connections to the other stay
// open. In a second round the server crashes.
func TestProofFailover(t *testing.T) {
	t.Parallel()
	primary := cluster(t)
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.Stop)
	net, address := through(t, primary.URL())
	pool, queue := newPool(t, address, 16), newQueue(t)
	in, err := Open(t.Context(), pool, Options{Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	w := newWorld(t, pool, queue, 1)
	var token atomic.Uint64 // the greatest that was drawn
	stop := work(t, &webhook.Worker{
		Inbox: in, Registry: w.handlers(), Lease: 2 * time.Second, Poll: quick, MaxAttempts: 1000, Logger: slog.New(slog.DiscardHandler),
		OnStarted: func(ctx context.Context, l webhook.Lease) context.Context {
			for seen := token.Load(); l.Token > seen && !token.CompareAndSwap(seen, l.Token); seen = token.Load() {
			}
			return ctx
		},
	})
	d := &deliveries{world: w, in: in, done: make(chan struct{})}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { d.send(t) })
	}
	for range tier.Size(1, 1, 5) {
		synchronous(t, primary)
		d.some(t)
		if err := primary.Down(t.Context(), pgtest.Fast); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(alone(t, standby), standby.Promote(t.Context()), primary.Rejoin(t.Context(), standby)); err != nil {
			t.Fatal(err)
		}
		readOnly := d.readOnly.Load()
		until(t, "the standby refuses", func() bool { return d.readOnly.Load() > readOnly+10 })
		before := token.Load()
		net.lead(standby.Address())
		d.first(t, "changed places")
		primary, standby = standby, primary
		until(t, "the worker listens on the server that was promoted", func() bool { return listens(t, primary) })
		until(t, "tokens go on", func() bool { return token.Load() > before })
	}
	synchronous(t, primary)
	d.some(t)
	if err := primary.Down(t.Context(), pgtest.Immediate); err != nil {
		t.Fatal(err)
	}
	before := token.Load()
	if err := errors.Join(alone(t, standby), standby.Promote(t.Context())); err != nil {
		t.Fatal(err)
	}
	net.lead(standby.Address())
	d.first(t, "crashed")
	d.some(t)
	var next uint64
	if err := pool.QueryRow(t.Context(), "SELECT nextval('webhook_inbox.token')").Scan(&next); err != nil || next <= before {
		t.Errorf("token %d, %v after the failover, want more than %d", next, err, before)
	}
	close(d.done)
	all.Wait()
	w.redeliver(t, in)
	drained(t, in)
	stop()
	w.verify(t)
}

// alone has a server wait for no standby.
func alone(t *testing.T, c *pgtest.Cluster) error {
	return execute(t.Context(), c, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
}

// synchronous has a server wait for its standby, and returns when it does.
func synchronous(t *testing.T, c *pgtest.Cluster) {
	t.Helper()
	if err := execute(t.Context(), c, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"); err != nil {
		t.Fatal(err)
	}
	pool := newPool(t, c.URL(), 1)
	defer pool.Close()
	until(t, "the standby is synchronous", func() bool { return isSynchronous(t, pool) })
}

func isSynchronous(t *testing.T, pool *pgxpool.Pool) (is bool) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')").Scan(&is); err != nil {
		t.Fatal(err)
	}
	return is
}

// deliveries are orders that senders repeat until they are accepted.
type deliveries struct {
	*world
	in                 *Inbox
	done               chan struct{}
	accepted, readOnly atomic.Int64
}

func (d *deliveries) send(t *testing.T) {
	events := d.handlers()
	for {
		id := d.orders.Add(1)
		for accepted := false; !accepted; {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := d.in.Accept(ctx, events.Entry("", "", body(webhook.OrderCreated.Name, id)))
			cancel()
			var refused *pgconn.PgError
			switch {
			case err == nil:
				accepted = true
				d.acknowledged(id)
				d.accepted.Add(1)
			case errors.As(err, &refused) && refused.Code == readOnly:
				d.readOnly.Add(1)
			}
			select {
			case <-d.done:
				if !accepted {
					d.unheard(body(webhook.OrderCreated.Name, id))
				}
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

// some waits until a hundred more are accepted.
func (d *deliveries) some(t *testing.T) {
	t.Helper()
	enough := d.accepted.Load() + 100
	until(t, "a hundred deliveries are accepted", func() bool { return d.accepted.Load() >= enough })
}

// first measures how long it takes until one more is accepted.
func (d *deliveries) first(t *testing.T, what string) {
	t.Helper()
	began, before := time.Now(), d.accepted.Load()
	until(t, "a delivery is accepted", func() bool { return d.accepted.Load() > before })
	took := time.Since(began)
	t.Logf("%s: accepted %v after the address led to the server that was promoted", what, took.Round(time.Millisecond))
	if took > within {
		t.Errorf("%s: accepted after %v, want %v at most", what, took, within)
	}
	d.some(t)
	before = d.readOnly.Load()
	d.some(t)
	if n := d.readOnly.Load() - before; n > 0 {
		t.Errorf("%s: %d deliveries were refused by the server that takes no writes after another one had accepted", what, n)
	}
}
