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
// signature for tests.
//
// The three requests of data protection go to addresses of their own and name no
// event; [Handler.Event] says which of them an address gets.
//
// # What may be relied on
//
// No byte of a body is parsed before its signature was verified, and the store of
// a delivery is taken from the verified body alone.
//
// The handler runs inside the request, and 2xx is answered only after it returned
// nil. An error, a panic or a handler that is late is answered 503, upon which the
// platform delivers again: up to 16 attempts within 48 hours.
//
// Deliveries that say the same and arrive together share runs, but never one that
// began before they arrived: it may have read the state of the store before the
// change they tell of. At most one run per key is in progress at any time.
//
// What is verified but cannot be handled (an event newer than this package, a
// malformed body, a store that is not yours) is answered 2xx, since sixteen
// attempts would not mend it. It is kept if [Handler.Unknown] is set and reported if not.
//
// # What must be done by you
//
// A delivery carries neither an id nor a signed time, so a captured one can be sent
// again and verifies again, and two true events may have equal bodies. Handlers
// must be safe to run twice: read the entity that the delivery names and act on
// what it says now. Order is not guaranteed. Deliveries to a suspended store are
// not sent at all, so read what changed from time to time besides.
package webhook
