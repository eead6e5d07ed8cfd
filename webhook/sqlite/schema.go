package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

// ErrNewerSchema is an error of Open: the tables were changed by a later release of this package, and may be used only
// by releases that know the change.
var ErrNewerSchema = errors.New("newer schema")

// migrations are the steps that bring the tables from one version to the next: see tables.Steps.
//
//go:embed migrations/*.sql
var migrations embed.FS

// schema is the state of the tables as they record it.
type schema struct {
	version        int // the number of applied migrations
	compatibleFrom int // the version that a release must know
}

// migrate brings the tables up to date. It takes the write lock only if there are missing migrations, because a process
// that writes all the time rarely releases it.
func migrate(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	steps, err := tables.Steps(migrations)
	if err != nil {
		return err
	}
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	if missing, err := s.missing(steps); err != nil || len(missing) == 0 {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()          // no effect after Commit
	if s, err = readSchema(ctx, tx); err != nil { // another process may have been faster
		return err
	}
	missing, err := s.missing(steps)
	if err != nil {
		return err
	}
	for i, step := range missing {
		if _, err := tx.ExecContext(ctx, step.Script); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
		if _, err := tx.ExecContext(ctx, noteSQL, s.version+i+1, step.CompatibleFrom); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// missing returns the steps that must be applied.
func (s schema) missing(steps []tables.Step) ([]tables.Step, error) {
	if s.compatibleFrom > len(steps) {
		return nil, fmt.Errorf("the tables have version %d and this release knows %d: %w", s.compatibleFrom, len(steps), ErrNewerSchema)
	}
	return steps[min(s.version, len(steps)):], nil
}

// noteSQL records that a migration was applied.
const noteSQL = `
	CREATE TABLE IF NOT EXISTS inbox_migration (
		version         INTEGER PRIMARY KEY,
		compatible_from INTEGER NOT NULL -- the version of the oldest release that may use the tables since then
	);
	INSERT OR REPLACE INTO inbox_migration (version, compatible_from) VALUES (?, ?)`

// readSchema returns the zero schema if there are no tables.
func readSchema(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (s schema, err error) {
	var there bool
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'inbox_migration')").Scan(&there)
	if err == nil && there {
		const query = "SELECT coalesce(max(version), 0), coalesce(max(compatible_from), 0) FROM inbox_migration"
		err = db.QueryRowContext(ctx, query).Scan(&s.version, &s.compatibleFrom)
	}
	return s, err
}
