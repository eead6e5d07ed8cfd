package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// session is a transaction of somebody else that holds locks.
type session struct {
	pgx.Tx
	t   *testing.T
	pid int
}

func newSession(t *testing.T, in *Inbox) *session {
	t.Helper()
	tx, err := in.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &session{Tx: tx, t: t}
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	if err := tx.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&s.pid); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *session) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// awaited returns when somebody waits for the session.
func (s *session) awaited(in *Inbox) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), hung)
	defer cancel()
	for waiting := false; !waiting; {
		// pg_blocking_pids stops all locking, so it is called for no other sessions than those that wait.
		err := in.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE CASE WHEN wait_event_type = 'Lock' THEN $1 = ANY (pg_blocking_pids(pid)) END) FROM pg_sleep(0.01)`, s.pid).Scan(&waiting)
		if err != nil {
			s.t.Fatalf("nobody waits for the lock: %v", err)
		}
	}
}

const (
	lockEntry = "SELECT 1 FROM webhook_inbox.entry WHERE queue = $1 AND key = $2 FOR UPDATE"
	lockLane  = "SELECT 1 FROM webhook_inbox.lane WHERE queue = $1 AND lane = $2 FOR UPDATE"
)

// A lane or an entry that somebody has locked is left to the next call of Lease, which waits for nobody.
func TestLeaseBesideLocks(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	entries := []webhook.Entry{w.entry(1), w.entry(2), w.entry(3)}
	if _, err := in.Accept(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, in)
	s.exec(lockLane, in.options.Queue, entries[0].Lane)
	s.exec(lockEntry, in.options.Queue, entries[1].Key)
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	leases, err := in.Lease(ctx, webhook.LeaseQuery{Limit: 3, Term: time.Hour})
	if err != nil || len(leases) != 1 || leases[0].Key != entries[2].Key {
		t.Errorf("leased %v, %v beside the locks, want the third", leases, err)
	}
	if err := s.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if leases, err = in.Lease(t.Context(), webhook.LeaseQuery{Limit: 3, Term: time.Hour}); err != nil || len(leases) != 2 {
		t.Errorf("leased %v, %v afterwards, want the two others", leases, err)
	}
}

// A lane that looks as if it was due before its entry gives nothing away, and is put right.
func TestLeaseOfLaneDueTooEarly(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	e := w.entry(1)
	e.Settle = time.Hour
	if _, err := in.Accept(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	const early = "UPDATE webhook_inbox.lane SET due = now() - interval '1 hour', turn = now() - interval '1 hour' WHERE queue = $1"
	if _, err := in.pool.Exec(t.Context(), early, in.options.Queue); err != nil {
		t.Fatal(err)
	}
	if leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour}); err != nil || len(leases) != 0 {
		t.Errorf("leased %v, %v before the entry is due", leases, err)
	}
	if due := in.next(t.Context(), webhook.LeaseQuery{}, 24*time.Hour); due < 59*time.Minute || due > time.Hour {
		t.Errorf("the lane is due in %v, want when its entry is: in an hour", due)
	}
}

// A lane that looked as if it was due too early is not taken from whoever is leasing it.
func TestHealBesideLease(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	e := w.entry(1)
	if _, err := in.Accept(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, in)
	s.exec(`UPDATE webhook_inbox.lane SET token = 7, until = now() + interval '1 hour', key = $3 WHERE queue = $1 AND lane = $2`,
		in.options.Queue, e.Lane, e.Key)
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	if err := in.run(ctx, func(b *pgx.Batch) { b.Queue(in.sql.heal, in.options.Queue, e.Lane) }); err != nil {
		t.Errorf("got %v, want it to wait for nobody", err)
	}
	if err := s.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err := in.Stats(t.Context()); err != nil || s.Leased != 1 {
		t.Errorf("stats %+v, %v, want the lease as it was", s, err)
	}
}

// leased returns an inbox with one entry, its lease, and somebody else's session.
func leased(t *testing.T) (*Inbox, webhook.Lease, *session) {
	t.Helper()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Fatal(err)
	}
	return in, leaseOne(t, in), newSession(t, in)
}

// What ends a lease locks entries before lanes, as Accept does: the other way round each would wait for the other.
func TestEndsLockEntriesFirst(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(in *Inbox, l webhook.Lease) error{
		"commit": func(in *Inbox, l webhook.Lease) error { return ignored(in.Commit(t.Context(), l)) },
		"commit that clears": func(in *Inbox, l webhook.Lease) error {
			l.Clears = []webhook.Name{"order/updated"}
			return ignored(in.Commit(t.Context(), l))
		},
		"fail": func(in *Inbox, l webhook.Lease) error { return in.Fail(t.Context(), l, webhook.Failed{}) },
	} {
		t.Run(name, func(t *testing.T) {
			in, l, s := leased(t)
			s.exec(lockEntry, in.options.Queue, l.Key)
			ended := make(chan error, 1)
			go func() { ended <- end(in, l) }()
			s.awaited(in)
			if _, err := s.Exec(t.Context(), lockLane+" NOWAIT", in.options.Queue, l.Lane); err != nil {
				t.Errorf("the lane was locked before the entry: %v", err)
			}
			if err := s.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// A lease that ends while its lane is waited for is lost.
func TestLeaseEndsWhileWaiting(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(in *Inbox, l webhook.Lease) error{
		"commit": func(in *Inbox, l webhook.Lease) error { return ignored(in.Commit(t.Context(), l)) },
		"fail":   func(in *Inbox, l webhook.Lease) error { return in.Fail(t.Context(), l, webhook.Failed{}) },
		"extend": func(in *Inbox, l webhook.Lease) error { return in.Extend(t.Context(), l, time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			in, l, s := leased(t)
			s.exec(lockLane, in.options.Queue, l.Lane)
			ended := make(chan error, 1)
			go func() { ended <- end(in, l) }()
			s.awaited(in)
			s.exec(`UPDATE webhook_inbox.lane SET until = clock_timestamp() WHERE queue = $1 AND lane = $2`, in.options.Queue, l.Lane)
			if err := s.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; !errors.Is(err, webhook.ErrLeaseLost) {
				t.Errorf("got %v, want ErrLeaseLost", err)
			}
			if s, err := in.Stats(t.Context()); err != nil || s.Pending != 1 || s.Leased != 0 {
				t.Errorf("stats %+v, %v, want the entry to wait for another lease", s, err)
			}
		})
	}
}
