package tables

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

const (
	contended = 10 * time.Second      // how long a change is repeated
	pause     = 20 * time.Millisecond // between two tries, at most
)

// Run calls f in a transaction of its own, and commits it if f returns nil. The transaction asks for READ COMMITTED,
// because the statements of this module are correct at that level and the default of the database may be another. A
// panic of f rolls it back too.
//
// Run repeats the whole transaction for up to ten seconds if the database has rolled it back because of others, is
// busy, or has become a standby. So f may be called more than once.
func Run(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	return onConn(ctx, db, func(c *sql.Conn) error {
		tx, err := c.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // does nothing after Commit
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Repeat calls a statement, and repeats it for up to ten seconds if the database has rolled it back because of others
// or is busy. Other errors are not repeated, because their statement may have been applied.
func Repeat(ctx context.Context, statement func() error) error {
	for began := time.Now(); ; {
		err := statement()
		if err == nil || !isTransient(err) || time.Since(began) > contended {
			return err
		}
		select {
		case <-time.After(rand.N(pause)):
		case <-ctx.Done():
			return err
		}
	}
}

// onConn calls f with a connection, and repeats that as Repeat does. A connection to a server that has become a standby
// is closed, so that the pool opens one to the new primary.
func onConn(ctx context.Context, db *sql.DB, f func(c *sql.Conn) error) error {
	return Repeat(ctx, func() error {
		c, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		if err = f(c); stateOf(err) == readOnly {
			_ = c.Raw(func(any) error { return driver.ErrBadConn })
		}
		return err
	})
}

// each calls f with a connection of a *sql.DB, as onConn does, or once with another DB.
func each(ctx context.Context, db DB, f func(db DB) error) error {
	if pool, ok := db.(*sql.DB); ok {
		return onConn(ctx, pool, func(c *sql.Conn) error { return f(c) })
	}
	return f(db)
}

// SQLSTATE of errors after which nothing was applied.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	readOnly             = "25006" // the server is a standby
)

// isTransient reports whether a database has applied nothing, and may apply the same statement later.
func isTransient(err error) bool {
	switch stateOf(err) {
	case serializationFailure, deadlockDetected, readOnly:
		return true
	}
	const busy, locked, primary = 5, 6, 0xff // of SQLite
	code, ok := codeOf(err)
	return ok && (code&primary == busy || code&primary == locked)
}

// stateOf returns the SQLSTATE of an error, empty if it has none. Drivers of PostgreSQL have it in a method.
func stateOf(err error) string {
	if e, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		return e.SQLState()
	}
	return ""
}

// codeOf returns the code of an error of SQLite. Drivers have it in a method or in a field Code.
func codeOf(err error) (code int64, ok bool) {
	if e, ok := errors.AsType[interface {
		error
		Code() int
	}](err); ok {
		return int64(e.Code()), true
	}
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.Indirect(reflect.ValueOf(err))
		if v.Kind() != reflect.Struct {
			continue
		}
		if field := v.FieldByName("Code"); field.IsValid() && field.CanInt() {
			return field.Int(), true
		}
	}
	return 0, false
}

// Try calls f as a part of a transaction, and rolls that part back if f returns an error.
func Try(ctx context.Context, tx *sql.Tx, f func() error) error {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT commerce_try"); err != nil {
		return err
	}
	failed := f()
	end := "RELEASE SAVEPOINT commerce_try"
	if failed != nil {
		end = "ROLLBACK TO SAVEPOINT commerce_try"
	}
	_, err := tx.ExecContext(ctx, end)
	return errors.Join(failed, err)
}

// Refused reports whether a database has refused a statement because of a value in it, such as U+0000 in a text on
// PostgreSQL. The statement fails whenever it is repeated, and others do not.
func Refused(err error) bool {
	const notNull, check, tooLarge = "23502", "23514", "54000"
	switch state := stateOf(err); {
	case strings.HasPrefix(state, "22"), state == notNull, state == check, state == tooLarge:
		return true
	}
	switch code, _ := codeOf(err); code {
	case 18, 20, 19 | 1<<8, 19 | 5<<8, 19 | 12<<8: // of SQLite: too big, mismatch; constraints of check, null and type
		return true
	}
	return false
}
