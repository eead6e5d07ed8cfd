package main

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// openSQLite stores everything in one file.
func openSQLite(ctx context.Context, path string) (*database, error) {
	// README: one machine
	inbox, err := sqlite.Open(ctx, path, sqlite.Options{}) // a file; nothing to install
	// end
	if err != nil {
		return nil, err
	}
	d := &database{inbox: inbox, tables: inbox.DB(), mirror: "mirror", transact: inbox.Transact, close: inbox.Close}
	if err := d.create(ctx, ""); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}
