package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// notifyPause is the least time between two notifications of a process.
const notifyPause = 5 * time.Millisecond

// channel is the channel on which the processes of a schema wake each other. The payload is the queue.
func (o Options) channel() string { return o.Schema }

// notify notifies other processes of changes. It uses its own transactions, because a transaction that notifies delays
// all others that notify until it is on disk. If the process dies before it notifies, the polls of the other processes
// find the changes.
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

// notifyOnce wakes other processes. Before that it makes sure that the stores to which this process has added entries
// have a turn. A concurrent lease may have taken the lane that had it without seeing the new entries.
func (in *Inbox) notifyOnce(ctx context.Context) {
	stores := in.arrived.take()
	var marked int
	var again []int64
	turn, due := in.from()
	_ = in.transact(ctx, func(b *pgx.Batch) { // the other processes poll, and look through the stores
		b.Queue(plannedSettings, "off", longestLock)
		if len(stores) > 0 {
			b.Queue(in.sql.markTurns, in.options.Queue, stores, turn, due).QueryRow(func(row pgx.Row) error {
				return row.Scan(&marked, &again)
			})
		}
		b.Queue("SELECT pg_notify($1, $2)", in.options.channel(), in.options.Queue)
	})
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
