package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNewerSchema is an error of Open: the tables were changed by a later release of this package, and may be used only
// by releases that know the change.
var ErrNewerSchema = errors.New("newer schema")

// migrations bring the tables from one version to the next: the nth file makes version n. Each may be applied
// repeatedly, except migrations that add columns: see adds.
//
//go:embed migrations/*.sql
var migrations embed.FS

// compatibleFrom returns the version of the oldest release that may use the tables after the nth migration. A process
// of that release may run at the same time as processes of this one.
func compatibleFrom(n int) int {
	switch n {
	case 2: // copies that triggers make, and an index whose first column is unchanged
		return 1
	case 5: // columns that may be missing, and that the checksum of a row does not cover
		return 1
	case 3, 4: // store and turn of a lane, which a trigger adds; indexes
		return 1
	}
	return n
}

// schema is the state of the tables as they record it.
type schema struct {
	version        int // the number of applied migrations
	compatibleFrom int // the version that a release must know
}

// migrate brings the tables up to date. It takes the write lock only if there are missing migrations, because a process
// that writes all the time rarely releases it.
func migrate(ctx context.Context, db *sql.DB) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	if missing, err := s.missing(names); err != nil || len(missing) == 0 {
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
	missing, err := s.missing(names)
	if err != nil {
		return err
	}
	for i, name := range missing {
		script, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		there, err := hasColumn(ctx, tx, adds(s.version+i+1))
		if err == nil && !there {
			_, err = tx.ExecContext(ctx, string(script))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := s.note(ctx, tx, s.version+i+1); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// adds returns the column of inbox_entry that the nth migration adds, or "" if it does more than that. SQLite has no
// ADD COLUMN IF NOT EXISTS.
func adds(n int) string {
	if n == 5 {
		return "trace"
	}
	return ""
}

func hasColumn(ctx context.Context, tx *sql.Tx, column string) (there bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM pragma_table_info('inbox_entry') WHERE name = ?)"
	err = tx.QueryRowContext(ctx, query, column).Scan(&there)
	return there, err
}

// missing returns the migrations that must be applied.
func (s schema) missing(names []string) ([]string, error) {
	if s.compatibleFrom > len(names) {
		return nil, fmt.Errorf("the tables have version %d and this release knows %d: %w", s.compatibleFrom, len(names), ErrNewerSchema)
	}
	return names[min(s.version, len(names)):], nil
}

// The first release knows only inbox_schema, and rejects tables if a version in it is above its own. So inbox_schema
// has the versions that a release must know, and inbox_migration has all of them.
const schemaTables = `
	CREATE TABLE IF NOT EXISTS inbox_schema (version INTEGER NOT NULL);
	CREATE TABLE IF NOT EXISTS inbox_migration (
		version         INTEGER PRIMARY KEY,
		compatible_from INTEGER NOT NULL -- the version of the oldest release that may use the tables since then
	)`

// note records that a migration was applied.
func (s schema) note(ctx context.Context, tx *sql.Tx, n int) error {
	if _, err := tx.ExecContext(ctx, schemaTables); err != nil {
		return err
	}
	from := compatibleFrom(n)
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO inbox_migration (version, compatible_from) VALUES (?, ?)", n, from)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO inbox_schema (version) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM inbox_schema WHERE version >= ?1)", from)
	return err
}

// readSchema returns the zero schema if there are no tables.
func readSchema(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (s schema, err error) {
	var first, all bool
	const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = "
	err = db.QueryRowContext(ctx, "SELECT EXISTS ("+table+"'inbox_schema'), EXISTS ("+table+"'inbox_migration')").Scan(&first, &all)
	if err == nil && first {
		err = db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM inbox_schema").Scan(&s.compatibleFrom)
		s.version = s.compatibleFrom
	}
	if err == nil && all {
		var from int
		err = db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0), coalesce(max(compatible_from), 0) FROM inbox_migration").Scan(&s.version, &from)
		s.compatibleFrom = max(s.compatibleFrom, from)
	}
	return s, err
}
