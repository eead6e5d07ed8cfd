package queue

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// table is a queue written by hand: a table, a transaction for each request, and a transaction for so many jobs, whose
// rows no other worker waits for (SKIP LOCKED). Workers are woken by LISTEN and NOTIFY.
//
// Commits that notify wait for each other, syncs included: with a NOTIFY in the transaction of each request, a third as
// many requests were answered a second. So a goroutine notifies, in transactions of its own.
type table struct {
	pool  *pgxpool.Pool
	jobs  int           // of a transaction
	added chan struct{} // full when jobs were added that nobody has been notified of
	ended chan struct{} // the goroutine that notifies has ended
}

const tableSchema = `CREATE TABLE IF NOT EXISTS job (
	key  text PRIMARY KEY,
	body bytea NOT NULL,
	due  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS job_due ON job (due)`

const (
	tableInsert = `INSERT INTO job (key, body) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`
	tableSelect = `SELECT key, body FROM job WHERE due <= now() ORDER BY due LIMIT $1 FOR UPDATE SKIP LOCKED`
	tableDelete = `DELETE FROM job WHERE key = ANY($1)`
	tableDelay  = `UPDATE job SET due = now() + interval '1 second' WHERE key = ANY($1)`
)

// tablePoll is how often an idle worker looks without a notification.
const tablePoll = time.Second

func openTable(jobs int) func(context.Context, *pgxpool.Pool) (Queue, error) {
	return func(ctx context.Context, pool *pgxpool.Pool) (Queue, error) {
		if _, err := pool.Exec(ctx, tableSchema); err != nil {
			return nil, err
		}
		q := &table{pool, jobs, make(chan struct{}, 1), make(chan struct{})}
		go q.notify(context.WithoutCancel(ctx))
		return q, nil
	}
}

func (q *table) Handler() http.Handler {
	return put(func(ctx context.Context, key string, body []byte) error {
		_, err := q.pool.Exec(ctx, tableInsert, key, body)
		select {
		case q.added <- struct{}{}:
		default: // the next notification is for this job too
		}
		return err
	})
}

// notify notifies the workers until the queue is closed.
func (q *table) notify(ctx context.Context) {
	defer close(q.ended)
	for range q.added {
		_, _ = q.pool.Exec(ctx, "NOTIFY job") // a worker that is not notified looks by itself
	}
}

func (q *table) Work(ctx context.Context, handle Handle) error {
	wake, failed := make(chan struct{}, Workers), make([]error, Workers+1)
	var all sync.WaitGroup
	all.Go(func() { failed[Workers] = q.listen(ctx, wake) })
	for n := range Workers {
		all.Go(func() { failed[n] = q.worker(ctx, wake, handle) })
	}
	all.Wait()
	return errors.Join(failed...)
}

// listen wakes the workers with each notification.
func (q *table) listen(ctx context.Context, wake chan<- struct{}) error {
	conn, err := q.pool.Acquire(ctx)
	if err != nil {
		return unless(ctx, err)
	}
	defer conn.Release() // whose connection is closed, because the wait for a notification was interrupted
	if _, err := conn.Exec(ctx, "LISTEN job"); err != nil {
		return unless(ctx, err)
	}
	for {
		if _, err := conn.Conn().WaitForNotification(ctx); err != nil {
			return unless(ctx, err)
		}
		for range Workers {
			select {
			case wake <- struct{}{}:
			default: // all are awake
			}
		}
	}
}

// worker makes one transaction after another, and rests when there is nothing to do.
func (q *table) worker(ctx context.Context, wake <-chan struct{}, handle Handle) error {
	poll := time.NewTicker(tablePoll)
	defer poll.Stop()
	for ctx.Err() == nil {
		found, err := q.transaction(context.WithoutCancel(ctx), handle)
		if err != nil {
			return err
		}
		if found > 0 {
			continue
		}
		select {
		case <-wake:
		case <-poll.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// transaction locks jobs, handles them, deletes those that succeeded, and delays the others.
func (q *table) transaction(ctx context.Context, handle Handle) (found int, err error) {
	err = pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, tableSelect, q.jobs)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[job])
		if err != nil {
			return err
		}
		found = len(all)
		var done, failed []string
		for _, j := range all {
			if handle.run(ctx, j.Body) == nil {
				done = append(done, j.Key)
			} else {
				failed = append(failed, j.Key)
			}
		}
		return errors.Join(end(ctx, tx, tableDelete, done), end(ctx, tx, tableDelay, failed))
	})
	return found, err
}

type job struct {
	Key  string
	Body []byte
}

func end(ctx context.Context, tx pgx.Tx, statement string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, statement, keys)
	return err
}

// Close ends the notifications. Nothing may be received any more.
func (q *table) Close() error {
	close(q.added)
	<-q.ended
	return nil
}

// unless returns nil when ctx ended, which is no failure.
func unless(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
