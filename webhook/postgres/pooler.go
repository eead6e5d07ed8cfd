package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A pooler between a process and the server may give each transaction of a connection another session of the server.
// The state of a session is then lost: its prepared statements, and LISTEN.

// preparable returns an error with a remedy if the pool prepares statements and a pooler loses them. A pooler is
// detected by the process of the server, which differs from the one that it named when it accepted the connection. Only
// an answer of the server shows that a statement is lost. A late one shows nothing.
func (in *Inbox) preparable(ctx context.Context) error {
	switch in.pool.Config().ConnConfig.DefaultQueryExecMode {
	case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeDescribeExec:
	default:
		return nil // prepares no statement for a later transaction
	}
	if pooled, err := in.pooled(ctx); err != nil || !pooled {
		return err
	}
	ctx, cancel := bounded(ctx) // a pooler whose sessions are all used does not answer
	defer cancel()
	conn, err := connect(ctx, in.pool)
	if err != nil {
		return err
	}
	defer hangUp(ctx, conn)
	name := "inbox_" + rand.Text()
	if _, err := conn.PgConn().Prepare(ctx, name, "SELECT 1", nil); err != nil {
		return err
	}
	switch err := beside(ctx, in.pool, func(ctx context.Context, _ uint32) error {
		return conn.PgConn().ExecPrepared(ctx, name, nil, nil, nil).Read().Err
	}); {
	case codeOf(err) == noStatement:
		return fmt.Errorf("the pool prepares statements, but its pooler gives each transaction another session, which does not have them: "+
			"set default_query_exec_mode=exec in the URL of the pool, or DefaultQueryExecMode of its ConnConfig to pgx.QueryExecModeExec: %w", err)
	case err != nil:
		return fmt.Errorf("whether the pooler of the pool keeps prepared statements is not known: two connections at once: %w", err)
	}
	return nil
}

// pooled reports whether there is a pooler. It uses a connection of the pool, because a new one takes as long as twenty
// statements.
func (in *Inbox) pooled(ctx context.Context) (is bool, err error) {
	err = in.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		process, err := backend(ctx, c.Conn())
		is = process != c.Conn().PgConn().PID()
		return err
	})
	return is, err
}

// wanders reports whether the statements of a connection run in sessions that other connections use too.
func wanders(ctx context.Context, pool *pgxpool.Pool, conn *pgx.Conn) (is bool, err error) {
	process, err := backend(ctx, conn)
	if err != nil || process == conn.PgConn().PID() {
		return false, err
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	// While another connection is in a transaction, that transaction has the session that was last free, and a
	// statement gets another session.
	err = beside(ctx, pool, func(ctx context.Context, other uint32) error {
		for range 3 {
			now, err := backend(ctx, conn)
			if err != nil {
				return err
			}
			is = is || now != process
		}
		is = is || other == process
		return nil
	})
	return is, err
}

// beside calls f while another connection is in a transaction, in the given process of the server.
func beside(ctx context.Context, pool *pgxpool.Pool, f func(ctx context.Context, process uint32) error) error {
	conn, err := connect(ctx, pool)
	if err != nil {
		return err
	}
	defer hangUp(ctx, conn)
	return pgx.BeginFunc(ctx, conn, func(pgx.Tx) error {
		process, err := backend(ctx, conn)
		if err != nil {
			return err
		}
		return f(ctx, process)
	})
}

// backend returns the process of the server in which a statement runs.
func backend(ctx context.Context, db querier) (process uint32, err error) {
	err = db.QueryRow(ctx, "SELECT pg_backend_pid()::bigint", pgx.QueryExecModeExec).Scan(&process)
	return process, err
}

// hangUp closes a connection that is not part of the pool.
func hangUp(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}
