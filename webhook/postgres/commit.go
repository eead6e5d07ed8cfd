package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

const commitSQL = `SELECT held, again, more, settled FROM inbox.commit_lease($1, $2, $3, $4, $5, $6, $7)`

// Commit ends a lease whose entry was handled.
//
// Runs that end at about the same time share a transaction, which may reach the disk a moment later. A crash of the
// server can undo it, and then the entry is run again. Use CommitTx for an effect that must not happen twice.
func (in *Inbox) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	if len(l.Clears) == 0 {
		return in.settle(&settlement{ctx: ctx, what: "commit", lease: l, end: endCommit})
	}
	var c committed
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.commit, in.commitArguments(l)...).QueryRow(c.read)
	})
	if err != nil {
		return false, failed("commit", err)
	}
	return in.ended(c)
}

// CommitTx commits inside a transaction of the caller: its writes and the end of the entry are committed together or
// not at all. Call it last and commit tx at once, because arrivals of the same lane wait until then. Roll back if it
// fails. The database must be that of the inbox. Any isolation level works, but a transaction that is not READ
// COMMITTED can fail if an entry arrived meanwhile.
//
// A lease that ends between CommitTx and the commit of tx does no harm, because no worker gets the lane before tx has
// ended.
func (in *Inbox) CommitTx(ctx context.Context, tx pgx.Tx, l webhook.Lease) (again bool, err error) {
	if tx == nil {
		return false, errors.New("postgres: commit: tx is nil: must be a transaction")
	}
	var c committed
	if err := c.read(tx.QueryRow(ctx, in.sql.commit, in.commitArguments(l)...)); err != nil {
		return false, failed("commit", err)
	}
	return in.ended(c)
}

// CommitSQL is CommitTx in a transaction of database/sql, whose driver must be that of pgx (package stdlib). If the
// inbox and database/sql share a pool, stdlib.OpenDBFromPool makes the *sql.DB.
func (in *Inbox) CommitSQL(ctx context.Context, tx *sql.Tx, l webhook.Lease) (again bool, err error) {
	if tx == nil {
		return false, errors.New("postgres: commit: tx is nil: must be a transaction")
	}
	var c committed
	if err := c.read(tx.QueryRowContext(ctx, in.sql.commit, in.commitArguments(l)...)); err != nil {
		return false, failed("commit", err)
	}
	return in.ended(c)
}

// committed is the result of commit_lease.
type committed struct {
	held, again, more bool
	settled           int
}

func (c *committed) read(row pgx.Row) error {
	return row.Scan(&c.held, &c.again, &c.more, &c.settled)
}

func (in *Inbox) commitArguments(l webhook.Lease) []any {
	clears := make([]string, len(l.Clears))
	for i, name := range l.Clears {
		clears[i] = string(name)
	}
	return []any{in.options.Queue, l.Key, l.Lane, int64(l.Token), int64(l.Gen), int64(l.StoreID), clears}
}

func (in *Inbox) ended(c committed) (again bool, err error) {
	if !c.held {
		return false, webhook.ErrLeaseLost
	}
	in.room.settled.Add(int64(c.settled))
	in.handled.Add(1)
	if c.more {
		in.changed()
	}
	return c.again, nil
}

// Fail ends a lease whose entry was not handled. A signal that arrived again since the lease does not die. A Delay
// below 0 counts as 0.
func (in *Inbox) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	cause := strings.ReplaceAll(strings.ToValidUTF8(f.Cause, "\uFFFD"), "\x00", "\uFFFD")
	delay := min(max(f.Delay, 0), mostTime)
	if delay%time.Microsecond != 0 {
		delay += time.Microsecond // rounded up
	}
	one := &settlement{ctx: ctx, what: "fail", lease: l, end: endFail, delay: delay.Microseconds(), cause: cause}
	switch {
	case f.Released:
		one.end = endRelease
	case f.Waits:
		one.end = endWait
	case f.Dropped:
		one.end = endDrop
	case f.Dead:
		one.end = endDead
	}
	_, err := in.settle(one)
	return err
}
