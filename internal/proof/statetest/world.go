package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// Face is a package that keeps rows, as one process of an app uses it.
type Face interface {
	// Migrate creates the tables.
	Migrate(ctx context.Context) error
	// Act does act n of the app, a number from 0. Nil confirms it. An act may be done again, by any process, whether or
	// not it was confirmed.
	Act(ctx context.Context, n int) error
	// Has reports whether act n was done. It returns an error if a part of it was, or if something was done twice.
	Has(ctx context.Context, n int) (bool, error)
}

// Row is a package in all scenarios.
type Row struct {
	Name   string
	Open   func(w *World, db *sql.DB) Face // in another process
	Tables []string                        // of the package and of its app
	Schema string                          // a statement that creates the table of the app; empty if it has none
	// Expire is a statement that ends the claims of dead processes. Empty means that there are none.
	Expire string
	// Calls reports whether Act calls a function of the app, which calls World.call.
	Calls bool
	Rules []rule // of the package alone
	// Damage is nil if a row cannot be damaged so that it cannot be read.
	Damage *Damage
	// Forgets means that acts after a backup are unknown when it is restored, as its documentation says.
	Forgets bool
	// Kinds is the number of kinds of acts; act n has kind n % Kinds. Pays means that the acts need World.Shop.
	Kinds int
	Pays  bool
	// Ends is a query for the ends of claims, in microseconds, and Term is how far they are from now. Claim is
	// a statement by which another process claims an act (%d) until $1. Both are empty if nothing ends.
	Ends, Claim string
	Term        time.Duration
}

// Damage is how the row of the second of three acts is damaged.
type Damage struct {
	Row   string // a statement that damages the row, which an engine may refuse
	Names string // the name of the row in the error
	Scan  func(ctx context.Context, f Face) (readable int, err error)
}

// rows are all packages.
func rows() []Row { return []Row{tokens(), journal(), copies(), rates(), ledger(), claims(), jobs()} }

// World is a database of an app, and the platform and other systems outside of it, which forget nothing.
type World struct {
	Engine
	Address string
	DB      *sql.DB // of the tests; processes of the app have their own
	Prefix  string  // of the names of tables; empty means "commerce_"
	App     client.ID

	Shop Shop // of rows with Pays

	lease   time.Duration
	outside string // address
	out     *sql.DB
	epoch   int           // is greater after a restore
	hook    *atomic.Value // func() error: see call
	during  *atomic.Value // func() that do calls
	dead    *atomic.Bool  // whether the process has died: it does nothing outside either

	processes *sync.WaitGroup
	stop      *[]func() // at the end of a process; nil if nobody waits for it
}

// lease is how long an operation of a killed process belongs to it, and others wait for it.
const lease = 50 * time.Millisecond

// newWorld returns a world whose database has the tables of some rows.
func newWorld(t testing.TB, e Engine, address string, rows ...Row) *World {
	t.Helper()
	w := &World{
		Engine: e, Address: address, outside: e.New(t), lease: lease,
		hook: new(atomic.Value), during: new(atomic.Value), dead: new(atomic.Bool), processes: new(sync.WaitGroup),
	}
	w.DB, w.out = e.opened(t, address), e.opened(t, w.outside)
	t.Cleanup(w.processes.Wait)
	exec(t, w.out, "CREATE TABLE done (what TEXT NOT NULL)")
	for _, row := range rows {
		if row.Pays {
			w.Shop = newShop(t)
		}
		w.migrate(t, row, w.DB)
	}
	return w
}

// migrate creates the tables of a package and of its app.
func (w *World) migrate(t testing.TB, row Row, db *sql.DB) Face {
	t.Helper()
	f := row.Open(w, db)
	if err := f.Migrate(t.Context()); err != nil {
		t.Fatalf("%s: %v", row.Name, err)
	}
	if row.Schema != "" {
		exec(t, db, w.own(row.Schema))
	}
	return f
}

// process returns a face in a process with connections of its own.
func (w *World) process(t testing.TB, row Row) Face {
	t.Helper()
	return row.Open(w, w.opened(t, w.Address))
}

// sql returns a statement with the names of the tables.
func (w *World) sql(statement string) string { return tables.Rename(w.Prefix, statement) }

// own is sql for a table of the app, which shares none with another app.
func (w *World) own(statement string) string {
	if w.App == 0 {
		return w.sql(statement)
	}
	return tables.Rename(fmt.Sprintf("app_%d_", w.App), statement)
}

// expire has the claims of dead processes end.
func (w *World) expire(t testing.TB, row Row) {
	t.Helper()
	if row.Expire != "" {
		exec(t, w.DB, w.sql(row.Expire))
	}
}

// do does something outside, such as to create a record. Repeating it does it twice.
func (w *World) do(ctx context.Context, format string, args ...any) error {
	if w.dead.Load() {
		return errCut
	}
	if f, _ := w.during.Load().(func()); f != nil {
		f()
	}
	_, err := w.out.ExecContext(ctx, "INSERT INTO done (what) VALUES ($1)", fmt.Sprintf(format, args...))
	return err
}

// done returns how often something was done outside.
func (w *World) done(ctx context.Context, pattern string, args ...any) (int, error) {
	return one[int](ctx, w, "count(*)", pattern, args...)
}

// different is done for things that are the same if their texts are.
func (w *World) different(ctx context.Context, pattern string, args ...any) (int, error) {
	return one[int](ctx, w, "count(DISTINCT what)", pattern, args...)
}

// last returns something that was done outside, empty if nothing was.
func (w *World) last(ctx context.Context, pattern string, args ...any) (string, error) {
	return one[string](ctx, w, "coalesce(max(what), '')", pattern, args...)
}

func one[V any](ctx context.Context, w *World, of, pattern string, args ...any) (v V, err error) {
	err = w.out.QueryRowContext(ctx, "SELECT "+of+" FROM done WHERE what LIKE $1", fmt.Sprintf(pattern, args...)).Scan(&v)
	return v, err
}

// call is in each function of an app. It does what a test has it do.
func (w *World) call() error {
	if f, _ := w.hook.Load().(func() error); f != nil {
		return f()
	}
	return nil
}

// shows fails the test unless all of some acts were done.
func shows(t testing.TB, f Face, acts ...int) {
	t.Helper()
	for _, n := range acts {
		if ok, err := f.Has(t.Context(), n); err != nil || !ok {
			t.Errorf("act %d was confirmed: %v, %v; want true", n, ok, err)
		}
	}
}

// patience is how long an act may take. Others may have claims to it first.
const patience = time.Minute

// acts does an act, which must not wait forever.
func acts(t testing.TB, f Face, n int) error {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return f.Act(ctx, n)
}

// continues fails the test unless a process can do an act that another one may have begun, and another act.
func (w *World) continues(t testing.TB, f Face, n, next int) {
	t.Helper()
	if _, err := f.Has(t.Context(), n); err != nil {
		t.Errorf("act %d: %v", n, err)
	}
	for _, n := range []int{n, next} {
		if err := acts(t, f, n); err != nil {
			t.Errorf("act %d, by the next process: %v", n, err)
		}
	}
	shows(t, f, n, next)
}

// once returns an error if something that was done outside for act n, by patterns, was done twice.
func (w *World) once(ctx context.Context, patterns ...string) error {
	for _, pattern := range patterns {
		const twice = "SELECT what FROM done WHERE what LIKE $1 GROUP BY what HAVING count(*) > 1"
		var what string
		err := w.out.QueryRowContext(ctx, twice, pattern).Scan(&what)
		if err == nil {
			return fmt.Errorf("done twice: %s", what)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}
