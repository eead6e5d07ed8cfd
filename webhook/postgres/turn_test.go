package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// An entry that is accepted while the lane is leased that bears the turn of its store is leased too, although neither
// transaction sees the other, and nobody looks through the stores.
func TestTurnBesideLease(t *testing.T) {
	t.Parallel()
	begin := func(t *testing.T, in *Inbox) pgx.Tx {
		tx, err := in.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }) // unless it is committed
		return tx
	}
	commit := func(t *testing.T, tx pgx.Tx) {
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	first, second := delivery(1), delivery(2)
	for name, run := range map[string]func(t *testing.T, in *Inbox){
		"the accept ends later": func(t *testing.T, in *Inbox) {
			tx := begin(t, in)
			b := &pgx.Batch{}
			newArrivals([]*webhook.Entry{&second}).queue(b, in)
			if err := tx.SendBatch(t.Context(), b).Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Commit(t.Context(), lease(t, in)); err != nil {
				t.Fatal(err)
			}
			commit(t, tx)
			in.arrived.add(int64(second.StoreID))
			in.changed()
		},
		"the lease ends later": func(t *testing.T, in *Inbox) {
			tx := begin(t, in)
			if _, err := tx.Exec(t.Context(), in.sql.lease, in.options.Queue, 1, 1, []int64{}, 60_000_000, nil, nil); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Accept(t.Context(), second); err != nil {
				t.Fatal(err)
			}
			commit(t, tx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := open(t, database.URL(), Options{Queue: newQueue(t)})
			in.looked.next = time.Now().Add(time.Hour)
			if _, err := in.Accept(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			run(t, in)
			if l := lease(t, in); l.Key != second.Key {
				t.Errorf("leased %q, want %q", l.Key, second.Key)
			}
		})
	}
}

// lease leases an entry, as soon as there is one.
func lease(t *testing.T, in *Inbox) webhook.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	for {
		leases, err := in.Lease(ctx, webhook.LeaseQuery{Limit: 1, Term: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if len(leases) > 0 {
			return leases[0]
		}
		if err := in.Wait(ctx, webhook.LeaseQuery{}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
}

// A store that lacks a turn has one as soon as somebody looks through the stores, even if it is not among the first.
func TestLookThrough(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var entries []webhook.Entry
	for n := range int64(300) {
		e := delivery(n)
		e.StoreID = client.ID(1000 + n)
		entries = append(entries, e)
	}
	if _, err := in.Accept(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	const lost = "UPDATE webhook_inbox.lane SET turn = NULL WHERE queue = $1"
	if _, err := in.pool.Exec(t.Context(), lost, in.options.Queue); err != nil {
		t.Fatal(err)
	}
	leased := 0
	// It takes two calls, and more if the notifier marks some of the stores at the same time.
	for n := 0; n < 10 && leased < len(entries); n++ {
		in.looked.next = time.Now()
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 300, Term: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		leased += len(leases)
	}
	if leased != len(entries) {
		t.Errorf("%d entries leased, want %d", leased, len(entries))
	}
}
