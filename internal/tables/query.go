package tables

import (
	"context"
	"database/sql"
	"errors"
)

// Scan is the method of a row that copies its columns.
type Scan = func(dest ...any) error

// Query returns the rows of a statement. It reads them to the end before it returns, so no connection is held while the
// caller works with them, and a statement that also changes rows is committed. On a *sql.DB the statement is repeated
// as Repeat does.
//
// A row whose columns were copied, but in which read found an error, costs only itself: the other rows are returned
// with that error. Read should name the row in it.
func Query[T any](
	ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error),
) (all []T, err error) {
	once := func() error {
		all, err = query(ctx, db, statement, args, read)
		return err
	}
	if _, ok := db.(*sql.DB); ok {
		err = Repeat(ctx, once)
	} else {
		err = once()
	}
	return all, err
}

// One returns the first row of a statement, and whether there is one.
func One[T any](ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error)) (first T, ok bool, err error) {
	all, err := Query(ctx, db, statement, args, read)
	if err != nil || len(all) == 0 {
		return first, false, err
	}
	return all[0], true, nil
}

func query[T any](ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error)) (all []T, err error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var bad []error
	for rows.Next() {
		var failed error
		one, err := read(func(dest ...any) error {
			failed = rows.Scan(dest...)
			return failed
		})
		switch {
		case failed != nil:
			return nil, err
		case err != nil:
			bad = append(bad, err)
		default:
			all = append(all, one)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, errors.Join(bad...)
}

// Value reads a row of one column.
func Value[T any](scan Scan) (v T, err error) {
	err = scan(&v)
	return v, err
}
