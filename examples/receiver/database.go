package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/webhook"
)

// database has the inbox and the app's own tables, so that one transaction changes both.
type database struct {
	inbox    webhook.Inbox
	tables   *sql.DB
	schema   string // with a dot, before the names of tables
	transact func(ctx context.Context, f func(*sql.Tx) error) error
	clean    func(context.Context) error // removes the tables of the demonstration
	close    func() error
}

// record is the mirror of a product or a category.
type record struct {
	resource string
	id       int64
	state    string
}

// name names a record.
func (r record) name() string { return fmt.Sprintf("%s %d", r.resource, r.id) }

// openDatabase opens a file, or the database of a URL.
func openDatabase(ctx context.Context, name string) (*database, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return openPostgres(ctx, name)
	}
	return openSQLite(ctx, name)
}

// create creates the tables of the app, after a lock that other processes wait for.
func (d *database) create(ctx context.Context, lock string) error {
	return d.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, lock+`
			CREATE TABLE IF NOT EXISTS `+d.schema+`mirror (
				resource TEXT, id BIGINT, state TEXT NOT NULL, fence BIGINT NOT NULL, PRIMARY KEY (resource, id));
			CREATE TABLE IF NOT EXISTS `+d.schema+`effect (
				event TEXT, id BIGINT, runs INTEGER NOT NULL, PRIMARY KEY (event, id))`)
		return err
	})
}

// apply writes the record that the run of ctx has read, and ends its entry, in one transaction.
func (d *database) apply(ctx context.Context, event webhook.Name, r record) error {
	return d.transact(ctx, func(tx *sql.Tx) error {
		written, err := tx.ExecContext(ctx, `INSERT INTO `+d.schema+`mirror AS m (resource, id, state, fence)
			VALUES ($1, $2, $3, $4) ON CONFLICT (resource, id)
			DO UPDATE SET state = excluded.state, fence = excluded.fence WHERE m.fence <= excluded.fence`,
			r.resource, r.id, r.state, int64(webhook.Fence(ctx)))
		if err != nil {
			return err
		}
		if n, err := written.RowsAffected(); err != nil || n == 0 {
			return errors.Join(webhook.ErrLeaseLost, err) // a later run has written the record
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO `+d.schema+`effect AS e (event, id, runs) VALUES ($1, $2, 1)
			ON CONFLICT (event, id) DO UPDATE SET runs = e.runs + 1`, string(event), r.id); err != nil {
			return err
		}
		return webhook.CommitTx(ctx, tx)
	})
}

// mirrored returns the state of all records by name.
func (d *database) mirrored(ctx context.Context) (map[string]string, error) {
	return pairs[string](ctx, d.tables, `SELECT resource || ' ' || id, state FROM `+d.schema+`mirror`)
}

// runs returns the number of effects of handlers, by event and record.
func (d *database) runs(ctx context.Context) (map[string]int, error) {
	return pairs[int](ctx, d.tables, `SELECT event || ' ' || id, runs FROM `+d.schema+`effect`)
}

// pairs reads the rows of a query with two columns.
func pairs[V any](ctx context.Context, db *sql.DB, query string) (all map[string]V, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = map[string]V{}
	for rows.Next() {
		var name string
		var value V
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, rows.Err()
}
