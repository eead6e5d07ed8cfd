package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// database is where the app keeps everything. The inbox is in it too, so that a transaction of a handler ends its
// delivery.
type database struct {
	*sql.DB
	inbox interface {
		webhook.Inbox
		webhook.Marks
	}
	broadcast discounts.Broadcast // nil: there is one process
	close     func() error
}

// openDatabase opens a file, or what a URL leads to.
func openDatabase(ctx context.Context, name string) (*database, error) {
	if !strings.HasPrefix(name, "postgres://") && !strings.HasPrefix(name, "postgresql://") {
		inbox, err := sqlite.Open(ctx, name, sqlite.Options{})
		if err != nil {
			return nil, err
		}
		return &database{inbox.DB(), inbox, nil, inbox.Close}, nil
	}
	inbox, err := postgres.OpenURL(ctx, name, postgres.Options{})
	if err != nil {
		return nil, err
	}
	close := func() error { inbox.Close(); return nil }
	return &database{inbox.DB(), inbox, &postgres.Broadcast{Pool: inbox.Pool()}, close}, nil
}

// migrate creates the tables of the packages and of the app, at each start and in several processes at a time.
func (a *app) migrate(ctx context.Context) error {
	mirror := &sqlcopy.Mirror[client.Product]{DB: a.db.DB} // all mirrors share its table
	return errors.Join(a.tokens.Migrate(ctx), a.cache.Migrate(ctx), mirror.Migrate(ctx), createTables(ctx, a.db.DB))
}
