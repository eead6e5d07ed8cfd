package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

// schema has the table of the app and those of its inbox.
const schema = "commerce_receiver"

// openPostgres opens a database that any number of processes can share.
func openPostgres(ctx context.Context, url string) (*database, error) {
	// README: many machines
	inbox, err := postgres.OpenURL(ctx, url, postgres.Options{Schema: schema}) // creates its tables
	// end
	if err != nil {
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
	d.close = inbox.Close
	if err := d.create(ctx, "SELECT pg_advisory_xact_lock(4218);"); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}
