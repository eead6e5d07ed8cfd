package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// DB returns connections to the file, for tables of your own. Names of tables that begin
// with inbox_ belong to the inbox. Its transactions begin with the write lock (BEGIN IMMEDIATE), and
// nothing is accepted while one is open: keep them short, and do not call out of
// them. Under load they may find the file busy, other than those of Transact. It is closed with the
// inbox.
func (in *Inbox) DB() *sql.DB { return in.db }

// Transact runs f in a transaction on the file, in turn with the writes of the inbox, and commits
// it if f returns nil. It begins with the write lock (BEGIN IMMEDIATE): nothing is
// accepted while f runs, so f must be quick, must not call out, and must not call the inbox
// except for CommitTx. A run of a handler of a [webhook.Worker] has its effect exactly once so, and with the
// key of the table (order_id) each order has one, however many runs there are:
//
//	err := inbox.Transact(ctx, func(tx *sql.Tx) error {
//		if _, err := tx.ExecContext(ctx, "INSERT INTO shipment (order_id) VALUES (?) ON CONFLICT DO NOTHING", id); err != nil {
//			return err
//		}
//		return webhook.CommitTx(ctx, tx)
//	})
func (in *Inbox) Transact(ctx context.Context, f func(tx *sql.Tx) error) (err error) {
	select {
	case in.turn <- struct{}{}:
		defer func() { <-in.turn }()
	case <-in.closing:
		return failed("transact", errClosed)
	case <-ctx.Done():
		return failed("transact", ctx.Err())
	}
	select {
	case <-in.closing: // both were ready
		return failed("transact", errClosed)
	default:
	}
	if err := in.failure(); err != nil {
		return failed("transact", err)
	}
	tx, err := in.db.BeginTx(ctx, nil)
	if err != nil {
		return failed("transact", in.judge(err))
	}
	defer func() { err = errors.Join(err, rolledBack(tx.Rollback())) }() // of no effect after Commit
	if err := f(tx); err != nil {
		return err
	}
	if err = tx.Commit(); err == nil {
		_, err = in.own.verify(0)
	}
	err = in.judge(err)
	in.wake.all()
	return failed("transact", err)
}

func rolledBack(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
