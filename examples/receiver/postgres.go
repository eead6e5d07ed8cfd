package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

// schema has the table of the app and those of its inbox.
const schema = "commerce_receiver"

// openPostgres opens a database that any number of processes can share.
func openPostgres(ctx context.Context, url string) (*database, error) {
	// README: many machines
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, err
	}
	inbox, err := postgres.Open(ctx, pool, postgres.Options{Schema: schema}) // creates its tables
	// end
	if err != nil {
		pool.Close()
		return nil, err
	}
	d := &database{inbox: inbox, tables: inbox.DB(), mirror: schema + ".mirror"}
	d.transact = func(ctx context.Context, f func(*sql.Tx) error) error {
		tx, err := d.tables.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	}
	d.close = func() error {
		inbox.Close()
		pool.Close()
		return nil
	}
	if err := d.create(ctx, "SELECT pg_advisory_xact_lock(4218);"); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}
