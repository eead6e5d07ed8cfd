package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"
)

var (
	// ErrNoTables says that the tables of a package are not in the database.
	ErrNoTables = errors.New("tables are missing: call Migrate, or create them by what Schema returns")

	// ErrNewerSchema says that the tables were made by a later release, which may keep in them what this one would
	// lose.
	ErrNewerSchema = errors.New("newer schema")
)

// Prefix is what the names of tables begin with unless the app says otherwise.
const Prefix = "commerce_"

// Set is the tables of one package.
type Set struct {
	Package    string // such as "oauth/sqlstore", also in table commerce_version
	Migrations fs.FS  // see Steps
	Apps       string // a table whose key begins with the column app, such as commerce_install
	// Restored says what to do after a restore to an earlier point in time; see Move. Empty means that nothing is lost.
	Restored string
	Newest   string // a query for the time of the newest row, in microseconds of Unix time; empty if nobody reads it
}

// DB is a *sql.DB, a *sql.Tx or a *sql.Conn.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const (
	versionTableSQL = `CREATE TABLE IF NOT EXISTS commerce_version (
	package         TEXT    PRIMARY KEY,
	version         INTEGER NOT NULL, -- the migrations that were applied
	compatible_from INTEGER NOT NULL, -- the version of the oldest release that may use the tables
	place           TEXT    NOT NULL DEFAULT '', -- where the tables were last: see Move
	moved           BIGINT  NOT NULL DEFAULT 0,  -- when that changed, in microseconds of Unix time; 0 if it is settled
	newest          BIGINT  NOT NULL DEFAULT 0   -- the newest row at that time, as well
);
`
	// beginSQL locks the row of a package: of several processes, one migrates.
	beginSQL = `INSERT INTO commerce_version (package, version, compatible_from) VALUES ($1, 0, 0) ON CONFLICT (package) DO NOTHING`
	lockSQL  = `UPDATE commerce_version SET version = version WHERE package = $1`
	readSQL  = `SELECT version, compatible_from FROM commerce_version WHERE package = $1`
	noteSQL  = `UPDATE commerce_version SET version = $1, compatible_from = $2 WHERE package = $3`
)

// mostTries is how often a migration is tried: others may be creating the same tables.
const mostTries = 8

