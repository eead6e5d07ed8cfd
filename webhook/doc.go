// Package webhook receives the events of the platform over HTTP.
//
// Register the handlers of events in a [Registry], put it in a [Handler] and mount that. Handler is a plain
// [http.Handler]:
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
// Register the URL in each store with v202503.Webhooks(c).Ensure, for the events of [Registry.Names]. The URLs of the
// three privacy requests are in the settings of the app, and [Handler.Mount] serves them with /hooks. See
// docs/receiving.md.
//
// The event fixes the type of the payload. [Events] lists the events of the contract, and [Registry.Complete] reports
// those without a handler. [Server] is an http.Server with the timeouts that a public address requires. [Sign] makes
// the signature for tests. [Ready.Serve] serves requests and runs workers until its context ends, for example by
// SIGTERM, and then drains.
//
// The three privacy requests are sent to addresses of their own and name no event. [Handler.Event] sets the
// event of an address.
//
// # Where handlers run
//
// By default, handlers run inside the request. This is simple, and enough if the handlers are fast and the app is
// always up. If [Handler.Inbox] is set, a delivery is stored durably before it is answered, and a [Worker] runs the
// handlers at its own pace:
//
//	inbox, err := sqlite.Open(ctx, "inbox.db", sqlite.Options{})
//	hooks := &webhook.Handler{Secrets: secrets, Registry: &events, Inbox: inbox}
//	probe := webhook.ProbeBy(stores.Client) // is the app installed? required by app/uninstalled
//	worker := &webhook.Worker{Inbox: inbox, Registry: &events, Probe: probe}
//	go worker.Run(ctx)
//
// Packages webhook/sqlite (one machine) and webhook/postgres (many replicas) are modules of their own, so that an app
// gets only the driver it uses. To use a queue of your own, set [Handler.Sink] and call [Registry.Handle] where you
// read the queue. A [Sweep] finds changes whose events were never delivered.
//
//	                     in the request    inbox                   sink
//	2xx means            handled           stored                  in your queue
//	time for a handler   2.5 s             1 minute by default     yours
//	attempts             the platform's    20 in an hour or two    yours
//	restart, crash       the platform      nothing is lost         yours
//	                     delivers again
//
// # Guarantees
//
// No byte of a body is parsed before its signature was verified. The store of a delivery is taken from the verified
// body alone.
//
// 2xx means that the event was handled, stored or queued, is ignored, or can never be handled (see below). A verified
// delivery whose handler failed, or that could not be stored, is answered 503, so the platform retries: up to 16
// attempts within 48 hours. A request that fails verification is answered 4xx, or 503 if no secret is set.
//
// Equivalent deliveries that arrive before a run of their handler begins are merged into that run. A delivery that
// arrives during a run causes another run, because the handler may have read the store before the change. With an
// inbox, two runs for one record are never in progress at the same time, unless a worker lost its lease without
// noticing: see [Fence]. Inside the request the guarantee is weaker: equivalent deliveries are not handled
// concurrently, but two different events about one record may be.
//
// Some verified deliveries can never be handled: an event newer than this package, a malformed body, an unknown store.
// They are answered 2xx, because more attempts would not fix them. [Handler.Unknown] gets them. If Unknown is nil, an
// inbox stores them among its [DeadLetters], and a queue gets them with a reason in Entry.Unhandled. Without either,
// they are reported.
//
// Bodies are never logged. An inbox erases a privacy request after it was handled.
//
// # Facts and signals
//
// A delivery carries neither an id nor a signed time, so a retry and a second change can have equal bodies.
// Deduplicating by a hash of the body drops real events. An inbox instead uses a table with the meaning of each event
// of the contract:
//
//   - A [KindFact] can happen once, for example that a product was created. A second delivery is a retry, and is
//     dropped for 72 hours.
//   - A [KindSignal] reports that a record changed. Pending deliveries are merged into one run, and nothing is
//     remembered after it.
//
// [Registry.Policy] overrides the table.
//
// # Observability
//
// Each request of a [Handler], each run of a [Worker] and each list of a [Sweep] calls OnStarted once, and one hook at
// its end (OnAnswered, OnFinished). The context that OnStarted returns is passed to the functions of the app and to all
// other hooks, so that a span can be opened in one and ended in the other. [Entry].Trace links a run to the request
// that caused it, even across processes.
//
// # Costs
//
// The inbox in memory accepts a delivery of 200 bytes in about 6 microseconds of CPU time, in addition to 20 of
// net/http. Durable engines are bounded by their disk and database. docs/scale.md is the plan for loads above those of
// one machine. GOMAXPROCS should be 2 or more, because a sync blocks a thread.
//
// # What handlers must do
//
// Anybody who captured a delivery can send it again, and it verifies again. So handlers must be idempotent: read the
// entity that the delivery names, and act on its present state. An effect that must happen once requires a key that
// names it, such as the charge that was paid or the order that was shipped. [CommitTx] makes a run atomic. That is
// enough for a fact; a signal that arrives again after its run has another run. Order is not guaranteed.
//
// # See also
//
// The directory docs has pages for operators of an inbox: runbook.md for symptoms and dead letters, settings.md for
// settings and sizes, sqlite.md and postgres.md for an engine, scale.md for the limits. Package webhook/inboxops shows
// an inbox ([Browser]) as a page and as a command. Package webhook/webhooktest sends deliveries in tests, and
// webhook/inboxtest tests an engine of your own. examples/receiver is a complete receiver whose tests kill it and check
// that no delivery is lost.
package webhook
