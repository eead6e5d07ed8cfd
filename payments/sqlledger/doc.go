// Package sqlledger is the ledger of a payments.Cashier in the database of the app, SQLite or PostgreSQL, by
// database/sql: the record of each payment, refund and cancellation, shared by all replicas.
//
//	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL")) // or SQLite's driver
//	if err != nil {
//		return err
//	}
//	ledger := &sqlledger.Ledger{DB: db}
//	if err := ledger.Migrate(ctx); err != nil { // at the start, or create the tables by ledger.Schema()
//		return err
//	}
//	cashier := &payments.Cashier{Ledger: ledger, Charge: charge, Repay: repay, Void: void, Transactions: ofStore}
//	if err := cashier.Check(); err != nil {
//		return err
//	}
//	mux.Handle("/process", &payments.ProcessHandler{Callback: common, Process: cashier.Process})
//	mux.Handle("/refunds", &payments.RefundHandler{Callback: common, Refund: cashier.Refund})
//	mux.Handle("/cancel", &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel})
//	go cashier.Run(ctx)
//
// The modules webhook/sqlite and webhook/postgres test it with their drivers, modernc.org/sqlite and pgx's stdlib.
// SQLite is for replicas on one machine, and needs busy_timeout and journal_mode(wal).
//
// # For operators
//
// Table commerce_payment_operation has a row for each operation. These are not finished:
//
//	SELECT kind, state, payment_attempt_id, transaction_id, amount, currency, entry
//	FROM commerce_payment_operation WHERE state IN ('begun', 'moved') ORDER BY begun_at
//
// Column entry has the error of the last try as last_error. An operation that can never be completed, because the app
// was uninstalled for example, is ended by hand. The version must change with the state, so that no replica overwrites
// it:
//
//	UPDATE commerce_payment_operation SET state = 'closed', version = version + 1 WHERE idempotency_key = …
//
// A cancellation that was closed by hand is answered as done, and the attempt is still not charged. Close the payment
// first if both are open.
//
// Rows are kept until [Ledger.Prune] deletes them: after the time in which refunds and cancellations are made. Until
// the outcome of a payment is known, its row has the whole call, with what the platform sent of a card; see
// Cashier.Redact.
//
// Replicas compare no clocks, and the database needs none. A restored backup has lost operations: those that the
// platform asks for again are begun again with the same keys, so that the processor moves nothing twice as long as it
// keeps them.
package sqlledger
