package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// migrations bring the schema from one version to the next: the nth file makes version n.
//
//go:embed migrations/*.sql
var migrations embed.FS

// in writes a statement for the schema of an inbox. Statements name it inbox.
func (o Options) in(statement string) string {
	return strings.ReplaceAll(statement, "inbox.", `"`+o.Schema+`".`)
}

// migrate makes the schema what this release needs. Processes that start at the same time wait for each other. A
// role that may not create anything can use what another has made.
func migrate(ctx context.Context, pool *pgxpool.Pool, o Options) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, pool, o)
	switch {
	case err != nil:
		return err
	case version == len(steps):
		return nil
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('commerce-go/webhook/postgres ' || $1, 0))", o.Schema); err != nil {
			return err
		}
		version, err := schemaVersion(ctx, tx, o)
		switch {
		case err != nil:
			return err
		case version > len(steps):
			return fmt.Errorf("schema %s has version %d and this release knows %d: %w", o.Schema, version, len(steps), ErrNewerSchema)
		case version == 0:
			if _, err := tx.Exec(ctx, o.in(`CREATE SCHEMA IF NOT EXISTS `+pgx.Identifier{o.Schema}.Sanitize()+`;
				CREATE TABLE inbox.version (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`)); err != nil {
				return err
			}
		}
		for n := version; n < len(steps); n++ {
			step, err := migrations.ReadFile(steps[n])
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, o.in(string(step))); err != nil {
				return fmt.Errorf("%s: %w", steps[n], err)
			}
			if _, err := tx.Exec(ctx, o.in(`INSERT INTO inbox.version (version) VALUES ($1)`), n+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// schemaVersion returns the version that the schema has, 0 if there is none.
func schemaVersion(ctx context.Context, db querier, o Options) (version int, err error) {
	var there bool
	// The catalog itself is read: name look-ups are cached, and do not see what was made while a lock was waited for.
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND c.relname = 'version')`, o.Schema).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	err = db.QueryRow(ctx, o.in("SELECT coalesce(max(version), 0) FROM inbox.version")).Scan(&version)
	return version, err
}

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
