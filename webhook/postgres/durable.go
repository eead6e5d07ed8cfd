package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
)

// durable returns the value of synchronous_commit that the transactions of an inbox use, or says why
// the database must not be trusted.
func durable(ctx context.Context, pool *pgxpool.Pool, o Options) (level string, err error) {
	var fsync string
	var standby bool
	var lossy []string
	err = pool.QueryRow(ctx, `SELECT current_setting('fsync'), current_setting('synchronous_commit'), pg_is_in_recovery(),
		coalesce((SELECT array_agg(c.relname::text ORDER BY c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') AND c.relpersistence <> 'p'), '{}')`, o.Schema).
		Scan(&fsync, &level, &standby, &lossy)
	switch {
	case err != nil:
		return "", err
	case standby:
		return "", errors.New("the database is a standby: connect to the primary")
	case o.AllowLossy:
		return level, nil
	case fsync != "on":
		return "", fmt.Errorf("fsync is %s: want on: %w", fsync, ErrLossy)
	case len(lossy) > 0:
		return "", fmt.Errorf("%q in schema %s are unlogged, and emptied by a crash: %w", lossy, o.Schema, ErrLossy)
	}
	// Off acknowledges before the disk has it; local before a synchronous standby, if there is one, has it. Both are for each
	// transaction to choose.
	if !slices.Contains([]string{"on", "remote_write", "remote_apply"}, level) {
		level = "on"
	}
	return level, nil
}
