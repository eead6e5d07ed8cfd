package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

// migrations are the steps that bring the tables from one version to the next: see tables.Steps.
//
//go:embed migrations/*.sql
var migrations embed.FS

// schema is the state of the tables as they record it.
type schema struct {
	version        int // the number of applied migrations
	compatibleFrom int // the version that a release must know
}

// in writes a statement for the schema of an inbox. Statements use the name inbox for it.
func (o Options) in(statement string) string {
	return strings.ReplaceAll(statement, "inbox.", `"`+o.Schema+`".`)
}

// migrate brings the schema to the version of this release. Processes that start at the same time wait for each other.
// A role without the right to create can use tables that another role has made.
func (in *Inbox) migrate(ctx context.Context, migrations fs.FS) error {
	steps, err := tables.Steps(migrations)
	if err != nil {
		return err
	}
	var s schema
	var missing []tables.Step
	if err := in.within(ctx, func(tx pgx.Tx) (err error) {
		if s, err = readSchema(ctx, tx, in.options); err == nil {
			missing, err = s.missing(steps)
		}
		return err
	}); err != nil || len(missing) == 0 {
		return err
	}
	for began := time.Now(); ; {
		err := in.within(ctx, func(tx pgx.Tx) error { return in.upgrade(ctx, tx, steps) })
		switch code := codeOf(err); {
		case code == noRight:
			return fmt.Errorf("the tables have version %d and this release needs %d, which this role may not make: open the "+
				"inbox once as a role that may, or create the schema with this role as its owner: %w", s.version, len(steps), err)
		case code != lockNotAvailable && code != deadlock:
			return err
		}
		if time.Since(began) > migrateTime {
			return fmt.Errorf("another session holds locks on the tables, such as a long transaction or a backup: %w", err)
		}
		select {
		case <-time.After(migrateLock + rand.N(migrateLock)): // queued transactions continue meanwhile
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// A change of a table waits for all its users, and all later users wait for the change. So it waits only for a fraction
// of the time that an answer to a delivery may take, and is retried after a pause. The time is less than
// deadlock_timeout of the server (1 s). So if a migration and a delivery wait for each other, the migration is
// cancelled.
const (
	migrateLock = 500 * time.Millisecond
	migrateTime = 30 * time.Second // in all
)

// Codes of errors with which the server rejects a migration.
const (
	noRight          = "42501"
	lockNotAvailable = "55P03"
	deadlock         = "40P01"
)

// codeOf returns the code of an error of the server, or "".
func codeOf(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}

// upgrade applies the missing migrations in a transaction.
func (in *Inbox) upgrade(ctx context.Context, tx pgx.Tx, steps []tables.Step) error {
	lock := strconv.FormatInt(migrateLock.Milliseconds(), 10)
	if _, err := tx.Exec(ctx, "SELECT set_config('lock_timeout', $1, true)", lock); err != nil {
		return err
	}
	const other = "SELECT pg_advisory_xact_lock(hashtextextended('commerce-go/webhook/postgres ' || $1, 0))"
	if _, err := tx.Exec(ctx, other, in.options.Schema); err != nil {
		return err
	}
	s, err := readSchema(ctx, tx, in.options) // another process may have been faster
	if err != nil {
		return err
	}
	missing, err := s.missing(steps)
	if err != nil {
		return err
	}
	if len(missing) > 0 && s.version == 0 {
		if err := in.create(ctx, tx); err != nil {
			return err
		}
	}
	for i, step := range missing {
		if _, err := tx.Exec(ctx, in.options.in(step.Script)); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
		if _, err := tx.Exec(ctx, in.options.in(noteSQL), s.version+i+1, step.CompatibleFrom); err != nil {
			return err
		}
	}
	return nil
}

// create creates the schema and the table of migrations. The server checks the right to create schemas before it
// checks IF NOT EXISTS, and the owner of a schema may lack it.
func (in *Inbox) create(ctx context.Context, tx pgx.Tx) error {
	var there bool
	const schemas = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)"
	if err := tx.QueryRow(ctx, schemas, in.options.Schema).Scan(&there); err != nil {
		return err
	}
	create := in.options.in(migrationTable)
	if !there {
		create = "CREATE SCHEMA IF NOT EXISTS " + pgx.Identifier{in.options.Schema}.Sanitize() + ";" + create
	}
	_, err := tx.Exec(ctx, create)
	return err
}

// missing returns the steps that must be applied.
func (s schema) missing(steps []tables.Step) ([]tables.Step, error) {
	if s.compatibleFrom > len(steps) {
		return nil, fmt.Errorf("the tables have version %d and this release knows %d: %w", s.compatibleFrom, len(steps), ErrNewerSchema)
	}
	return steps[min(s.version, len(steps)):], nil
}

const (
	migrationTable = `
	CREATE TABLE IF NOT EXISTS inbox.migration (
		version         integer PRIMARY KEY,
		compatible_from integer NOT NULL, -- the version of the oldest release that may use the tables since then
		applied_at      timestamptz NOT NULL DEFAULT now()
	)`
	// noteSQL records that a migration was applied.
	noteSQL = `INSERT INTO inbox.migration (version, compatible_from) VALUES ($1, $2)
		ON CONFLICT (version) DO UPDATE SET compatible_from = excluded.compatible_from, applied_at = excluded.applied_at`
)

// readSchema returns the zero schema if there are no tables.
func readSchema(ctx context.Context, db querier, o Options) (s schema, err error) {
	var there bool
	// The catalog itself is read, because name look-ups are cached and do not see tables that were made during the wait
	// for a lock.
	const table = `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND c.relname = 'migration')`
	if err = db.QueryRow(ctx, table, o.Schema).Scan(&there); err == nil && there {
		const query = "SELECT coalesce(max(version), 0), coalesce(max(compatible_from), 0) FROM inbox.migration"
		err = db.QueryRow(ctx, o.in(query)).Scan(&s.version, &s.compatibleFrom)
	}
	return s, err
}

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
