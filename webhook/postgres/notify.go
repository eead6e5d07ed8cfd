package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Times of waking other processes.
const (
	// notifyPause is the least time between two notifications of a process.
	notifyPause = 5 * time.Millisecond
	// relisten is how long a process that lost its connection waits before it listens again.
	relisten = time.Second
)

// channel is on which the processes of a schema wake each other; the payload is the queue.
func (o Options) channel() string { return o.Schema }

// notify tells other processes of changes. It does so beside the transactions that
// made them, because a transaction that notifies holds back every other one that does until it is on disk. What
// is lost with the process is found by the poll of the others.
func (in *Inbox) notify() {
	for {
		select {
		case <-in.notifier:
		case <-in.ctx.Done():
			return
		}
		ctx, cancel := context.WithTimeout(in.ctx, time.Second)
		in.notifyOnce(ctx)
		cancel()
		select {
		case <-time.After(notifyPause):
		case <-in.ctx.Done():
			return
		}
	}
}

// notifyOnce wakes others. Before that it makes sure that the stores to which this process has added something have a turn. A
// lease that was in progress may have taken the lane that bore it, and have seen nothing of what was added.
func (in *Inbox) notifyOnce(ctx context.Context) {
	stores := in.arrived.take()
	marked, again := 0, []int64(nil)
	b := &pgx.Batch{}
	b.Queue(settings, "off")
	if len(stores) > 0 {
		b.Queue(in.sql.markTurns, in.options.Queue, stores).QueryRow(func(row pgx.Row) error { return row.Scan(&marked, &again) })
	}
	b.Queue("SELECT pg_notify($1, $2)", in.options.channel(), in.options.Queue)
	_ = in.pool.SendBatch(ctx, b).Close() // the others poll, and look through the stores
	if marked > 0 {
		in.wake.all()
	}
	if len(again) > 0 {
		in.arrived.add(again...)
		select {
		case in.notifier <- struct{}{}:
		default:
		}
	}
}

// listenOn wakes those who wait here when another process has changed something, as long as there is a connection.
func (in *Inbox) listenOn() {
	for in.ctx.Err() == nil {
		in.listenOnce()
		in.wake.all() // something may have been missed
		select {
		case <-time.After(relisten):
		case <-in.ctx.Done():
		}
	}
}

// listenOnce returns when its connection is lost. The connection is not one of the pool, which an idle listener would
// make smaller for ever.
func (in *Inbox) listenOnce() {
	conn, err := connect(in.ctx, in.pool)
	if err != nil {
		return
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(in.ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(in.ctx, "LISTEN "+pgx.Identifier{in.options.channel()}.Sanitize()); err != nil {
		return
	}
	in.wake.all()
	for {
		// A connection that is half open tells nothing: it is tried now and then.
		ctx, cancel := context.WithTimeout(in.ctx, 30*time.Second)
		n, err := conn.WaitForNotification(ctx)
		cancel()
		switch {
		case err == nil && n.Payload == in.options.Queue:
			in.wake.all()
		case err != nil && (in.ctx.Err() != nil || conn.IsClosed()):
			return
		case err != nil:
			ctx, cancel := context.WithTimeout(in.ctx, 5*time.Second)
			err := conn.Ping(ctx)
			cancel()
			if err != nil {
				return
			}
		}
	}
}

// connect makes a connection as the pool would.
func connect(ctx context.Context, pool *pgxpool.Pool) (*pgx.Conn, error) {
	config := pool.Config()
	if config.BeforeConnect != nil {
		if err := config.BeforeConnect(ctx, config.ConnConfig); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}
