package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Every transaction of an inbox sets the settings that it relies on, so that the defaults of a role, a database or a
// server do not change its meaning. It does so in the round trip of its statements.
const (
	beginSQL    = "begin isolation level read committed"
	commitTxSQL = "commit"
	rollbackSQL = "rollback"

	// settings hold to the end of the transaction. The conditional ones rarely differ from the defaults, and comparing
	// costs a fraction of setting. Functions and operators must be those of the system, which they are unless
	// search_path names pg_catalog after another schema. Tables are named with their schema.
	settings = `set_config('synchronous_commit', $1, true), set_config('lock_timeout', $2, true),
	CASE WHEN position('pg_catalog' IN current_setting('search_path')) > 1 THEN set_config('search_path', 'pg_catalog', true) END,
	CASE WHEN current_setting('client_encoding') <> 'UTF8' THEN set_config('client_encoding', 'UTF8', true) END,
	CASE WHEN current_setting('DateStyle') <> 'ISO, MDY' THEN set_config('DateStyle', 'ISO, MDY', true) END,
	CASE WHEN current_setting('bytea_output') <> 'hex' THEN set_config('bytea_output', 'hex', true) END,
	CASE WHEN current_setting('statement_timeout') <> '0' THEN set_config('statement_timeout', '0', true) END`

	readSettings = "SELECT " + settings

	// acceptSettings also return whether a crash of the server would lose acknowledged transactions. A bitmap has all
	// turns of a store, and one is enough.
	acceptSettings = `SELECT current_setting('fsync'), current_setting('full_page_writes'),
	set_config('enable_bitmapscan', 'off', true), ` + settings

	// plannedSettings make statements use an index whatever the statistics are. If a table was empty when it was
	// analyzed, its statistics would make the server read all of it. The statements are also planned only once for a
	// connection. Otherwise, with many pending entries, a lease would be planned each time, because its plan looks
	// cheaper for a known limit. Planning takes nearly as long as the lease.
	plannedSettings = "SELECT " + settings + `,
	set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
	CASE WHEN current_setting('enable_indexscan') <> 'on' THEN set_config('enable_indexscan', 'on', true) END`
)

// attempts counts the connections that a call has tried.
type attempts struct{ failed, idle int }

// mostAttempts is the number of connections that a call tries, because some of the pool may still be closing.
const mostAttempts = 3

// idleAttempts is how many connections more a call tries for each of the pool where the server ends idle sessions. All
// of them may have been idle equally long, and a busy machine may let a new one idle before it is used.
const idleAttempts = 5

// again counts a failure, and reports whether the call may try one more connection of a pool with the given number.
func (a *attempts) again(err error, pool int32) bool {
	if idled(err) || pgconn.SafeToRetry(err) { // which a connection of the pool reports that died while idle
		a.idle++
	} else {
		a.failed++
	}
	return a.failed < mostAttempts && a.idle < mostAttempts+idleAttempts*int(pool)
}

// longestLock is how long a statement waits for a locked row if it has no alternative.
const longestLock = "30s"

// run sends statements that use an index as one transaction in one round trip.
func (in *Inbox) run(ctx context.Context, queue func(b *pgx.Batch)) error {
	return in.runAs(ctx, in.sync(), queue)
}

// runAs is run with another value of synchronous_commit.
func (in *Inbox) runAs(ctx context.Context, sync string, queue func(b *pgx.Batch)) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return in.transact(ctx, func(b *pgx.Batch) {
		b.Queue(plannedSettings, sync, longestLock)
		queue(b)
	})
}

// read sends a statement that reads all of a table.
func (in *Inbox) read(ctx context.Context, targets []any, statement string, arguments ...any) error {
	return in.transact(ctx, func(b *pgx.Batch) {
		b.Queue(readSettings, in.sync(), longestLock)
		b.Queue(statement, arguments...).QueryRow(func(row pgx.Row) error { return row.Scan(targets...) })
	})
}

// transact sends statements as one transaction in one round trip. Queue may be called again after a transaction that
// changed nothing.
func (in *Inbox) transact(ctx context.Context, queue func(b *pgx.Batch)) error {
	var tried attempts
	for {
		err := in.attempt(ctx, queue)
		if err == nil || !repeatable(err) || !tried.again(err, in.pool.Config().MaxConns) || ctx.Err() != nil {
			return err
		}
	}
}

func (in *Inbox) attempt(ctx context.Context, queue func(b *pgx.Batch)) error {
	b := &pgx.Batch{}
	b.Queue(beginSQL)
	queue(b)
	b.Queue(commitTxSQL)
	conn, err := in.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err = conn.SendBatch(ctx, b).Close(); err != nil {
		in.failed(ctx, conn, err)
	}
	return err
}

// failed ends a transaction that failed, so that its connection can be reused. It closes the connection if another one
// may reach a working server.
func (in *Inbox) failed(ctx context.Context, conn *pgxpool.Conn, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	switch {
	case unfit(err):
		_ = conn.Conn().Close(ctx) // err already reports the failure
		in.reconnect(err)
	case conn.Conn().IsClosed() || conn.Conn().PgConn().TxStatus() == 'I':
	default:
		_, _ = conn.Exec(ctx, rollbackSQL) // if it fails, the pool closes the connection
	}
}

// failed wraps an error with the operation that failed.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("postgres: %s: %w", what, err)
}
