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

// mostCalls share a transaction at most.
const mostCalls = 256

var errClosed = errors.New("inbox is closed")

// call is a write in progress. What it finds it leaves in its closure, which must
// not keep anything from one run to the next: a call may be run again.
type call struct {
	ctx   context.Context
	run   func(t *transaction) error // an error is one of the file, and ends the transaction
	done  chan error
	ended error // of ctx, if it ended before the transaction began: then the call is not run
}

func newCall(ctx context.Context, run func(t *transaction) error) *call {
	return &call{ctx: ctx, run: run, done: make(chan error, 1)}
}

// write has the collector run f in a transaction, and returns when that is on disk, or when ctx ends. Then f may be run
// all the same, if the transaction has begun.
func (in *Inbox) write(ctx context.Context, what string, f func(t *transaction) error) error {
	return in.send(newCall(ctx, f), what, ctx.Done())
}

// writeHeard is write for what nobody must miss: when ctx ends, f is not run any more, or its end is waited for.
func (in *Inbox) writeHeard(ctx context.Context, what string, f func(t *transaction) error) error {
	left := make(chan struct{})
	var begun sync.Once // closes left, or keeps it open for good
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

// send gives a call to the collector and waits for its end, but not once it is left.
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
		case err := <-c.done: // it was the last
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

// writer is the collector: it makes one transaction, and so one sync, of the calls that
// came while the one before was being written. Arrivals, leases and the ends of leases share it in the order in which
// they came, so that none of them waits for a burst of others.
type writer struct {
	in     *Inbox
	conn   *sql.Conn
	stmts  prepared
	kept   kept
	pruned time.Time
}

func newWriter(ctx context.Context, in *Inbox) (*writer, error) {
	conn, err := in.writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	in.own = &writer{in: in, conn: conn, stmts: prepared{conn, map[string]*sql.Stmt{}}, pruned: time.Now()}
	in.own.kept.leases = make(map[string]keptLease)
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
				w.in.report(fmt.Errorf("sqlite: inbox %s: make indexes again: %w", w.in.place.path, err))
			}
		case <-w.in.closing:
			for {
				select {
				case c := <-w.in.calls:
					w.handle(w.gather(c))
					continue
				default:
				}
				w.eraseAlone() // the last chance
				return
			}
		}
	}
}

// gatherYields is how often the collector yields before it gathers a group: first to callers that the previous group
// answered, then to goroutines that those start, such as the next run of a worker. Their next calls join this group,
// which saves a transaction and its sync. A yield returns at once if nothing else is ready to run.
const gatherYields = 2

// gather takes what else has come, and drops what nobody waits for any more.
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
	err := w.transact(group)
	if err != nil && len(group) > 1 && w.in.failure() == nil && !isBusy(err) {
		for _, c := range group { // it may be the fault of one of them
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

// The log of writes is copied into the tables when it has so many pages. When it begins again, it is cut to a length
// that it seldom has, since a long reader may have made it grow.
const (
	logPages = 1000
	logLimit = 16 << 20
)

// settle sees to it that what was committed is in the files, and copies the log when that is due.
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

// exclusive runs f when no transaction of Transact is open, and if the file is sound.
func (w *writer) exclusive(f func() error) error {
	w.in.turn <- struct{}{}
	defer func() { <-w.in.turn }()
	if err := w.in.failure(); err != nil {
		return err
	}
	return w.in.judge(f())
}

// attempt writes a group, or leaves nothing of it.
func (w *writer) attempt(t *transaction, group []*call) (err error) {
	if err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.kept.drop()
			_ = t.exec("ROLLBACK") // SQLite may have done it
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
	if err := t.save(); err != nil {
		return err
	}
	return t.exec("COMMIT")
}

// The state is asked of the row too: a damaged index may name another one.
const pruneSQL = `DELETE FROM inbox_entry WHERE +state = 'done' AND id IN (
	SELECT id FROM inbox_entry WHERE state = 'done' AND forget_at BETWEEN 1 AND ? ORDER BY forget_at LIMIT ?)`

// prune forgets some of the facts whose window is over. They count as absent before. If there are more, the next
// transaction goes on: facts must not come faster than they are forgotten.
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

// prepared runs statements on one connection and keeps them compiled.
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
