package sqlite

import (
	"context"
	"database/sql"
)

// queryer is a transaction of the collector or of the caller.
type queryer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// transaction is a transaction that holds the write lock, with the state that all of them use.
type transaction struct {
	q   queryer
	in  *Inbox
	now int64

	token   int64 // the last token
	pending int
	kept    *kept // nil if leases are not cached
	stores  known

	due    bool // an entry may have become due
	erased bool // a protected body was overwritten

	buried  int // entries became dead, without privacy requests
	trimmed int // dead entries were deleted, because there were too many
}

// load reads the state of the inbox.
func (t *transaction) load() error {
	var last int64
	if _, err := t.one("SELECT clock, token, pending FROM inbox_state", nil, &last, &t.token, &t.pending); err != nil {
		return err
	}
	t.now = t.in.clock.after(last)
	return nil
}

func (t *transaction) save() error {
	return t.exec("UPDATE inbox_state SET clock = ?, token = ?, pending = ?", t.now, t.token, t.pending)
}

// Statements get no context, because cancelling a write in the middle would cancel the writes of other calls.

func (t *transaction) exec(query string, args ...any) error {
	_, err := t.q.ExecContext(context.Background(), query, args...)
	return err
}

// inserted returns the id of the row that was inserted.
func (t *transaction) inserted(query string, args ...any) (int64, error) {
	r, err := t.q.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

func (t *transaction) count(query string, args ...any) (int64, error) {
	r, err := t.q.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// one scans the first row, and reports whether there is one.
func (t *transaction) one(query string, args []any, targets ...any) (bool, error) {
	found := false
	err := t.each(query, args, func(rows *sql.Rows) error {
		if found {
			return nil
		}
		found = true
		return rows.Scan(targets...)
	})
	return found, err
}

func (t *transaction) each(query string, args []any, read func(rows *sql.Rows) error) error {
	rows, err := t.q.QueryContext(context.Background(), query, args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := read(rows); err != nil {
			_ = rows.Close()
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return rows.Close()
}

// texts reads a column.
func (t *transaction) texts(query string, args ...any) ([]string, error) {
	var all []string
	err := t.each(query, args, func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		all = append(all, s)
		return err
	})
	return all, err
}

// numbers reads a column.
func (t *transaction) numbers(query string, args ...any) ([]int64, error) {
	var all []int64
	err := t.each(query, args, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		all = append(all, n)
		return err
	})
	return all, err
}
