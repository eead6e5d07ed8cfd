package queue

import (
	"context"
	"database/sql"
	"net/url"

	_ "modernc.org/sqlite" // the driver, which package webhook/sqlite uses too
)

// openFile opens a file of SQLite that writes ahead and syncs each commit, and runs statements on it. SQLite has one
// writer at a time, so there is one connection: others would find the file busy.
func openFile(ctx context.Context, path string, statements ...string) (*sql.DB, error) {
	settings := url.Values{
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)"}, "_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+path+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			_ = db.Close() // the first error says more
			return nil, err
		}
	}
	return db, nil
}

// keysSchema is the table by which libraries that do not deduplicate are made to.
const keysSchema = `CREATE TABLE IF NOT EXISTS delivery_key (key TEXT PRIMARY KEY) WITHOUT ROWID`

// once calls add in a transaction unless the key is known, and adds the key. It reports whether it called it.
func once(ctx context.Context, db *sql.DB, key string, add func(tx *sql.Tx) error) (added bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after a commit
	result, err := tx.ExecContext(ctx, `INSERT INTO delivery_key (key) VALUES (?) ON CONFLICT DO NOTHING`, key)
	if err != nil {
		return false, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if err := add(tx); err != nil {
		return false, err
	}
	return true, tx.Commit()
}
