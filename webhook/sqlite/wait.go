package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// lookEvery is how often a waiting call checks for entries that other processes accepted.
const lookEvery = 100 * time.Millisecond

// Wait returns when an entry may have become due, when d is over, or with the error of ctx. Entries that another
// process accepts are noticed within a tenth of a second.
func (in *Inbox) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	end := time.Now().Add(d)
	for {
		woken := in.wake.next()
		next, err := in.nextDue(ctx, q)
		if err != nil {
			return failed("wait", err)
		}
		rest := min(time.Until(end), lookEvery)
		if next.Valid {
			rest = min(rest, time.Duration(next.Int64-in.clock.now()))
		}
		if rest <= 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(rest)
		select {
		case <-woken:
			timer.Stop()
			return nil
		case <-timer.C:
		case <-in.closing:
			timer.Stop()
			return failed("wait", errClosed)
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

const (
	nextSQL = `SELECT clock, (SELECT min(at) FROM (
		SELECT min(turn) AS at FROM inbox_lane WHERE until IS NULL AND turn IS NOT NULL UNION ALL ` + heldSQL
	nextWithoutSQL = `SELECT clock, (SELECT min(at) FROM (
		SELECT * FROM (SELECT turn AS at FROM inbox_lane WHERE until IS NULL AND turn IS NOT NULL
			AND store_id NOT IN (SELECT value FROM json_each(?)) ORDER BY turn LIMIT 1) UNION ALL ` + heldSQL
	heldSQL = `
		SELECT min(max(due, until)) FROM inbox_lane WHERE until IS NOT NULL)) FROM inbox_state`
)

// nextDue returns when the first store has its turn, or a lease ends. It also advances the clock to the times that
// others have written.
func (in *Inbox) nextDue(ctx context.Context, q webhook.LeaseQuery) (next sql.NullInt64, err error) {
	query, args := nextSQL, []any(nil)
	if len(q.Without) > 0 {
		stores := []byte("[")
		for _, id := range q.Without {
			stores = append(strconv.AppendInt(stores, int64(id), 10), ',')
		}
		stores[len(stores)-1] = ']'
		query, args = nextWithoutSQL, []any{string(stores)}
	}
	stmt, err := in.waits.stmt(ctx, in.db, query)
	if err != nil {
		return next, err
	}
	var last int64
	err = stmt.QueryRowContext(ctx, args...).Scan(&last, &next)
	in.clock.after(last)
	return next, err
}

// waits caches the compiled statements of nextDue, which each call of Lease and Wait runs.
type waits struct {
	mu    sync.Mutex
	stmts map[string]*sql.Stmt
}

func (w *waits) stmt(ctx context.Context, db *sql.DB, query string) (*sql.Stmt, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.stmts[query]; s != nil {
		return s, nil
	}
	s, err := db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if w.stmts == nil {
		w.stmts = make(map[string]*sql.Stmt)
	}
	w.stmts[query] = s
	return s, nil
}

func (w *waits) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.stmts {
		_ = s.Close() // the file is closed next
	}
}

func (in *Inbox) isDue(ctx context.Context, q webhook.LeaseQuery) (bool, error) {
	next, err := in.nextDue(ctx, q)
	return next.Valid && next.Int64 <= in.clock.now(), err
}

// signal wakes all goroutines that wait for it.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

func (s *signal) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) all() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}
