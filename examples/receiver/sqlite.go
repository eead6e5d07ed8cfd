package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// sqliteDatabase keeps everything in one file.
type sqliteDatabase struct{ *sqlite.Inbox }

func openSQLite(ctx context.Context, path string) (database, error) {
	// README: one machine
	inbox, err := sqlite.Open(ctx, path, sqlite.Options{}) // a file; nothing to install
	// end
	if err != nil {
		return nil, err
	}
	d := sqliteDatabase{inbox}
	_, err = inbox.DB().ExecContext(ctx, `
		CREATE TABLE IF NOT EXISTS mirror (
			resource TEXT, id INTEGER, state TEXT NOT NULL, fence INTEGER NOT NULL, PRIMARY KEY (resource, id));
		CREATE TABLE IF NOT EXISTS effect (event TEXT, id INTEGER, runs INTEGER NOT NULL, PRIMARY KEY (event, id))`)
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d sqliteDatabase) apply(ctx context.Context, event webhook.Name, r record) error {
	return d.Transact(ctx, func(tx *sql.Tx) error {
		written, err := tx.ExecContext(ctx, `INSERT INTO mirror (resource, id, state, fence) VALUES (?, ?, ?, ?)
			ON CONFLICT (resource, id) DO UPDATE SET state = excluded.state, fence = excluded.fence WHERE fence <= excluded.fence`,
			r.resource, r.id, r.state, int64(webhook.Fence(ctx)))
		if err != nil {
			return err
		}
		if n, err := written.RowsAffected(); err != nil || n == 0 {
			return errors.Join(webhook.ErrLeaseLost, err) // a later run has been here
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO effect (event, id, runs) VALUES (?, ?, 1)
			ON CONFLICT (event, id) DO UPDATE SET runs = runs + 1`, string(event), r.id); err != nil {
			return err
		}
		return webhook.CommitTx(ctx, tx)
	})
}

func (d sqliteDatabase) mirrored(ctx context.Context) (map[string]string, error) {
	states := map[string]string{}
	err := d.each(ctx, "SELECT resource, id, state FROM mirror", func(rows *sql.Rows) error {
		var r record
		err := rows.Scan(&r.resource, &r.id, &r.state)
		states[r.name()] = r.state
		return err
	})
	return states, err
}

func (d sqliteDatabase) runs(ctx context.Context) (map[string]int, error) {
	runs := map[string]int{}
	err := d.each(ctx, "SELECT event, id, runs FROM effect", func(rows *sql.Rows) error {
		var event string
		var id, n int
		err := rows.Scan(&event, &id, &n)
		runs[fmt.Sprintf("%s %d", event, id)] = n
		return err
	})
	return runs, err
}

func (d sqliteDatabase) each(ctx context.Context, query string, read func(*sql.Rows) error) error {
	rows, err := d.DB().QueryContext(ctx, query)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := read(rows); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return rows.Err()
}

// clean does nothing: the file goes with its directory.
func (sqliteDatabase) clean(context.Context) error { return nil }

func (d sqliteDatabase) close() error { return d.Close() }

// name names a record.
func (r record) name() string { return fmt.Sprintf("%s %d", r.resource, r.id) }
