package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// database has the inbox and the app's own table, so that one transaction changes both.
type database struct {
	inbox    webhook.Inbox
	tables   *sql.DB
	mirror   string // the name of the table
	transact func(ctx context.Context, f func(*sql.Tx) error) error
	close    func() error
}

// openDatabase opens a file, or the database of a URL.
func openDatabase(ctx context.Context, name string) (*database, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return openPostgres(ctx, name)
	}
	return openSQLite(ctx, name)
}

// create creates the table of the app, after a lock that other processes wait for.
func (d *database) create(ctx context.Context, lock string) error {
	return d.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, lock+`CREATE TABLE IF NOT EXISTS `+d.mirror+` (
			product BIGINT PRIMARY KEY, state TEXT NOT NULL, fence BIGINT NOT NULL)`)
		return err
	})
}

// apply writes the product that the run of ctx has read, and ends its entry, in one transaction.
func (d *database) apply(ctx context.Context, product client.ID, state string) error {
	return d.transact(ctx, func(tx *sql.Tx) error {
		written, err := tx.ExecContext(ctx, `INSERT INTO `+d.mirror+` AS m (product, state, fence) VALUES ($1, $2, $3)
			ON CONFLICT (product) DO UPDATE SET state = excluded.state, fence = excluded.fence
			WHERE m.fence <= excluded.fence`, product, state, int64(webhook.Fence(ctx)))
		if err != nil {
			return err
		}
		if n, err := written.RowsAffected(); err != nil || n == 0 {
			return errors.Join(webhook.ErrLeaseLost, err) // a later run has written the product
		}
		return webhook.CommitTx(ctx, tx)
	})
}

// mirrored returns the state of all products.
func (d *database) mirrored(ctx context.Context) (all map[client.ID]string, err error) {
	rows, err := d.tables.QueryContext(ctx, `SELECT product, state FROM `+d.mirror)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = map[client.ID]string{}
	for rows.Next() {
		var product client.ID
		var state string
		if err := rows.Scan(&product, &state); err != nil {
			return nil, err
		}
		all[product] = state
	}
	return all, rows.Err()
}
