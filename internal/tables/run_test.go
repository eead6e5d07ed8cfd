package tables

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// server is a database that fails as it is asked to, and notes what reaches it.
type server struct {
	fail  func(n int) error // of statement n
	calls []string
	n     int
	conns int
}

func (s *server) note(call string) { s.calls = append(s.calls, call) }

func (s *server) Connect(context.Context) (driver.Conn, error) {
	s.conns++
	return &conn{s, s.conns}, nil
}
func (s *server) Driver() driver.Driver { return nil }

type conn struct {
	*server
	id int
}

func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not prepared") }
func (c *conn) Begin() (driver.Tx, error)           { return nil, errors.New("without a level") }
func (c *conn) Close() error                        { c.note(fmt.Sprint("close ", c.id)); return nil }
func (c *conn) Commit() error                       { c.note("commit"); return nil }
func (c *conn) Rollback() error                     { c.note("rollback"); return nil }

func (c *conn) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	c.note("begin " + sql.IsolationLevel(o.Isolation).String())
	return c, nil
}

func (c *conn) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	c.n++
	c.note("exec")
	return driver.RowsAffected(1), c.fail(c.n)
}

func (c *conn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	c.n++
	c.note("query")
	return noRows{}, c.fail(c.n)
}

type noRows struct{}

func (noRows) Columns() []string         { return []string{"id"} }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }

// Errors of drivers: the first has a SQLSTATE, the others have a code in a method and in a field.
type (
	stateError string
	codeError  int
	fieldError struct{ Code int }
)

func (e stateError) Error() string    { return "it failed" }
func (e stateError) SQLState() string { return string(e) }
func (e codeError) Error() string     { return "it failed" }
func (e codeError) Code() int         { return int(e) }
func (e fieldError) Error() string    { return "it failed" }

// What the database has rolled back is repeated, and nothing else, because it may have been applied.
func TestTransientErrors(t *testing.T) {
	for _, test := range []struct {
		err      error
		repeated bool
	}{
		{stateError("40001"), true}, {stateError("40P01"), true}, {stateError("25006"), true},
		{fmt.Errorf("get: %w", stateError("40001")), true},
		{codeError(5), true}, {codeError(6), true}, {codeError(5 | 2<<8), true}, {fieldError{5}, true}, {fmt.Errorf("get: %w", &fieldError{6}), true},
		{stateError("23505"), false}, {codeError(1), false}, {codeError(19), false}, {fieldError{}, false},
		{io.ErrUnexpectedEOF, false}, {driver.ErrBadConn, false}, {errors.New("store 40001: database is locked"), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := Repeat(t.Context(), func() error {
				if calls++; calls == 3 {
					return nil
				}
				return test.err
			})
			if test.repeated != (err == nil) || test.repeated != (calls == 3) {
				t.Errorf("%#v: got %v after %d calls, want it repeated: %t", test.err, err, calls, test.repeated)
			}
			began := time.Now()
			always := func() error { return test.err }
			if err := Repeat(t.Context(), always); err == nil || time.Since(began) > contended+pause {
				t.Errorf("%#v: got %v after %v, want an error after %v at most", test.err, err, time.Since(began), contended)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began = time.Now()
			if err := Repeat(ctx, always); err == nil || time.Since(began) > time.Second {
				t.Errorf("%#v: got %v after %v, want an error when the context ends", test.err, err, time.Since(began))
			}
		})
	}
}

// A record whose value the database refuses can be left out. Other errors would leave out records for no reason.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		err     error
		refused bool
	}{
		{stateError("22021"), true}, {stateError("22P05"), true}, {fmt.Errorf("put: %w", stateError("22001")), true},
		{stateError("23502"), true}, {stateError("23514"), true}, {stateError("54000"), true},
		{codeError(18), true}, {codeError(20), true}, {codeError(275), true}, {codeError(1299), true}, {codeError(3091), true},
		{nil, false}, {io.EOF, false}, {context.Canceled, false}, {stateError("40001"), false}, {stateError("42P01"), false},
		{stateError("23503"), false}, {stateError("23505"), false}, {codeError(19), false}, {codeError(787), false},
	} {
		if got := Refused(test.err); got != test.refused {
			t.Errorf("%#v: got %t, want %t", test.err, got, test.refused)
		}
	}
}

// A transaction asks for its level, ends whatever its function does, and begins again on a new connection if the server
// has become a standby.
func TestRun(t *testing.T) {
	for name, test := range map[string]struct {
		fail  func(n int) error
		f     func(tx *sql.Tx) error // after a statement
		calls []string
		err   error
	}{
		"succeeds": {nil, nil, []string{"begin Read Committed", "exec", "commit"}, nil},
		"fails":    {func(int) error { return io.EOF }, nil, []string{"begin Read Committed", "exec", "rollback"}, io.EOF},
		"is rolled back twice": {func(n int) error { return [...]error{stateError("40001"), stateError("40P01"), nil}[n-1] }, nil,
			[]string{"begin Read Committed", "exec", "rollback", "begin Read Committed", "exec", "rollback", "begin Read Committed", "exec", "commit"}, nil},
		"meets a standby": {func(n int) error { return [...]error{stateError("25006"), nil}[n-1] }, nil,
			[]string{"begin Read Committed", "exec", "rollback", "close 1", "begin Read Committed", "exec", "commit"}, nil},
		"panics":             {nil, func(*sql.Tx) error { panic("oh") }, []string{"begin Read Committed", "exec", "rollback"}, errPanicked},
		"the function fails": {nil, func(*sql.Tx) error { return io.EOF }, []string{"begin Read Committed", "exec", "rollback"}, io.EOF},
	} {
		s := &server{fail: test.fail}
		if s.fail == nil {
			s.fail = func(int) error { return nil }
		}
		db := sql.OpenDB(s)
		err := panicked(func() error {
			return Run(t.Context(), db, func(tx *sql.Tx) error {
				if _, err := tx.ExecContext(t.Context(), "UPDATE"); err != nil {
					return err
				}
				if test.f != nil {
					return test.f(tx)
				}
				return nil
			})
		})
		if !errors.Is(err, test.err) || !slices.Equal(s.calls, test.calls) {
			t.Errorf("%s: got %v, %q, want %v, %q", name, err, s.calls, test.err, test.calls)
		}
		if open := db.Stats().InUse; open != 0 {
			t.Errorf("%s: %d connections are in use", name, open)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A statement outside of a transaction is repeated on a new connection, even if it returns rows.
func TestStandbyIsLeft(t *testing.T) {
	for call, of := range map[string]func(db *sql.DB) error{
		"exec": func(db *sql.DB) error {
			_, err := Tables{}.Exec(t.Context(), db, "UPDATE")
			return err
		},
		"query": func(db *sql.DB) error {
			_, err := Query(t.Context(), db, "UPDATE RETURNING", nil, Value[int])
			return err
		},
	} {
		s := &server{fail: func(n int) error { return [...]error{stateError("25006"), nil}[n-1] }}
		db := sql.OpenDB(s)
		if err := of(db); err != nil || !slices.Equal(s.calls, []string{call, "close 1", call}) {
			t.Errorf("%s: got %v, %q", call, err, s.calls)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

var errPanicked = errors.New("panicked")

func panicked(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanicked
		}
	}()
	return f()
}
