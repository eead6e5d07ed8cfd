package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// notifyPause is the least time between two notifications of a process.
const notifyPause = 5 * time.Millisecond

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

// notifyOnce wakes others. Before that it makes sure that the stores to which this process has added something have a
// turn. A lease that was in progress may have taken the lane that bore it, and have seen nothing of what was added.
func (in *Inbox) notifyOnce(ctx context.Context) {
	stores := in.arrived.take()
	var marked int
	var again []int64
	_ = in.transact(ctx, func(b *pgx.Batch) { // the others poll, and look through the stores
		b.Queue(plannedSettings, "off", longestLock)
		if len(stores) > 0 {
			b.Queue(in.sql.markTurns, in.options.Queue, stores).QueryRow(func(row pgx.Row) error { return row.Scan(&marked, &again) })
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
