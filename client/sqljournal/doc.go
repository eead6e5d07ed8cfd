// Package sqljournal stores the intents of client.Once in a database of the app, through database/sql. It supports
// SQLite and PostgreSQL.
//
// Some records have no natural key, and the platform has no idempotency keys. client.Once stores an intent before it
// creates such a record, so that the outcome can be looked up later. A [Journal] stores these intents:
//
//	journal := &sqljournal.Journal[client.Order]{DB: db, Name: "order imports"}
//	if err := journal.Migrate(ctx); err != nil {
//		return err
//	}
//	once := client.Once[client.Order]{
//		Journal: journal,
//		Among: func(since time.Time) client.List[client.Order] {
//			return v202503.Orders(c).List(client.OrderFilter{AppID: app, Window: client.Window{CreatedMin: since}})
//		},
//		Match: func(o *client.Order, key string) bool { return o.Note == key },
//	}
//
// A key is created once, even if several processes request it repeatedly. Store, path and key of an intent are unique:
//
//	order, err := once.Create(ctx, "import 7", create)
//	if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
//		if !taken.Open {
//			return taken.Record, nil // the id of the order that exists
//		}
//		order, err = once.Resume(ctx, taken.Intent, create)
//	}
//	if errors.Is(err, sqljournal.ErrHeld) {
//		// another process creates it: try again in a minute
//	}
//
// If a process crashes, its intents stay open. Every replica must resume them when it starts, and every few minutes:
//
//	err := journal.ResumeAll(ctx, func(ctx context.Context, in client.Intent) error {
//		_, err := onceOf(in.StoreID).Resume(ctx, in, createOf(in.Key)) // nil instead of createOf sends no create
//		return err
//	})
//
// # The app's own row
//
// OnEnd writes a row of the app in the transaction that ends the intent, even if another process resumes it. Both are
// committed, or neither is:
//
//	journal.OnEnd = func(ctx context.Context, tx *sql.Tx, in client.Intent, order *client.Order) error {
//		if order == nil {
//			return nil // the platform rejected it
//		}
//		_, err := tx.ExecContext(ctx, "UPDATE import SET order_id = $1 WHERE name = $2", int64(order.ID), in.Key)
//		return err
//	}
//
// A journal of your own that embeds this one can call [Journal.EndTx] in a transaction instead. No transaction is open
// while a request is sent. Begin is never part of a transaction, because an uncommitted intent would not survive a
// crash.
//
// # Claims
//
// One process at a time works on an intent. Once claims an intent before it works on it (Hold), and renews the claim
// until it is done. Resume fails immediately with [ErrHeld] while another process works on the intent; the error names
// that process and the time of its claim. The claim of a process that was killed ends after [Journal].Term, one minute
// by default. If a process cannot renew its claim for three quarters of Term, because the database is unreachable, the
// context of its create ends. Nothing is sent after that.
//
// The work can leave an intent open, with client.ErrProbablyNotCreated for example. The caller may resume it
// immediately, at the risk of a duplicate, because a proxy may still deliver the request. Therefore Open and ResumeAll
// skip it for Term.
//
// Times are read from the database, so the clocks of replicas do not matter. Two limits remain. A process can be
// suspended for longer than Term between its last check of its context and the first byte of its request. It can then
// send the request while another process resumes the intent. If the clock of the database jumps by more than Term, in
// either direction, claims end early.
//
// # Guarantees
//
// Begin is committed before the create is sent, and End is atomic. Both are idempotent, so they can be retried if an
// answer of the database is lost. Intents that ended with a record stay in the journal until [Journal.Prune] deletes
// them; then their keys can be used again. Open intents stay until they end. If a store has uninstalled the app
// permanently, call End without a record to close its intents.
//
// SQLite must run with synchronous full, and PostgreSQL with synchronous_commit on; both are the defaults. Otherwise a
// power failure can lose intents whose creates were sent. An app with several SQLite connections must set a busy
// timeout.
//
// # Restores
//
// After a restore to an earlier point in time, the journal lacks the intents that were begun after the backup. If the
// package notices that (appdb.ErrMoved), Once.Create looks for the record of its key before it sends a create, and
// takes it. It does so for 30 days, or until appdb.Tables.Settle is called. A restore that leaves no trace is not
// noticed: see docs/database.md of package client.
//
// # Without client.Once
//
// Once cannot look for records that have no list. A program that creates such records calls Begin, Hold and End
// directly. It leaves an intent of unknown outcome open until a person resolves it. The program examples/chargebacks
// does so with disputes.
//
// # See also
//
// docs/calling.md of package client shows client.Once, and docs/database.md describes restores. Package client/appdb
// creates the tables together with those of other packages.
package sqljournal
