package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// together makes calls that share a transaction: the collector has to wait for one of Transact while they come. f is
// run in that, when all of them wait, and its error ends it.
func together(t *testing.T, in *sqlite.Inbox, f func(tx *sql.Tx) error, calls ...func()) {
	t.Helper()
	var all sync.WaitGroup
	_ = in.Transact(t.Context(), func(tx *sql.Tx) error {
		all.Go(func() { // is taken, and waits
			_, err := in.Accept(t.Context(), delivery("first of "+t.Name()))
			done(t, err)
		})
		synctest.Wait()
		for _, call := range calls {
			all.Go(call)
			synctest.Wait() // it waits too
		}
		return f(tx)
	})
	all.Wait()
}

func nothing(*sql.Tx) error { return nil }

// leases accepts entries and leases them.
func leases(t *testing.T, in *sqlite.Inbox, keys ...string) map[string]webhook.Lease {
	t.Helper()
	all := make(map[string]webhook.Lease)
	for _, key := range keys {
		accepted(t, in, key)
		all[key] = leased(t, in)
	}
	return all
}

// Arrivals, commits, failures of all kinds, extensions and leases share a transaction. A lease that is lost fails its
// own call.
func TestGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
		held := leases(t, in, "lost", "late", "done", "dead", "released", "waits", "dropped", "extended", "delayed")
		if _, err := in.Commit(t.Context(), held["lost"]); err != nil {
			t.Fatal(err)
		}
		late := held["late"]
		late.Token--
		outcomes := make(map[string]error)
		var mu sync.Mutex
		calls := []func(){
			func() { accepted(t, in, "new") },
			func() {
				got, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
				if err != nil || len(got) != 1 || got[0].Token <= held["delayed"].Token {
					t.Errorf("leased %v, %v; want one entry with a later token", got, err)
				}
			},
		}
		accepted(t, in, "due")
		call := func(key string, f func(l webhook.Lease) error) {
			calls = append(calls, func() {
				err := f(held[key])
				mu.Lock()
				defer mu.Unlock()
				outcomes[key] = err
			})
		}
		commit := func(l webhook.Lease) error { _, err := in.Commit(t.Context(), l); return err }
		fail := func(f webhook.Failed) func(l webhook.Lease) error {
			return func(l webhook.Lease) error { return in.Fail(t.Context(), l, f) }
		}
		call("lost", commit)
		call("late", func(webhook.Lease) error { return in.Fail(t.Context(), late, webhook.Failed{Dead: true}) })
		call("done", commit)
		call("dead", fail(webhook.Failed{Dead: true, Cause: "dead"}))
		call("released", fail(webhook.Failed{Released: true}))
		call("waits", fail(webhook.Failed{Waits: true, Delay: time.Hour}))
		call("dropped", fail(webhook.Failed{Dropped: true}))
		call("delayed", fail(webhook.Failed{Delay: time.Hour}))
		call("extended", func(l webhook.Lease) error { return in.Extend(t.Context(), l, time.Hour) })
		together(t, in, nothing, calls...)
		for key, err := range outcomes {
			if lost := key == "lost" || key == "late"; errors.Is(err, webhook.ErrLeaseLost) != lost || err != nil && !lost {
				t.Errorf("%s: %v", key, err)
			}
		}
		row := func(key, columns string) (got string) {
			_ = in.DB().QueryRow("SELECT "+columns+" FROM inbox_entry WHERE key = ?", key).Scan(&got) // "" if there is none
			return got
		}
		for key, want := range map[string]string{
			"lost": "done", "late": "pending", "done": "done", "dead": "dead", "released": "pending", "waits": "pending", "dropped": "",
			"extended": "pending", "delayed": "pending", "new": "pending",
		} {
			if got := row(key, "state"); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
		for key, want := range map[string]string{"released": "0", "waits": "0", "delayed": "1"} {
			if got := row(key, "attempts"); got != want {
				t.Errorf("%s has %s attempts, want %s", key, got, want)
			}
		}
		at := row("new", "first_seen") // by the clock of the transaction
		for key, got := range map[string]string{
			"dead": row("dead", "died_at"), "released": row("released", "due"), "delayed": row("delayed", "failed_at"),
			"waits": row("waits", "due - 3600000000000"), "done": row("done", "forget_at - 3600000000000"),
		} {
			if got != at {
				t.Errorf("%s was written at %s, and new at %s: want one transaction", key, got, at)
			}
		}
	})
}

