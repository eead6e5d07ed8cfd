package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// DB returns connections to the file, for tables of your own. Names of tables that begin with inbox_ belong to the
// inbox. Its transactions begin with the write lock (BEGIN IMMEDIATE), and no entry is accepted while one is open. Keep
// them short, and make no network calls in them. Unlike transactions of Transact, they may find the file busy under
// load. It is closed with the inbox.
func (in *Inbox) DB() *sql.DB { return in.db }

// Transact runs f in a transaction on the file, in turn with the writes of the inbox, and commits it if f returns nil.
// The transaction begins with the write lock (BEGIN IMMEDIATE), and no entry is accepted while f runs. So f must be
// quick, must make no network calls, and must not call the inbox except for CommitTx. With CommitTx, a run of a
// handler of a [webhook.Worker] has its effect exactly once. With the key of the table (order_id), each order has one
// shipment, whatever the number of runs:
//
//	const ship = "INSERT INTO shipment (order_id) VALUES (?) ON CONFLICT DO NOTHING"
//	err := inbox.Transact(ctx, func(tx *sql.Tx) error {
//		if _, err := tx.ExecContext(ctx, ship, id); err != nil {
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
	defer func() { err = errors.Join(err, rolledBack(tx.Rollback())) }() // no effect after Commit
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
