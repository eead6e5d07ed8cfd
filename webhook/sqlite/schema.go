package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNewerSchema is an error of Open: the tables were made by a later release of this package, which may
// rely on rules that this one does not know.
var ErrNewerSchema = errors.New("newer schema")

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date, in one transaction: several processes may start
// at a time. Tables that a newer version of this package made are left alone.
func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of no effect after Commit
	if _, err := tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS inbox_schema (version INTEGER NOT NULL)"); err != nil {
		return err
	}
	var version int
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM inbox_schema").Scan(&version); err != nil {
		return err
	}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if version > len(names) {
		return fmt.Errorf("the tables have version %d and this release knows %d: %w", version, len(names), ErrNewerSchema)
	}
	for i, name := range names[version:] {
		script, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO inbox_schema (version) VALUES (?)", version+i+1); err != nil {
			return err
		}
	}
	return tx.Commit()
}
