package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// openDatabase opens a file, or the database of a URL. The app stores everything in it. The inbox is in it too, so that
// the transaction of a handler ends its delivery.
func openDatabase(ctx context.Context, name string) (multistore.Database, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return postgres.OpenURL(ctx, name, postgres.Options{})
	}
	return sqlite.Open(ctx, name, sqlite.Options{})
}

// end of wiring

// createTables creates the tables of the app. PostgreSQL rejects a table that another replica creates at that moment,
// so createTables retries.
func (a *app) createTables(ctx context.Context) (err error) {
	for range 5 {
		err = nil
		for _, statement := range slices.Concat(copyTables, offerTables, courierTables, customerTables, shopTables) {
			_, failed := a.db.ExecContext(ctx, statement)
			err = errors.Join(err, failed)
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
