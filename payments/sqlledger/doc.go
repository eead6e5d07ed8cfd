// Package sqlledger has the [Ledger] of a [payments.Cashier] in the app's database, SQLite or PostgreSQL, through
// database/sql. It stores each payment, refund and cancellation, shared by all replicas.
//
//	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL")) // or SQLite's driver
//	if err != nil {
//		return err
//	}
//	ledger := &sqlledger.Ledger{DB: db}
//	if err := ledger.Migrate(ctx); err != nil { // at startup, or create the tables with ledger.Schema()
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
// The modules webhook/sqlite and webhook/postgres test it with modernc.org/sqlite and the stdlib package of pgx.
// SQLite suits replicas on one machine, and requires busy_timeout and journal_mode(wal).
//
// # For operators
//
// Table commerce_payment_operation has a row for each operation. This query lists the unfinished ones:
//
//	SELECT kind, state, payment_attempt_id, transaction_id, amount, currency, entry
//	FROM commerce_payment_operation WHERE state IN ('begun', 'moved') ORDER BY begun_at
//
// Column entry contains the error of the last try as last_error. Cashier.Stuck lists the operations that have failed
// repeatedly, with the steps for each. Cashier.Resume runs one again, and Cashier.Settle closes it. The command
// payments.Main does the same. If an entry cannot be read, close it with this statement. Change the version with the
// state, so that no replica overwrites it:
//
//	UPDATE commerce_payment_operation SET state = 'closed', version = version + 1 WHERE idempotency_key = …
//
// A cancellation that was closed is answered as done, and the attempt is still not charged. If a payment and its
// cancellation are both open, close the payment first.
//
// Rows are kept until [Ledger.Prune] deletes them. Call it for rows that can no longer be refunded or cancelled.
// Until the outcome of a payment is known, its row contains the whole call, including card data that the platform
// sent. See Cashier.Redact.
//
// Replicas do not compare clocks. The clock of the database decides which operations Prune deletes. A restored backup
// lacks recent operations. If the platform repeats their calls, payments and cancellations begin again with the same
// keys, so the processor moves no money twice while it remembers the keys. The key of a refund contains the number of
// earlier refunds by the cashier that the platform shows for the transaction. So a later refund has another key than a
// lost refund that was reported. It can have the key of a lost refund that was not.
//
// # Guarantees
//
// An operation has one row, whatever the number of replicas and repeated calls. Each change is committed when its call
// returns, and a change that was computed from an older version of the row is rejected.
//
// # See also
//
// Package payments has the Cashier that uses a Ledger. docs/database.md of package client describes restores.
package sqlledger
