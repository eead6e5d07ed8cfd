package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
)

//go:embed schema.sql
var schema string

// openFile opens the file, or creates a file that only its owner may read.
func openFile(ctx context.Context, name string) (*sql.DB, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	// In WAL mode others may read while the program writes. NORMAL is enough, because a power failure can lose only the
	// latest transactions as a whole, both records and position.
	settings := url.Values{
		"_pragma": {"journal_mode(wal)", "synchronous(normal)", "busy_timeout(5000)"}, "_txlock": {"immediate"},
	}
	dsn := url.URL{Scheme: "file", Opaque: (&url.URL{Path: name}).EscapedPath(), RawQuery: settings.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, schema)
	// README: tables
	tables := appdb.Tables{DB: db, Parts: []appdb.Part{sqlcopy.Tables}}
	if err := errors.Join(err, tables.Migrate(ctx)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), db.Close())
	}
	// end
	return db, nil
}
