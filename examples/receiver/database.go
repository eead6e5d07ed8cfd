package main

import (
	"context"
	"strings"

	"github.com/commerceplatform/commerce-go/webhook"
)

// database holds the inbox and, beside it, what the app makes of deliveries.
type database interface {
	webhook.Inbox
	// apply writes what the run of ctx found and ends its entry, in one transaction.
	apply(ctx context.Context, event webhook.Name, r record) error
	// mirrored returns the state of all records by name.
	mirrored(ctx context.Context) (map[string]string, error)
	// runs returns how often handlers had their effect, by event and record.
	runs(ctx context.Context) (map[string]int, error)
	// clean removes what the demonstration made.
	clean(ctx context.Context) error
	close() error
}

// record is what the mirror knows of a product or a category.
type record struct {
	resource string
	id       int64
	state    string
}

// openDatabase opens a file, or what a URL leads to.
func openDatabase(ctx context.Context, name string) (database, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		return openPostgres(ctx, name)
	}
	return openSQLite(ctx, name)
}
