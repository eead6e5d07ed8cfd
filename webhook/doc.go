// Package webhook receives the events of the platform over HTTP.
//
// Name what you handle in a [Registry], put it in a [Handler] and mount that
// wherever you like; it is a plain [http.Handler]:
//
//	var events webhook.Registry
//	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
//		return ship(ctx, d.StoreID, d.Payload.ID)
//	})
//	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
//	if err := hooks.Check(); err != nil {
//		return err
//	}
//	mux.Handle("/hooks", hooks)
//
// The event fixes the type of the payload. [Events] lists the events of the
// contract, [Registry.Complete] names those that nobody handles, [Server] is an
// http.Server with the timeouts that a public address wants, and [Sign] makes the
// signature for tests. [Ready.Serve] serves and works until SIGTERM, and drains.
//
// The three requests of data protection go to addresses of their own and name no
// event; [Handler.Event] says which of them an address gets.
//
// # Where handlers run
//
// Without more, they run inside the request, which is simple and enough for
// handlers that are fast and an app that is up. Set [Handler.Inbox], and a delivery is kept
// durably before it is answered, and a [Worker] runs the handlers at its own pace:
//
//	inbox, err := sqlite.Open(ctx, "inbox.db", sqlite.Options{})
//	hooks := &webhook.Handler{Secrets: secrets, Registry: &events, Inbox: inbox}
//	worker := &webhook.Worker{Inbox: inbox, Registry: &events, Probe: probe}
//	go worker.Run(ctx)
//
// Packages webhook/sqlite (one machine) and webhook/postgres (many replicas) are
// modules of their own, so that an app gets only the driver it uses. Set
// [Handler.Sink] instead to fill a queue of yours, and call [Registry.Handle] where
// you read it. A [Sweep] looks for what was never delivered.
//
//	                     in the request    inbox                   sink
//	2xx means            handled           kept                    in your queue
//	time for a handler   2.5 s             a minute, or as told    yours
//	tries                the platform's    20 in an hour or two    yours
//	restart, crash       the platform      nothing is lost         yours
//	                     delivers again
//
// # What may be relied on
//
// No byte of a body is parsed before its signature was verified, and the store of
// a delivery is taken from the verified body alone.
//
// 2xx is answered only when there is nothing left that the platform could help with: the
// handler returned nil, or the inbox has the delivery. Everything else is 503, upon
// which the platform delivers again: up to 16 attempts within 48 hours.
//
// A run of a handler begins after every delivery that it stands for arrived. Deliveries
// that say the same and arrive before it begins share it; one that arrives while it is
// in progress causes another, since the handler may have read the state of the store before
// the change it tells of. Two runs for one record are never in progress at a time with an inbox,
// unless a worker lost its lease without knowing: see [Fence]. Inside the request this holds for deliveries
// that say the same; two events about one record may be handled together.
//
// What is verified but cannot be handled (an event newer than this package, a malformed body, a store that is not
// yours) is answered 2xx, since sixteen attempts would not mend it. It is given to [Handler.Unknown]. If that is not
// set, an inbox keeps it among its [DeadLetters], a queue gets it with a reason in Entry.Unhandled, and without either
// it is reported.
//
// Bodies are never logged. What an inbox holds of a request of data protection is
// erased when it was handled.
//
// # Facts and signals
//
// A delivery carries neither an id nor a signed time, so the bytes of a body cannot tell a retry
// from a second change: a memory of body hashes drops true events. An inbox instead
// asks what an event says, by a table with a line for each event of the contract. A
// [KindFact] can happen once: a product was created. Its second delivery is a retry and is
// dropped, for 72 hours. A [KindSignal] says that a record changed: deliveries that are
// pending become one run, and nothing is remembered afterwards. [Registry.Policy] overrides
// the table.
//
// # What can be seen
//
// Each request of a [Handler], each run of a [Worker] and each list of a [Sweep] has one OnStarted and one hook at its
// end (OnAnswered, OnFinished). The context that OnStarted returns goes to the functions of the app and to all other
// hooks, so that a span is opened in the one and ended in the other. [Entry].Trace links a run to the request that it
// is for, in whichever process it has its turn.
//
// # What it costs
//
// The inbox in memory takes a delivery of 200 bytes, without net/http, in 6 microseconds of a core with 11
// allocations, where net/http takes 20. The inbox has two fifths of that, the members of the body, the hash and the
// collector of garbage share the rest. With net/http, the CPU time of a delivery is about that of a handler written
// by hand for the same duty. Durable engines are bounded by their disk and database. docs/scale.md is the plan for
// what one machine cannot carry. GOMAXPROCS should be 2 or more, because a sync blocks a thread.
//
// # What must be done by you
//
// A captured delivery can be sent again and verifies again. Handlers
// must be safe to run twice: read the entity that the delivery names and act on
// what it says now. An effect that must happen once wants a key that names it, such as the
// charge that was paid or the order that was shipped. [CommitTx] makes a run
// whole, which is enough for a fact; a signal that comes again after its run has another.
// Order is not guaranteed.
//
// # Where the rest is
//
// docs/operating.md in this directory is for those who run an inbox: settings, sizes, draining, dead letters, backups
// and upgrades. docs/scale.md says how far an inbox goes. Package webhook/inboxops shows an inbox ([Browser]) as a page
// and as a command. Package webhook/webhooktest sends deliveries in tests, webhook/inboxtest tests an engine of your
// own, and examples/receiver is a whole receiver that is killed and loses nothing.
package webhook
