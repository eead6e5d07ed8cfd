package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

// The end of an entry is part of the transaction: it is undone with it.
func TestCommitTx(t *testing.T) {
	t.Parallel()
	for _, isolation := range []pgx.TxIsoLevel{pgx.ReadCommitted, pgx.RepeatableRead, pgx.Serializable} {
		t.Run(string(isolation), func(t *testing.T) {
			in := open(t, database.URL(), Options{Queue: newQueue(t)})
			var w world
			if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
				t.Fatal(err)
			}
			l := leaseOne(t, in)
			undone := errors.New("undone")
			commit := func(result error) error {
				return pgx.BeginTxFunc(t.Context(), in.pool, pgx.TxOptions{IsoLevel: isolation}, func(tx pgx.Tx) error {
					if again, err := in.CommitTx(t.Context(), tx, l); again || err != nil {
						t.Errorf("again %v, %v", again, err)
					}
					return result
				})
			}
			if err := commit(undone); !errors.Is(err, undone) {
				t.Fatal(err)
			}
			if s, err := in.Stats(t.Context()); err != nil || s.Pending != 1 || s.Leased != 1 {
				t.Errorf("stats %+v, %v after a rollback, want the lease as it was", s, err)
			}
			if err := commit(nil); err != nil {
				t.Fatal(err)
			}
			if s, err := in.Stats(t.Context()); err != nil || s != (webhook.Stats{}) {
				t.Errorf("stats %+v, %v after the commit, want nothing", s, err)
			}
		})
	}
}

// An entry that comes to the lane while a transaction with an older view of it commits is not forgotten.
func TestCommitTxOldSnapshot(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	first, second := w.entry(1), w.entry(2)
	second.Lane = first.Lane
	if _, err := in.Accept(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	l := leaseOne(t, in)
	err := pgx.BeginTxFunc(t.Context(), in.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT count(*) FROM webhook_inbox.entry"); err != nil { // takes the snapshot
			return err
		}
		if _, err := in.Accept(t.Context(), second); err != nil {
			return err
		}
		_, err := in.CommitTx(t.Context(), tx, l)
		return err
	})
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "40001" {
		t.Errorf("CommitTx: %v, want a serialization failure", err)
	}
	if _, err := in.Commit(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if got := leaseOne(t, in); got.Key != second.Key {
		t.Errorf("leased %q, want %q", got.Key, second.Key)
	}
}

