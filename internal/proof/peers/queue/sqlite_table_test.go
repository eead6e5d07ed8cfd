package queue

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"sync"
	"time"
)

// file is a queue written by hand: a table of SQLite whose writes a goroutine commits in groups, and a worker that
// takes and deletes rows in groups. SQLite locks no rows, so to take them is a write: they are not due again until
// their lease is over, also for other processes.
type file struct {
	db     *sql.DB
	writes chan write
	ended  chan struct{} // the goroutine that writes has ended
	added  chan struct{} // full when rows were added since the worker looked

	insert, take, remove, delay *sql.Stmt
}

// write is work that waits for its group.
type write struct {
	do   func(ctx context.Context, tx *sql.Tx) error
	done chan error
}

const (
	fileSchema = `CREATE TABLE IF NOT EXISTS job (key TEXT PRIMARY KEY, body BLOB NOT NULL, due INTEGER NOT NULL);
		CREATE INDEX IF NOT EXISTS job_due ON job (due)`
	fileInsert = `INSERT INTO job (key, body, due) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
	fileTake   = `UPDATE job SET due = ? WHERE key IN (SELECT key FROM job WHERE due <= ? ORDER BY due LIMIT ?)
		RETURNING key, body`
	fileRemove = `DELETE FROM job WHERE key = ?`
	fileDelay  = `UPDATE job SET due = ? WHERE key = ?`
)

const (
	fileGroup = 256 // writes of a transaction
	fileLease = 30 * time.Second
	filePoll  = time.Second // how often an idle worker looks for rows that were delayed, or left by others
)

func openFileTable(ctx context.Context, path string) (_ Queue, err error) {
	q := &file{writes: make(chan write, fileGroup), ended: make(chan struct{}), added: make(chan struct{}, 1)}
	if q.db, err = openFile(ctx, path, fileSchema); err != nil {
		return nil, err
	}
	for statement, text := range map[**sql.Stmt]string{
		&q.insert: fileInsert, &q.take: fileTake, &q.remove: fileRemove, &q.delay: fileDelay,
	} {
		if *statement, err = q.db.PrepareContext(ctx, text); err != nil {
			_ = q.db.Close() // the first error says more
			return nil, err
		}
	}
	go q.collect(context.WithoutCancel(ctx))
	return q, nil
}

func (q *file) Handler() http.Handler {
	return put(func(_ context.Context, key string, body []byte) error {
		err := <-q.exec(q.insert, key, body, time.Now().UnixNano())
		select {
		case q.added <- struct{}{}:
		default: // the worker has not looked since
		}
		return err
	})
}

// exec has a statement committed with the writes of others.
func (q *file) exec(s *sql.Stmt, args ...any) <-chan error {
	return q.write(func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.StmtContext(ctx, s).ExecContext(ctx, args...)
		return err
	})
}

func (q *file) write(do func(context.Context, *sql.Tx) error) <-chan error {
	w := write{do, make(chan error, 1)}
	q.writes <- w
	return w.done
}

// collect commits groups of writes: those that came while the group before was being synced.
func (q *file) collect(ctx context.Context) {
	defer close(q.ended)
	var group []write
	for first := range q.writes {
		group = append(group[:0], first)
		for waiting := len(q.writes); waiting > 0; waiting-- {
			group = append(group, <-q.writes)
		}
		err := q.commit(ctx, group)
		for _, w := range group {
			w.done <- err
		}
	}
}

func (q *file) commit(ctx context.Context, group []write) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after a commit
	for _, w := range group {
		if err := w.do(ctx, tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (q *file) Work(ctx context.Context, handle Handle) error {
	poll := time.NewTicker(filePoll)
	defer poll.Stop()
	for ctx.Err() == nil {
		found, err := q.group(context.WithoutCancel(ctx), handle)
		if err != nil {
			return err
		}
		if found > 0 {
			continue
		}
		select {
		case <-q.added:
		case <-poll.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// group takes as many rows as there are workers, handles them, deletes those that succeeded, and delays the others.
func (q *file) group(ctx context.Context, handle Handle) (found int, err error) {
	var all []job
	err = <-q.write(func(ctx context.Context, tx *sql.Tx) (err error) { all, err = q.taken(ctx, tx); return err })
	if err != nil {
		return 0, err
	}
	failed := make([]error, len(all))
	var workers sync.WaitGroup
	for i, j := range all {
		workers.Go(func() { failed[i] = handle.run(ctx, j.Body) })
	}
	workers.Wait()
	ended := make([]<-chan error, len(all))
	for i, j := range all {
		if failed[i] == nil {
			ended[i] = q.exec(q.remove, j.Key)
		} else {
			ended[i] = q.exec(q.delay, time.Now().Add(time.Second).UnixNano(), j.Key)
		}
	}
	for _, done := range ended {
		err = errors.Join(err, <-done)
	}
	return len(all), err
}

func (q *file) taken(ctx context.Context, tx *sql.Tx) (all []job, err error) {
	now := time.Now()
	rows, err := tx.StmtContext(ctx, q.take).QueryContext(ctx, now.Add(fileLease).UnixNano(), now.UnixNano(), Workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var j job
		if err := rows.Scan(&j.Key, &j.Body); err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	return all, rows.Err()
}

// Close ends the writes. Nothing may be received any more.
func (q *file) Close() error {
	close(q.writes)
	<-q.ended
	return q.db.Close()
}
