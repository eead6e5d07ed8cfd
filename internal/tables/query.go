package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
)

// Scan is the method of a row that copies its columns.
type Scan = func(dest ...any) error

// UnreadableError is a row that cannot be read. It costs only itself: the other rows are returned.
type UnreadableError struct {
	Key string // the first column of the statement
	Err error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("row %.100q cannot be read: %v", e.Key, e.Err)
}

// Unwrap returns Err.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Query returns the rows of a statement, whose first column is their key. It reads them to the end before it returns,
// so no connection is held while the caller works with them, and a statement that also changes rows is committed. On a
// *sql.DB the statement is repeated as Run does.
//
// A row in which read finds an error is an *UnreadableError. The other rows are returned with it.
func Query[T any](
	ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error),
) (all []T, err error) {
	page, err := rowsOf(ctx, db, statement, args, read)
	var bad []error
	for _, r := range page {
		if r.err != nil {
			bad = append(bad, r.err)
			continue
		}
		all = append(all, r.value)
	}
	return all, errors.Join(append(bad, err)...)
}

// One returns the first row of a statement, and whether there is one.
func One[T any](
	ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error),
) (first T, ok bool, err error) {
	all, err := Query(ctx, db, statement, args, read)
	if err != nil || len(all) == 0 {
		return first, false, err
	}
	return all[0], true, nil
}

// PageSize is the number of rows that are read or deleted at once, so that no statement blocks others for long.
const PageSize = 500

// Pages iterates over the rows of a statement in the order of their key, the first column. $1 is the key after which a
// page begins, $2 its size, and args are the other values. No connection is held while the loop body runs. A row that
// cannot be read is yielded as its error, and the iteration continues. It ends after any other error.
func Pages[T any](
	ctx context.Context, db DB, statement string, after any, args []any, read func(scan Scan) (T, error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			page, err := rowsOf(ctx, db, statement, append([]any{after, PageSize}, args...), read)
			for _, r := range page {
				if after = r.key; !yield(r.value, r.err) {
					return
				}
			}
			if err != nil {
				var none T
				yield(none, err)
			}
			if err != nil || len(page) < PageSize {
				return
			}
		}
	}
}

// row is a row of a statement, or the reason why it cannot be read.
type row[T any] struct {
	key   any
	value T
	err   error
}

func rowsOf[T any](
	ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error),
) (all []row[T], err error) {
	if args, err = texts(args); err != nil {
		return nil, err
	}
	err = each(ctx, db, func(db DB) error {
		all, err = query(ctx, db, statement, args, read)
		return err
	})
	return all, err
}

func query[T any](
	ctx context.Context, db DB, statement string, args []any, read func(scan Scan) (T, error),
) (all []row[T], err error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var r row[T]
		if r.key, err = keyOf(rows, len(columns)); err != nil {
			return nil, err
		}
		if r.value, err = read(rows.Scan); err != nil {
			r.err = &UnreadableError{fmt.Sprint(r.key), err}
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// keyOf returns the first column of a row of n columns.
func keyOf(rows *sql.Rows, n int) (key any, err error) {
	dest := make([]any, n)
	for i := range dest {
		dest[i] = skip{}
	}
	dest[0] = &key
	err = rows.Scan(dest...)
	if text, ok := key.([]byte); ok {
		key = string(text)
	}
	return key, err
}

// skip is a column that is not read.
type skip struct{}

func (skip) Scan(any) error { return nil }

// Value reads a row of one column.
func Value[T any](scan Scan) (v T, err error) {
	err = scan(&v)
	return v, err
}
