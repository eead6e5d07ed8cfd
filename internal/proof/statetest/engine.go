package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client/multistore"
)

// Engine is a database that an app may use.
type Engine struct {
	New     func(t testing.TB) string                   // returns the address of a database that is empty
	Connect func(address string) (*sql.DB, error)       // opens it as an app does, in any process
	Files   func(t testing.TB, address string) [][]byte // returns what somebody has who steals its disk
	Inbox   func(t testing.TB) multistore.Database      // opens an inbox in an empty database; the test closes it
	// Ended waits until the server has ended the sessions of killed processes. A server first completes the statement
	// that it is executing. Nil means that there is no server: statements end with their process.
	Ended func(t testing.TB, address string)
	// Ways are other ways to an empty database: with a level of isolation as its default, or through a pooler. The
	// first ones are played by make test too.
	Ways []Way
	// Failover is nil if no other server can replace one.
	Failover func(t *testing.T) Failover
}

// Way is a way to a database that is empty.
type Way struct {
	Name    string
	New     func(t testing.TB) string
	Connect func(address string) (*sql.DB, error) // nil means that of the Engine
}

// Failover is a server and its standby.
type Failover struct {
	DB    *sql.DB // the pool of an app, whose connections stay open
	Fresh *sql.DB // opens a connection for each statement
	// Over has the two change places. Connections that are open then lead to a server that is read-only.
	Over func()
}

// opened connects to a database until the end of the test.
func (e Engine) opened(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := e.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// exec executes a statement of a test, such as one that has time pass.
func exec(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(context.WithoutCancel(t.Context()), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// column returns the rows of a query that selects one value.
func column[V any](t testing.TB, db *sql.DB, query string, args ...any) (all []V) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }() // Err has what went wrong
	for rows.Next() {
		var v V
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// has fails the test unless a query selects these values.
func has[V any](t testing.TB, db *sql.DB, query string, want ...V) {
	t.Helper()
	if got := column[V](t, db, query); fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		t.Errorf("%s: got %#v, want %#v", query, got, want)
	}
}

// succeed fails the test unless all of some calls succeeded.
func succeed(t *testing.T, all ...error) {
	t.Helper()
	if err := errors.Join(all...); err != nil {
		t.Fatal(err)
	}
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