// A transaction that stands still after CommitTx holds up its own lane only.
func TestAcceptBesideLockedLane(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Fatal(err)
	}
	l := leaseOne(t, in)
	tx, err := in.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.CommitTx(t.Context(), tx, l); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stuck := make(chan error, 1)
	go func() {
		_, err := in.Accept(ctx, w.entry(1))
		stuck <- err
	}()
	free := make(chan error)
	for id := range 20 {
		go func() {
			_, err := in.Accept(t.Context(), w.entry(int64(2+id)))
			free <- err
		}()
	}
	for range 20 {
		if err := <-free; err != nil {
			t.Errorf("Accept of another lane: %v", err)
		}
	}
	select {
	case err := <-stuck:
		t.Errorf("Accept of the locked lane: %v before those of the others were through", err)
	default:
		cancel()
		if err := <-stuck; !errors.Is(err, context.Canceled) {
			t.Errorf("Accept of the locked lane: %v, want the end of its context", err)
		}
	}
	var calls []*call // which the engine gives up before their contexts end
	for range 2 * mostGroups {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		calls = append(calls, &call{ctx: ctx, entries: []webhook.Entry{w.entry(1)}, done: make(chan struct{})})
	}
	in.arrivals.storeEach(in.ctx, calls, in.write)
	for _, c := range calls {
		if !errors.Is(c.err, context.DeadlineExceeded) {
			t.Errorf("Accept of the locked lane: %v, want the end of its time", c.err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := in.Accept(t.Context(), w.entry(1)); err != nil || got[0] != webhook.OutcomeStored && got[0] != webhook.OutcomeJoined {
		// Joined: the database went on with the call whose context had ended.
		t.Errorf("Accept after the commit: %v, %v, want stored or joined", got, err)
	}
}

// A listener that is cut off comes back, and Wait goes on meanwhile.
func TestWaitWithoutListener(t *testing.T) {
	t.Parallel()
	o := Options{Queue: newQueue(t), Schema: newSchema(t)}
	in, other := open(t, database.URL(), o), open(t, database.URL(), o)
	var w world
	for id := range int64(6) {
		if _, err := in.pool.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' || $1 || '%' AND pid <> pg_backend_pid()", o.Schema); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Accept(t.Context(), w.entry(id+1)); err != nil {
			t.Fatal(err)
		}
		var leases []webhook.Lease
		for len(leases) == 0 {
			var err error
			if err = in.Wait(t.Context(), webhook.LeaseQuery{}, 100*time.Millisecond); err == nil {
				leases, err = in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: mostTime})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	began := time.Now()
	for listening := false; !listening; {
		if err := in.pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE query LIKE 'LISTEN%' || $1 || '%' AND pid <> pg_backend_pid())`, o.Schema).Scan(&listening); err != nil {
			t.Fatal(err)
		}
		if time.Since(began) > hung {
			t.Fatal("the listener has not come back")
		}
		<-time.After(time.Millisecond)
	}
	accepted := make(chan error, 1)
	go func() {
		<-time.After(quick) // while the other waits
		_, err := other.Accept(t.Context(), w.entry(7))
		accepted <- err
	}()
	began = time.Now()
	for n := 0; n == 0; {
		if err := in.Wait(t.Context(), webhook.LeaseQuery{}, 2*hung); err != nil {
			t.Fatal(err)
		}
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: mostTime})
		if err != nil {
			t.Fatal(err)
		}
		n = len(leases)
	}
	if took := time.Since(began); took > hung {
		t.Errorf("an entry of another process was noticed after %v, want much less", took)
	}
	if err := <-accepted; err != nil {
		t.Error(err)
	}
}

// Facts whose window is over are deleted, some at a time.
func TestPrune(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t), Schema: newSchema(t)})
	var w world
	for id := range int64(5) {
		e := w.handlers().Entry("", "", body(webhook.OrderCreated.Name, id+1))
		e.Window = time.Microsecond
		if id == 4 {
			e.Window = webhook.Forever
		}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Commit(t.Context(), leaseOne(t, in)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{3, 1, 0} {
		if n, err := in.pruneSome(t.Context(), 3); n != want || err != nil {
			t.Errorf("pruned %d, %v, want %d", n, err, want)
		}
	}
}

// An entry ends with a transaction of database/sql, as with one of pgx.
func TestCommitSQL(t *testing.T) {
	t.Parallel()
	in, err := OpenURL(t.Context(), database.URL(), Options{Queue: newQueue(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	if most := in.Pool().Config().MaxConns; most != mostConnections {
		t.Errorf("the pool has %d connections, want %d", most, mostConnections)
	}
	db := in.DB()
	var w world
	e := w.entry(1)
	e.Clears = []webhook.Name{"product/updated"}
	if _, err := in.Accept(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	l := leaseOne(t, in)
	for _, commit := range []bool{false, true} {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := in.CommitSQL(t.Context(), tx, l); again || err != nil {
			t.Errorf("again %v, %v", again, err)
		}
		end := tx.Rollback
		if commit {
			end = tx.Commit
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if s, err := in.Stats(t.Context()); err != nil || (s.Pending == 0) != commit {
			t.Errorf("stats %+v, %v; want the entry to end: %v", s, err, commit)
		}
	}
	if _, err := OpenURL(t.Context(), "postgres://app:cnry_7f3a@:x/", Options{}); err == nil || strings.Contains(err.Error(), "cnry_7f3a") {
		t.Errorf("a malformed URL: %v", err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := in.CommitSQL(t.Context(), tx, l); !errors.Is(err, webhook.ErrLeaseLost) {
		t.Errorf("a second time: %v, want ErrLeaseLost", err)
	}
	if _, err := in.CommitSQL(t.Context(), nil, l); err == nil || !strings.Contains(err.Error(), "tx is nil") {
		t.Errorf("without a transaction: %v", err)
	}
}
