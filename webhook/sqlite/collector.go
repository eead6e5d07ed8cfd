package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// mostCalls is the largest number of calls that share a transaction.
const mostCalls = 256

var errClosed = errors.New("inbox is closed")

// call is a write in progress. Its closure stores the results, and must not depend on an earlier run, because a call
// may be run again.
type call struct {
	ctx   context.Context
	run   func(t *transaction) error // an error is a failure of the file, and ends the transaction
	done  chan error
	ended error // the error of ctx, if the call was not run
}

func newCall(ctx context.Context, run func(t *transaction) error) *call {
	return &call{ctx: ctx, run: run, done: make(chan error, 1)}
}

// write makes the collector run f in a transaction. It returns when that is on disk, or when ctx ends. In the second
// case f may still be run, if the transaction has begun.
func (in *Inbox) write(ctx context.Context, what string, f func(t *transaction) error) error {
	return in.send(newCall(ctx, f), what, ctx.Done())
}

// writeHeard is write for results that must not be lost: when ctx ends, f is not run, or write waits for its end.
func (in *Inbox) writeHeard(ctx context.Context, what string, f func(t *transaction) error) error {
	left := make(chan struct{})
	var begun sync.Once // closes left, or keeps it open permanently
	stop := context.AfterFunc(ctx, func() { begun.Do(func() { close(left) }) })
	defer stop()
	return in.send(newCall(ctx, func(t *transaction) error {
		begun.Do(func() {})
		select {
		case <-left:
			return nil
		default:
			return f(t)
		}
	}), what, left)
}

// send passes a call to the collector and waits for its end, or until left is closed.
func (in *Inbox) send(c *call, what string, left <-chan struct{}) error {
	ctx := c.ctx
	select {
	case <-in.closing:
		return failed(what, errClosed)
	default:
	}
	select {
	case in.calls <- c:
	case <-in.closing:
		return failed(what, errClosed)
	case <-ctx.Done():
		return failed(what, ctx.Err())
	}
	select {
	case err := <-c.done:
		return failed(what, err)
	case <-in.done:
		select {
		case err := <-c.done: // it was the last call
			return failed(what, err)
		default:
			return failed(what, errClosed)
		}
	case <-left:
		return failed(what, ctx.Err())
	}
}

func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlite: %s: %w", what, err)
}

// writer is the collector. It makes one transaction, and so one sync, of the calls that arrived during the previous
// write. Arrivals, leases and the ends of leases share it in the order of their arrival, so that none of them waits for
// a burst of others.
type writer struct {
	in     *Inbox
	conn   *sql.Conn
	stmts  prepared
	kept   kept
	graves graves
	pruned time.Time
}

func newWriter(ctx context.Context, in *Inbox) (*writer, error) {
	conn, err := in.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	in.own = &writer{in: in, conn: conn, stmts: prepared{conn, map[string]*sql.Stmt{}}, pruned: time.Now()}
	in.own.kept.leases = make(map[string]keptLease)
	in.own.graves.most = in.maxDead
	return in.own, nil
}

func (w *writer) run() {
	defer close(w.in.done)
	defer w.stmts.close()
	for {
		select {
		case c := <-w.in.calls:
			w.handle(w.gather(c))
		case <-w.in.erasing.left:
			w.eraseAlone()
		case <-w.in.patrol.amiss:
			if err := w.exclusive(w.reindex); err != nil {
				w.in.report(fmt.Errorf("sqlite: inbox %s: rebuild indexes: %w", w.in.place.path, err))
			}
		case <-w.in.closing:
			for {
				select {
				case c := <-w.in.calls:
					w.handle(w.gather(c))
					continue
				default:
				}
				w.eraseAlone() // before the file is closed
				return
			}
		}
	}
}

// gatherYields is how often the collector yields before it gathers a group. The first yield is for callers that the
// previous group answered, the second for goroutines that those start, such as the next run of a worker. Their next
// calls join this group, which saves a transaction and its sync. A yield returns at once if no other goroutine is ready
// to run.
const gatherYields = 2

// gather takes all waiting calls, and drops calls with an ended context.
func (w *writer) gather(first *call) []*call {
	for range gatherYields {
		runtime.Gosched()
	}
	group := make([]*call, 0, mostCalls)
	add := func(c *call) {
		if err := c.ctx.Err(); err != nil {
			c.done <- err
			return
		}
		group = append(group, c)
	}
	for add(first); len(group) < mostCalls; {
		select {
		case c := <-w.in.calls:
			add(c)
		default:
			return group
		}
	}
	return group
}