// names matches a valid prefix. Databases print names in lower case, and truncate long ones.
var names = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,29}$`)

// CheckPrefix returns an error if names of tables cannot begin with it. Empty means Prefix.
func CheckPrefix(prefix string) error {
	if prefix == "" || names.MatchString(prefix) {
		return nil
	}
	return fmt.Errorf("Prefix %.40q: must be 1 to 30 of a to z, 0 to 9 and _, and not begin with a digit", prefix)
}

// Rename writes a statement for tables whose names begin with prefix. Empty means Prefix.
func Rename(prefix, statement string) string {
	if prefix == "" {
		return statement
	}
	return strings.ReplaceAll(statement, Prefix, prefix)
}

// Schema returns the statements that create the tables by hand, with a semicolon and a line break at the end of each.
func (s Set) Schema(prefix string) string {
	var all strings.Builder
	all.WriteString(versionTableSQL)
	steps := s.steps()
	for _, step := range steps {
		all.WriteString(strings.TrimSpace(step.Script) + "\n")
	}
	n := len(steps)
	fmt.Fprintf(&all, "INSERT INTO commerce_version (package, version, compatible_from) VALUES ('%s', %d, %d) ON CONFLICT (package) DO NOTHING;\n",
		s.Package, n, steps[n-1].CompatibleFrom)
	return Rename(prefix, all.String())
}

// Migrate creates the tables, or changes them into those of this release. It does nothing, and needs no right to create
// anything, if they are. It may be called by several processes at a time. A move of the tables is logged.
func (s Set) Migrate(ctx context.Context, db *sql.DB, prefix string) error {
	if err := s.migrate(ctx, db, prefix); err != nil {
		return err
	}
	_, err := Tables{Set: s, DB: db, Prefix: prefix}.Moved(ctx)
	return err
}

func (s Set) migrate(ctx context.Context, db *sql.DB, prefix string) error {
	if err := CheckPrefix(prefix); err != nil {
		return fmt.Errorf("%s: %w", s.Package, err)
	}
	steps := s.steps()
	for try := 1; ; try++ {
		if n, err := s.version(ctx, db, prefix); err == nil && n >= len(steps) || errors.Is(err, ErrNewerSchema) || ctx.Err() != nil {
			return err
		}
		err := s.apply(ctx, db, prefix, steps)
		if err == nil || try == mostTries {
			return err
		}
		select { // PostgreSQL refuses what another one is creating, SQLite who comes second
		case <-time.After(time.Duration(rand.Int64N(int64(try) * int64(50*time.Millisecond)))):
		case <-ctx.Done():
			return fmt.Errorf("%s: migrate: %w", s.Package, ctx.Err())
		}
	}
}

func (s Set) apply(ctx context.Context, db *sql.DB, prefix string, steps []Step) error {
	err := Run(ctx, db, func(tx *sql.Tx) error { return s.applyIn(ctx, tx, prefix, steps) })
	if err != nil {
		return fmt.Errorf("%s: migrate: %w", s.Package, err)
	}
	return nil
}

func (s Set) applyIn(ctx context.Context, tx *sql.Tx, prefix string, steps []Step) error {
	if _, err := tx.ExecContext(ctx, Rename(prefix, versionTableSQL)); err != nil {
		return err
	}
	for _, statement := range []string{beginSQL, lockSQL} {
		if _, err := tx.ExecContext(ctx, Rename(prefix, statement), s.Package); err != nil {
			return err
		}
	}
	var applied, from int
	if err := tx.QueryRowContext(ctx, Rename(prefix, readSQL), s.Package).Scan(&applied, &from); err != nil {
		return err
	}
	for n := applied; n < len(steps); n++ {
		if _, err := tx.ExecContext(ctx, Rename(prefix, steps[n].Script)); err != nil {
			return fmt.Errorf("version %d: %w", n+1, err)
		}
	}
	if applied < len(steps) {
		if _, err := tx.ExecContext(ctx, Rename(prefix, noteSQL), len(steps), steps[len(steps)-1].CompatibleFrom, s.Package); err != nil {
			return err
		}
	}
	return nil
}

// Check returns nil if this release can use the tables: otherwise ErrNoTables, ErrNewerSchema, or what the database
// says.
func (s Set) Check(ctx context.Context, db DB, prefix string) error {
	n, err := s.version(ctx, db, prefix)
	if err == nil && n < len(s.steps()) {
		return fmt.Errorf("%s: the tables have version %d and this release needs %d: %w", s.Package, n, len(s.steps()), ErrNoTables)
	}
	return err
}

func (s Set) version(ctx context.Context, db DB, prefix string) (n int, err error) {
	if err := CheckPrefix(prefix); err != nil {
		return 0, fmt.Errorf("%s: %w", s.Package, err)
	}
	var from int
	err = db.QueryRowContext(ctx, Rename(prefix, readSQL), s.Package).Scan(&n, &from)
	switch known := len(s.steps()); {
	case errors.Is(err, sql.ErrNoRows):
		return 0, fmt.Errorf("%s: %w", s.Package, ErrNoTables)
	case err != nil && ctx.Err() == nil && missing(err):
		return 0, fmt.Errorf("%s: %w: %w", s.Package, ErrNoTables, err)
	case err != nil && unprepared(err):
		return 0, fmt.Errorf("%s: a pooler such as PgBouncer runs each transaction in another session, so statements must not be "+
			"prepared: with pgx, add default_query_exec_mode=exec to the URL of the database: %w", s.Package, err)
	case err != nil:
		return 0, fmt.Errorf("%s: %w", s.Package, err)
	case from > known:
		return n, fmt.Errorf("%s: the tables have version %d, for releases that know %d, and this release knows %d: %w", s.Package, n, from, known, ErrNewerSchema)
	}
	return n, nil
}

// missing reports whether a database refused a statement because a table is not there. database/sql has no error for
// that.
func missing(err error) bool {
	text := err.Error()
	return strings.Contains(text, "42P01") || strings.Contains(text, "no such table") || strings.Contains(text, `relation "`)
}

// unprepared reports whether a server does not know a statement that the driver has prepared, or knows another one of
// that name.
func unprepared(err error) bool {
	text := err.Error()
	return strings.Contains(text, "SQLSTATE 26000") || strings.Contains(text, "SQLSTATE 42P05")
}

// steps returns the migrations in their order. They are part of the program, so a mistake in them is a panic.
func (s Set) steps() []Step {
	steps, err := Steps(s.Migrations)
	if err != nil || len(steps) == 0 {
		panic(fmt.Sprintf("%s: %d migrations, %v: must be one or more", s.Package, len(steps), err))
	}
	return steps
}
