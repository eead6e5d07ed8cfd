package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
)

//go:embed schema.sql
var schema string

// openFile opens or creates the file. In WAL mode others may read while the program writes. NORMAL is enough, because a
// power failure can lose only the latest transactions as a whole, both records and position.
func openFile(ctx context.Context, name string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+name+"?_pragma=journal_mode(wal)&_pragma=synchronous(normal)"+
		"&_pragma=busy_timeout(5000)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), db.Close())
	}
	// README: tables
	tables := appdb.Tables{DB: db, Parts: []appdb.Part{sqlcopy.Tables}}
	if err := tables.Migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	// end
	return db, nil
}
