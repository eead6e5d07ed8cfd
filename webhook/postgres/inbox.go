package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Inbox keeps entries in a database that any number of processes share. Make it
// with [Open]. It is safe for concurrent use.
type Inbox struct {
	pool    *pgxpool.Pool
	options Options
	sync    string // synchronous_commit
	sql     statements

	collector collector
	room      room
	wake      wake
	looked    looked
	arrived   arrived
	notifier  chan struct{} // holds one if others are to be woken

	listen  sync.Once
	running sync.WaitGroup
	ctx     context.Context // ends with Close
	close   context.CancelFunc
}

var (
	_ webhook.Inbox       = (*Inbox)(nil)
	_ webhook.DeadLetters = (*Inbox)(nil)
	_ webhook.Marks       = (*Inbox)(nil)
)

// Open makes an inbox of the database that pool leads to. It creates the tables if they are
// missing, and refuses a database that is not durable: see [ErrLossy]. Close the
// inbox before the pool.
//
// An inbox needs up to four connections of the pool at a time to accept, one more now and then to count what is pending,
// and one for each Commit, Fail or Extend in progress. A process that waits for entries has one more
// connection, outside of the pool, to be woken by.
func Open(ctx context.Context, pool *pgxpool.Pool, options Options) (*Inbox, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := migrate(ctx, pool, o); err != nil {
		return nil, fmt.Errorf("postgres: migrate schema %s: %w", o.Schema, err)
	}
	level, err := durable(ctx, pool, o)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	in := &Inbox{pool: pool, options: o, sync: level, sql: newStatements(o), notifier: make(chan struct{}, 1)}
	in.ctx, in.close = context.WithCancel(context.WithoutCancel(ctx))
	in.collector.start(in)
	in.running.Go(in.notify)
	in.running.Go(in.prune)
	return in, nil
}

// Close ends what the inbox does in the background and waits for it. Calls of Accept that are
// in progress fail. Entries stay where they are.
func (in *Inbox) Close() {
	in.close()
	in.running.Wait()
}

// callTime bounds calls whose context has no end: a connection may be dead without telling.
const callTime = 30 * time.Second

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callTime)
}

// settings hold to the end of a transaction. Its statements are to go by an index whatever the statistics say: those of a table
// that was empty when it was analyzed have all of it read. And they are to be planned once for a connection: with many entries
// pending a lease is planned each time otherwise, which takes nearly as long as the lease, since its plan looks cheaper for a known limit.
const settings = `SELECT set_config('synchronous_commit', $1, true), set_config('enable_seqscan', 'off', true),
	set_config('enable_bitmapscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

// run sends statements as one transaction in one round trip.
func (in *Inbox) run(ctx context.Context, queue func(b *pgx.Batch)) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	b := &pgx.Batch{}
	b.Queue(settings, in.sync)
	queue(b)
	return in.pool.SendBatch(ctx, b).Close()
}

// failed says what was being done when something failed.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("postgres: %s: %w", what, err)
}
