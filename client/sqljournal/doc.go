// Package sqljournal keeps the intents of client.Once in a database of the app, through database/sql, on SQLite and
// PostgreSQL.
//
// Some records have no natural key, and the platform has no idempotency keys. client.Once writes down what it is about
// to create, and finds out later what became of it. A Journal is where it writes that down:
//
//	journal := &sqljournal.Journal[client.Order]{DB: db, Name: "order imports"}
//	if err := journal.Migrate(ctx); err != nil {
//		return err
//	}
//	once := client.Once[client.Order]{
//		Journal: journal,
//		Among: func(since time.Time) client.List[client.Order] {
//			return api.Orders.List(client.OrderFilter{AppID: app, Window: client.Window{CreatedMin: since}})
//		},
//		Match: func(o *client.Order, key string) bool { return o.Note == key },
//	}
//
// A key is created once, however often and wherever that is asked for. Store, path and key of an intent are unique:
//
//	order, err := once.Create(ctx, "import 7", create)
//	if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
//		if !taken.Open {
//			return taken.Record, nil // the id of the order that exists
//		}
//		order, err = once.Resume(ctx, taken.Intent, create)
//	}
//	if errors.Is(err, sqljournal.ErrHeld) {
//		// another process creates it: look again in a minute
//	}
//
// A process that dies leaves its intents open. Have every replica call this when it starts, and every few minutes:
//
//	err := journal.ResumeAll(ctx, func(ctx context.Context, in client.Intent) error {
//		_, err := onceOf(in.StoreID).Resume(ctx, in, createOf(in.Key)) // nil instead of createOf only looks
//		return err
//	})
//
// # The app's own row
//
// OnEnd writes a row of the app in the transaction that ends the intent, also when another process resumes it. Both are
// committed, or neither:
//
//	journal.OnEnd = func(ctx context.Context, tx *sql.Tx, in client.Intent, order *client.Order) error {
//		if order == nil {
//			return nil // the platform refused it
//		}
//		_, err := tx.ExecContext(ctx, "UPDATE import SET order_id = $1 WHERE name = $2", int64(order.ID), in.Key)
//		return err
//	}
//
// A journal of your own that embeds this one can call EndTx in a transaction instead. No transaction is open while a
// request is sent, and Begin is never part of one: an intent that is not committed does not survive the crash that it
// is for.
//
// # Who works on an intent
//
// One process at a time. Once claims an intent before it works on it (Hold), and renews the claim until it is done.
// Resume fails with ErrHeld while another process works on the intent. The claim of a process that was killed ends
// after Term. A process that cannot renew its claim for three quarters of Term, because the database is away, stops:
// its context ends, and nothing is sent after that.
//
// Work can leave an intent open, with client.ErrProbablyNotCreated for example. The caller may resume it at once.
// Open and ResumeAll leave it alone for Term, because something in between may still hold the request.
//
// Times are those of the database, so the clocks of replicas do not matter. Two limits remain. A process that is
// suspended for longer than Term between its last look at its context and the first byte of its request can send it
// while another one resumes the intent. If the clock of the database jumps ahead, claims end early.
//
// # What to rely on
//
// Begin is committed before the create is sent, and End is atomic. Both may be repeated: a lost answer of the database
// changes nothing. Records that were made stay in the journal until Prune deletes them; their keys are free then. Open
// intents stay until they end. If a store is lost, End without a record gives its intents up.
//
// SQLite must run with synchronous full, its default, and PostgreSQL with synchronous_commit on, its default:
// otherwise a power cut can take intents whose creates were sent. An app with several SQLite connections must set a
// busy timeout.
//
// # Without client.Once
//
// What cannot be listed cannot be looked for. A program that creates such records calls Begin, Hold and End itself, and
// leaves an intent whose outcome is unknown open for people to settle. examples/chargebacks does so with disputes.
package sqljournal
