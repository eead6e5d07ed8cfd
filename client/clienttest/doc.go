// Package clienttest runs the platform in memory, for tests and examples of
// applications that use this module.
//
//	srv := clienttest.New(t) // ends with the test
//	api := v202503.New(srv.Client())
//	p, err := api.Products.Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
//
// The server keeps state and applies the rules of the platform: limits, scopes,
// versions, error texts, webhooks with their signature and retry schedule. Programs
// call [Start] instead of [New], and [Server.Listen] where real sockets are needed.
//
// # What a test can do
//
//	Client, Install, App            who calls: the app, or another one with just these scopes
//	Uninstall, Suspend              what merchants and the platform do to an app
//	Partner, Forward                what answers at an address: a handler, or another program
//	Deliveries, Settle, Resend      look at webhooks and each attempt, wait for them, send one again
//	Emit, Seed                      an event, or a record, that nobody has asked for over the API
//	Clock                           the server's time
//	AddStore                        another store of the platform, for apps that serve many
//	Fault, EndFaults                an operation fails: a status, a delay, a cut connection, half an answer
//	Console, Options.Console        pages in a browser that show all of it, and do most of it
//	Requests                        what was asked and answered, what of it nobody has read, and hints at misspelt paths
//	Snapshot, Restore               share one costly set-up
//	Shop, NewCart, Add, Runs        a customer's cart, sent to discount apps
//	SetContact, Abandon             a customer leaves before paying, and there is an abandoned checkout
//	Buy, Checkout                   a cart, or an abandoned checkout, becomes an order, which a payment app may be asked for
//	Quote, RateCalls, CarrierHealth a checkout that asks carriers, with cache, circuit and contingencies
//	PaymentOptions, MayFinish, Places, RuleRuns
//	                                a checkout that asks business rules
//	Charge, PayCharge, FailCharge   payments that are hard to come by
//	ProcessPayment, CancelPayment, PaymentStatus, Refund, RefreshPaymentToken
//	                                the calls that payment apps get, signed with PaymentKey
//	RequestLabels, CancelLabels, SuspendLabels, ReactivateLabels
//	                                the calls that carriers get about labels
//
// [Readings], of the Options, are the other answers to questions that the contract leaves open: apps should work under
// both. [Options] make the platform stricter, smaller or less reliable than it is by default. [Options].Wrap puts a
// transport of the test between the clients and the server.
//
// # Time
//
// Requests travel over in-memory connections, so that a whole test may run in a
// testing/synctest bubble; set [Options].RealTime there, and the bubble's clock is
// the server's. Otherwise the server has a [Clock] of its own, which stands still
// until it is advanced: two days of retries take no time. A handler that the server calls lets
// time pass with [Spend].
//
// # What may be relied on
//
// The server shares no code with the client, so that the two cannot agree on a mistake. Ids, times and the order of
// deliveries are the same in every run. Where its behaviour is an assumption, the answer carries the header
// X-Ref-Provenance: assumed, and the package in internal/refserver that makes it says so. What it does is described in
// the changelog under "Server behaviour", and may change where the platform turns out to do something else.
//
// A [Server] and all that it gives are safe for concurrent use. No server shares anything with another one.
package clienttest
