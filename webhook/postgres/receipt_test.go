package postgres

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// The server writes leases whose answers are lost: they do not count. Leases of a process that ends do.
func TestLeaseAnswerLost(t *testing.T) {
	t.Parallel()
	net, address := through(t, database.URL())
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery += "&default_query_exec_mode=exec" // a lease is one message then
	o := Options{Queue: newQueue(t)}
	unasked := func(c *pgxpool.Config) { // a question first, after a second, would be what has no answer
		c.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	}
	in, well := openOn(t, newPool(t, u.String(), 8, unasked), o), open(t, database.URL(), o)
	var w world
	if _, err := well.Accept(t.Context(), w.entry(1)); err != nil {
		t.Fatal(err)
	}
	token := func() (last int64) {
		if err := well.pool.QueryRow(t.Context(), "SELECT coalesce(max(token), 0) FROM webhook_inbox.lane WHERE queue = $1", o.Queue).Scan(&last); err != nil {
			t.Fatal(err)
		}
		return last
	}
	const term = 20 * time.Millisecond
	for range 5 {
		until(t, "there is a connection", func() bool { _, err := in.Stats(t.Context()); return err == nil })
		before := token()
		net.set(deaf)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := in.Lease(ctx, webhook.LeaseQuery{Limit: 1, Term: term})
			ended <- err
		}()
		until(t, "the server has written the lease", func() bool { return token() > before })
		cancel()
		if err := <-ended; err == nil {
			t.Error("Lease without an answer: no error")
		}
		net.set(none)
		<-time.After(term)
	}
	for unfinished := range 3 {
		var leases []webhook.Lease
		until(t, "the lease before has ended", func() bool {
			if leases, err = well.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: term}); err != nil {
				t.Fatal(err)
			}
			return len(leases) == 1
		})
		if leases[0].Unfinished != unfinished {
			t.Errorf("%d leases are unfinished, want %d", leases[0].Unfinished, unfinished)
		}
	}
}

// Leases of which it is not known whether they were counted are handed out if they hold.
func TestLeaseConfirmed(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1), w.entry(2)); err != nil {
		t.Fatal(err)
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Hour})
	if err != nil || len(leases) != 2 {
		t.Fatalf("%d leases, %v, want 2", len(leases), err)
	}
	if _, err := in.Commit(t.Context(), leases[0]); err != nil {
		t.Fatal(err)
	}
	held, err := in.confirmed(t.Context(), leases)
	if err != nil || len(held) != 1 || held[0].Key != leases[1].Key {
		t.Errorf("got %v, %v, want the lease that was not committed", held, err)
	}
}