// A call whose context ends before its transaction has begun is not written, whether it waits alone or with others.
func TestGroupLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
		held := leases(t, in, "first", "second", "third", "stays")
		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		call := func(want error, f func() error) {
			calls.Go(func() {
				if err := f(); !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
			})
			synctest.Wait()
		}
		_ = in.Transact(t.Context(), func(*sql.Tx) error {
			call(context.Canceled, func() error { _, err := in.Commit(ctx, held["first"]); return err }) // taken by the collector
			call(context.Canceled, func() error { return in.Fail(ctx, held["second"], webhook.Failed{Dead: true}) })
			call(context.Canceled, func() error { _, err := in.Accept(ctx, delivery("never")); return err })
			call(context.Canceled, func() error { return in.Extend(ctx, held["third"], time.Hour) })
			call(nil, func() error { _, err := in.Commit(t.Context(), held["stays"]); return err })
			cancel()
			synctest.Wait()
			return nil
		})
		calls.Wait()
		accepted(t, in, "later") // what waited before has ended
		if s, err := in.Stats(t.Context()); err != nil || s.Pending != 4 || s.Done != 1 || s.Dead != 0 || s.Leased != 3 {
			t.Errorf("stats %+v, %v; want 4 pending, 3 of them leased, and 1 done", s, err)
		}
	})
}

// A transaction of the caller and a group meet on the same lease: it is committed once, by whichever comes first and is
// kept.
func TestGroupBesideCommitTx(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox(t, filepath.Join(t.TempDir(), "inbox.db"), sqlite.Options{})
			held := leases(t, in, "both", "other")
			var both, other error
			together(t, in, func(tx *sql.Tx) error {
				_, err := in.CommitTx(t.Context(), tx, held["both"])
				if !kept {
					err = errors.Join(err, errors.New("rolled back"))
				}
				return err
			},
				func() { _, both = in.Commit(t.Context(), held["both"]) },
				func() { _, other = in.Commit(t.Context(), held["other"]) },
			)
			if errors.Is(both, webhook.ErrLeaseLost) != kept || both != nil && !kept || other != nil {
				t.Errorf("CommitTx kept %v: the commit of its lease %v, of another %v", kept, both, other)
			}
			if s, err := in.Stats(t.Context()); err != nil || s.Done != 2 || s.Pending != 1 {
				t.Errorf("CommitTx kept %v: stats %+v, %v; want 2 done", kept, s, err)
			}
		})
	}
}

// A group is written whole or not at all, wherever the power is cut, and whole once one of its calls has returned.
func TestGroupCut(t *testing.T) {
	t.Parallel()
	d, dir := newDisk(t), t.TempDir()
	var before, returned int
	synctest.Test(t, func(t *testing.T) {
		in := inboxOn(t, d, filepath.Join(dir, "inbox.db"))
		held := leases(t, in, "done", "dead")
		together(t, in, func(*sql.Tx) error { before = d.note(); return nil },
			func() { accepted(t, in, "new"); returned = d.note() },
			func() { _, _ = in.Commit(t.Context(), held["done"]) },
			func() { _ = in.Fail(t.Context(), held["dead"], webhook.Failed{Dead: true}) },
		)
	})
	r, disk := choices(t, 0), image{}
	states := func(moment int) (settled, arrived int) {
		path := filepath.Join(dir, fmt.Sprint(moment))
		disk.cut(t, r, path)
		in := inbox(t, path, sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
		const query = "SELECT count(*) FILTER (WHERE state <> 'pending'), count(*) FILTER (WHERE key = 'new') FROM inbox_entry"
		if err := in.DB().QueryRow(query).Scan(&settled, &arrived); err != nil {
			t.Error(err)
		}
		return settled, arrived
	}
	cuts, whole := 0, 0
	for moment, o := range d.ops[:returned] {
		if moment >= before && (o.kind == syncs || moment%3 == 0) {
			cuts++
			settled, arrived := states(moment)
			if settled != 2*arrived {
				t.Errorf("power cut before write %d: %d leases ended and %d entries arrived, want 2 and 1, or none", moment, settled, arrived)
			}
			whole += arrived
		}
		disk.do(o)
	}
	if settled, arrived := states(returned); settled != 2 || arrived != 1 {
		t.Errorf("power cut after the calls returned: %d leases ended and %d entries arrived, want 2 and 1", settled, arrived)
	}
	t.Logf("%d power cuts, %d of them with the group", cuts, whole)
}

// Callers whose calls were answered together share the next transaction too, if they call again at once.
func TestGroupStaysTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the order in which goroutines run must not depend on chance
	in := inbox(t, file(t), sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
	const callers, rounds = 16, 50
	var calls sync.WaitGroup
	for caller := range callers {
		calls.Go(func() {
			for round := range rounds {
				accepted(t, in, fmt.Sprint(caller, "/", round))
			}
		})
	}
	calls.Wait()
	var groups int // the entries of a transaction have one time
	if err := in.DB().QueryRow("SELECT count(DISTINCT first_seen) FROM inbox_entry").Scan(&groups); err != nil {
		t.Fatal(err)
	}
	if groups > rounds*3/2 {
		t.Errorf("%d callers made %d calls each in %d transactions, want about %d", callers, rounds, groups, rounds)
	}
}
