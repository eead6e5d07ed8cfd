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
)

// migrations bring the schema from one version to the next: the nth file makes version n. Each may be applied
// repeatedly.
//
//go:embed migrations/*.sql
var migrations embed.FS

// compatibleFrom returns the version of the oldest release that may use the tables after the nth migration. A process
// of that release may run at the same time as processes of this one.
func compatibleFrom(n int) int {
	switch n {
	case 2, 3, 4, 5, 6, 7, 8, 9: // columns may be missing or a trigger fills them; functions of the first release have the same signatures
		return 1
	}
	return n
}

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
func (in *Inbox) migrate(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	var s schema
	var missing []string
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
			return fmt.Errorf("the tables have version %d and this release needs %d, which this role may not make: "+
				"open the inbox once as a role that may: %w", s.version, len(steps), err)
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
func (in *Inbox) upgrade(ctx context.Context, tx pgx.Tx, steps []string) error {
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
	if len(missing) > 0 {
		tables := in.options.in(schemaTables)
		if s.version == 0 { // it requires another right than the tables
			tables = "CREATE SCHEMA IF NOT EXISTS " + pgx.Identifier{in.options.Schema}.Sanitize() + ";" + tables
		}
		if _, err := tx.Exec(ctx, tables); err != nil {
			return err
		}
	}
	for i, name := range missing {
		step, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, in.options.in(string(step))); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := in.note(ctx, tx, s.version+i+1); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the migrations that must be applied.
func (s schema) missing(names []string) ([]string, error) {
	if s.compatibleFrom > len(names) {
		return nil, fmt.Errorf("the tables have version %d and this release knows %d: %w", s.compatibleFrom, len(names), ErrNewerSchema)
	}
	return names[min(s.version, len(names)):], nil
}

// The first release knows only the table version, and rejects tables if a version in it is above its own. So version
// has the versions that a release must know, and migration has all of them.
const schemaTables = `
	CREATE TABLE IF NOT EXISTS inbox.version (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
	CREATE TABLE IF NOT EXISTS inbox.migration (
		version         integer PRIMARY KEY,
		compatible_from integer NOT NULL, -- the version of the oldest release that may use the tables since then
		applied_at      timestamptz NOT NULL DEFAULT now()
	);
	GRANT SELECT ON inbox.migration TO PUBLIC -- roles that may use the schema and have rights on the tables of an earlier release`

// note records that a migration was applied.
func (in *Inbox) note(ctx context.Context, tx pgx.Tx, n int) error {
	from := compatibleFrom(n)
	if _, err := tx.Exec(ctx, in.options.in(`INSERT INTO inbox.migration (version, compatible_from) VALUES ($1, $2)
		ON CONFLICT (version) DO UPDATE SET compatible_from = excluded.compatible_from, applied_at = excluded.applied_at`), n, from); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, in.options.in(`INSERT INTO inbox.version (version) SELECT $1::integer
		WHERE NOT EXISTS (SELECT FROM inbox.version v WHERE v.version >= $1)`), from)
	return err
}

// readSchema returns the zero schema if there are no tables.
func readSchema(ctx context.Context, db querier, o Options) (s schema, err error) {
	var first, all bool
	// The catalog itself is read, because name look-ups are cached and do not see tables that were made during the wait
	// for a lock.
	const table = `EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = `
	err = db.QueryRow(ctx, "SELECT "+table+"'version'), "+table+"'migration')", o.Schema).Scan(&first, &all)
	if err == nil && first {
		err = db.QueryRow(ctx, o.in("SELECT coalesce(max(version), 0) FROM inbox.version")).Scan(&s.compatibleFrom)
		s.version = s.compatibleFrom
	}
	if err == nil && all {
		var from int
		err = db.QueryRow(ctx, o.in("SELECT coalesce(max(version), 0), coalesce(max(compatible_from), 0) FROM inbox.migration")).Scan(&s.version, &from)
		s.compatibleFrom = max(s.compatibleFrom, from)
	}
	return s, err
}

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