// handle writes a group and answers its calls.
func (w *writer) handle(group []*call) {
	defer w.reportTrimmed()
	err := w.transact(group)
	if err != nil && len(group) > 1 && w.in.failure() == nil && !isBusy(err) {
		for _, c := range group { // one of them may have caused it
			err := w.transact([]*call{c})
			c.done <- cmp.Or(err, c.ended)
		}
		return
	}
	for _, c := range group {
		c.done <- cmp.Or(err, c.ended)
	}
}

func (w *writer) transact(group []*call) error {
	if len(group) == 0 {
		return nil
	}
	t := w.begin()
	err := w.exclusive(func() error {
		err := w.attempt(t, group)
		if isMisled(err) {
			if e := w.reindex(); e != nil {
				return errors.Join(err, e)
			}
			*t = *w.begin()
			err = w.attempt(t, group)
		}
		if err == nil {
			err = w.settle(t)
		}
		return err
	})
	if err != nil {
		return err
	}
	if t.due {
		w.in.wake.all()
	}
	return nil
}

func (w *writer) begin() *transaction { return &transaction{q: w.stmts, in: w.in, kept: &w.kept} }

// The write-ahead log is copied into the tables when it has this number of pages. When it begins again, it is truncated
// to a length that it rarely reaches, because a long reader may have made it grow.
const (
	logPages = 1000
	logLimit = 16 << 20
)

// settle makes sure that committed data is in the files, and copies the log when that is due.
func (w *writer) settle(t *transaction) error {
	frames, err := w.verify(t.now)
	switch {
	case err != nil:
		return err
	case t.erased:
		w.erase()
	case frames >= logPages:
		_ = w.in.judge(t.exec("PRAGMA wal_checkpoint(PASSIVE)")) // if it fails, the log is still there
	default:
		return nil
	}
	_, err = w.verify(t.now)
	return err
}

// exclusive runs f while no transaction of Transact is open, if the file has not failed.
func (w *writer) exclusive(f func() error) error {
	w.in.turn <- struct{}{}
	defer func() { <-w.in.turn }()
	if err := w.in.failure(); err != nil {
		return err
	}
	return w.in.judge(f())
}

// attempt writes a group completely or not at all.
func (w *writer) attempt(t *transaction, group []*call) (err error) {
	if err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.kept.drop()
			w.graves.failed()
			_ = t.exec("ROLLBACK") // SQLite may have rolled back already
		}
	}()
	if err := w.kept.follow(t); err != nil {
		return err
	}
	if err := t.load(); err != nil {
		return err
	}
	for _, c := range group {
		if c.ended = c.ctx.Err(); c.ended != nil { // while it waited for another process, or for Transact
			continue
		}
		if err := c.run(t); err != nil {
			return err
		}
	}
	if err := w.prune(t); err != nil {
		return err
	}
	if err := w.graves.trim(t); err != nil {
		return err
	}
	if err := t.save(); err != nil {
		return err
	}
	if err := t.exec("COMMIT"); err != nil {
		return err
	}
	w.in.trimmed.Add(int64(t.trimmed))
	return nil
}

// The state is also checked in the row, because a damaged index may name another row.
const pruneSQL = `DELETE FROM inbox_entry WHERE +state = 'done' AND id IN (
	SELECT id FROM inbox_entry WHERE state = 'done' AND forget_at BETWEEN 1 AND ? ORDER BY forget_at LIMIT ?)`

// prune deletes some of the facts whose window is over. They already count as absent. If there are more, the next
// transaction continues, so facts cannot be added faster than they are deleted.
func (w *writer) prune(t *transaction) error {
	const every, most = 10 * time.Second, 500
	if time.Since(w.pruned) < every {
		return nil
	}
	n, err := t.count(pruneSQL, t.now, most)
	if n < most {
		w.pruned = time.Now()
	}
	return err
}

// prepared runs statements on one connection and caches them compiled.
type prepared struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func (p prepared) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := p.stmts[query]; s != nil {
		return s, nil
	}
	s, err := p.conn.PrepareContext(ctx, query)
	if err == nil {
		p.stmts[query] = s
	}
	return s, err
}

func (p prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := p.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (p prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p prepared) close() {
	for _, s := range p.stmts {
		_ = s.Close()
	}
	_ = p.conn.Close()
}
