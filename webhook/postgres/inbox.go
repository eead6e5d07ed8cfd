package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Inbox stores entries in a database that any number of processes share. Make it with [Open]. It is safe for concurrent
// use.
type Inbox struct {
	pool    *pgxpool.Pool
	options Options
	sql     statements

	durability  durability
	reconnects  reconnects
	arrivals    collector[*call]
	settlements collector[*settlement]
	room        room
	graves      graves
	accepted    atomic.Int64 // for Flow, like the next
	handled     atomic.Int64
	wake        wake
	looked      looked
	position    position
	arrived     arrived
	notifier    chan struct{} // has an element if other processes must be woken

	standard sync.Once
	db       *sql.DB // of standard
	owned    bool    // the pool

	listen  sync.Once
	running sync.WaitGroup
	ctx     context.Context // ends with Close
	close   context.CancelFunc
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
	_ webhook.Tokens      = (*Inbox)(nil)
	_ webhook.Stores      = (*Inbox)(nil)
	_ webhook.Browser     = (*Inbox)(nil)
)

// enough is the largest number of connections of the pool that Accept takes.
const enough = mostGroups + 1

// Open makes an inbox in the database of pool. It creates missing tables, and rejects a database that is not durable:
// see [ErrLossy]. The error wraps webhook.ErrUnavailable if the server does not answer or cannot write now. Close the
// inbox before the pool.
//
// An inbox uses up to four connections of the pool at a time to accept, and one more from time to time to count pending
// entries and to find the first lane. It also uses up to four for runs that end, and one for each Lease or Extend in
// progress. Open reports a pool with fewer than the first five. A process that waits for entries has one more
// connection, outside of the pool, that wakes it.
//
// Through a pooler that gives each transaction another session, such as PgBouncer with pool_mode = transaction, the
// pool must not prepare statements unless the pooler supports that. Put default_query_exec_mode=exec into its URL.
// Otherwise Open returns an error.
func Open(ctx context.Context, pool *pgxpool.Pool, options Options) (*Inbox, error) {
	return openWith(ctx, pool, options, migrations)
}

// openWith is Open with other migrations than those of this release.
func openWith(ctx context.Context, pool *pgxpool.Pool, options Options, migrations fs.FS) (*Inbox, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	in := &Inbox{pool: pool, options: o, sql: newStatements(o), notifier: make(chan struct{}, 1)}
	in.durability.lossy = o.AllowLossy
	in.graves.many = make(chan struct{}, 1)
	in.ctx, in.close = context.WithCancel(context.WithoutCancel(ctx))
	if err := in.prepare(ctx, migrations); err != nil {
		in.close()
		return nil, fmt.Errorf("postgres: %w", unavailable(err))
	}
	if most := int(pool.Config().MaxConns); most < enough {
		in.report(fmt.Errorf("the pool has at most %d connections: must be %d or more, and one for each handler in a transaction, "+
			"because otherwise deliveries wait for each other: set pool_max_conns", most, enough))
	}
	in.arrivals.start(in, in.write)
	in.settlements.start(in, in.writeSettlements)
	in.running.Go(in.notify)
	in.running.Go(in.prune)
	in.running.Go(in.trim)
	in.running.Go(in.keepVerifying)
	return in, nil
}

// prepare checks and migrates the database, or returns why it cannot be used. It begins again where the server ends
// sessions that are idle, because a slow process may take longer than that between two statements.
func (in *Inbox) prepare(ctx context.Context, migrations fs.FS) error {
	var tried attempts
	for {
		err := in.prepareOnce(ctx, migrations)
		if !idled(err) && !pgconn.SafeToRetry(err) || !tried.again(err, in.pool.Config().MaxConns) || ctx.Err() != nil {
			return err
		}
	}
}

func (in *Inbox) prepareOnce(ctx context.Context, migrations fs.FS) error {
	if err := in.preparable(ctx); err != nil {
		return err
	}
	if err := in.within(ctx, func(tx pgx.Tx) error { return writable(ctx, tx) }); err != nil {
		in.pool.Reset() // the next Open may find another server
		return err
	}
	if err := in.migrate(ctx, migrations); err != nil {
		return fmt.Errorf("migrate schema %s: %w", in.options.Schema, err)
	}
	if err := in.arrive(ctx, true); err != nil {
		return err
	}
	return in.verify(ctx)
}

// within runs f in a transaction with the settings of the inbox.
func (in *Inbox) within(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, in.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, readSettings, "on", longestLock); err != nil {
			return err
		}
		return f(tx)
	})
}

// report calls Options.OnError, or logs.
func (in *Inbox) report(err error) {
	err = fmt.Errorf("postgres: inbox %s: %w", in.options.Queue, err)
	if in.options.OnError != nil {
		in.options.OnError(err)
		return
	}
	slog.Default().Warn("webhook/postgres: the inbox reports a problem", "error", err)
}

// mostConnections is the number of connections that OpenURL gives a pool whose URL does not set it.
const mostConnections = 24

// OpenURL is Open with a pool of its own, which Close closes. The pool has at most 24 connections by default, which is
// enough for the inbox and a Worker with its defaults. The URL can set another number (pool_max_conns=21).
func OpenURL(ctx context.Context, url string, options Options) (*Inbox, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err) // pgx omits the password
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = mostConnections
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	in, err := Open(ctx, pool, options)
	if err != nil {
		pool.Close()
		return nil, err
	}
	in.owned = true
	return in, nil
}

// Pool returns the pool of the inbox, for tables of your app and for a Broadcast.
func (in *Inbox) Pool() *pgxpool.Pool { return in.pool }

// DB returns the same connections for database/sql. webhook.CommitTx accepts its transactions too. It is closed with
// the inbox.
func (in *Inbox) DB() *sql.DB {
	in.standard.Do(func() { in.db = stdlib.OpenDBFromPool(in.pool) })
	return in.db
}

// Broadcast returns a Broadcast over the connections of the inbox, with DefaultChannel.
func (in *Inbox) Broadcast() *Broadcast { return &Broadcast{Pool: in.pool} }

// Close ends the background work of the inbox and waits for it. Calls of Accept that are in progress fail. Entries stay
// stored. The error is that of closing DB.
func (in *Inbox) Close() error {
	in.close()
	in.running.Wait()
	in.standard.Do(func() {}) // DB is not made after this
	var err error
	if in.db != nil {
		err = in.db.Close()
	}
	if in.owned {
		in.pool.Close()
	}
	return err
}

// callTime bounds calls whose context has no deadline, because a connection may be dead without an error.
const callTime = 30 * time.Second

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callTime)
}
