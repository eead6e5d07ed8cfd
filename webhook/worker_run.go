package webhook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
)

// running is a run of a worker, which the handler's context carries.
type running struct {
	lease     Lease
	inbox     Inbox
	committed atomic.Bool
	again     atomic.Bool // the result of CommitTx
}

type runningKey struct{}

func runningOf(ctx context.Context) *running {
	r, _ := ctx.Value(runningKey{}).(*running)
	return r
}

// LeaseOf returns the lease under which a handler was called. It reports the number of attempts and the arrivals that
// the run is for. It returns false outside of a [Worker].
func LeaseOf(ctx context.Context) (Lease, bool) {
	if r := runningOf(ctx); r != nil {
		return r.lease, true
	}
	return Lease{}, false
}

// Fence returns the token of the lease under which a handler was called, 0 outside of a [Worker]. Every later lease has
// a greater token. A handler can lose its lease without noticing, for example if its process was stopped for a while.
// The token prevents it from overwriting the result of a later run:
//
//	UPDATE products SET price = $1, fence = $2 WHERE id = $3 AND fence <= $2
//
// 0 rows mean that the run is stale.
func Fence(ctx context.Context) uint64 {
	l, _ := LeaseOf(ctx)
	return l.Token
}

// CommitTx commits the entry of the handler that was called with ctx inside the handler's own transaction. The
// transaction's writes and the end of the entry are committed together or not at all, so the run has its effect exactly
// once. Call it last, commit tx, and return nil. If another worker may have the entry, it returns ErrLeaseLost: roll
// back then.
//
// A [KindFact] has one run. A [KindSignal], such as order/paid, that is delivered again after its run has another run.
// An effect that must not be repeated then also requires a key, such as the id of the order in INSERT … ON CONFLICT DO
// NOTHING.
//
// Tx is a transaction of the database of the inbox: *sql.Tx for webhook/sqlite, pgx.Tx or *sql.Tx for webhook/postgres.
// A *sql.Tx for webhook/postgres must be one of pgx's driver for database/sql (package stdlib).
func CommitTx[Tx any](ctx context.Context, tx Tx) error {
	r := runningOf(ctx)
	if r == nil {
		return errors.New("webhook: CommitTx: the context must be that of a worker's handler")
	}
	again, err := commitIn(ctx, r, tx)
	if err != nil {
		return err
	}
	r.again.Store(again)
	r.committed.Store(true)
	return nil
}

// commitIn commits in a transaction of the engine, or in one of database/sql if the engine supports it.
func commitIn[Tx any](ctx context.Context, r *running, tx Tx) (again bool, err error) {
	inbox := r.inbox
	if parts, ok := inbox.(interface{ InboxOf(Lease) Inbox }); ok {
		inbox = parts.InboxOf(r.lease)
	}
	if engine, ok := inbox.(interface {
		CommitTx(ctx context.Context, tx Tx, l Lease) (again bool, err error)
	}); ok {
		return engine.CommitTx(ctx, tx, r.lease)
	}
	engine, ok := inbox.(interface {
		CommitSQL(ctx context.Context, tx *sql.Tx, l Lease) (again bool, err error)
	})
	if standard, is := any(tx).(*sql.Tx); ok && is {
		return engine.CommitSQL(ctx, standard, r.lease)
	}
	return false, fmt.Errorf("webhook: CommitTx: %T cannot commit in a %T", inbox, tx)
}
