// Package clienttest runs the platform in memory, for tests and examples of applications that use this module.
//
//	srv := clienttest.New(t) // ends with the test
//	c := srv.Client()
//	p, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
//
// The server keeps state and applies the rules of the platform: limits, scopes, versions, error texts, and webhooks
// with their signature and retry schedule. Programs call [Start] instead of [New], and [Server.Listen] if they require
// real sockets.
//
// # What a test can do
//
//	Client, Install, App            clients of the app, or of another app with given scopes
//	Uninstall, Suspend              actions of merchants and the platform on an app
//	Partner, Forward                the handler or program that answers at an address
//	Browser                         a person who installs the app and opens its pages
//	Deliveries, Settle, Resend      list webhooks and their attempts, wait for them, send one again
//	Emit, Seed                      create an event, or a record, without an API call of the app
//	Clock                           the server's time
//	AddStore                        another store of the platform, for apps that serve several
//	Fault, EndFaults                make an operation fail: a status, a delay, a cut connection, half an answer
//	Options.Console                 pages in a browser for most of these actions: set it to pages.At
//	Requests                        requests and answers, unread members, and hints at misspelt paths
//	Snapshot, Restore               save and restore the state of a server, to share one costly set-up
//	Shop, NewCart, Add, Runs        a customer's cart, sent to discount apps
//	SetContact, Abandon             make a customer abandon a checkout
//	Buy, Checkout                   buy a cart or an abandoned checkout, with or without a call to a payment app
//	Quote, RateCalls, CarrierHealth a checkout that asks carriers, with cache, circuit and fallback option
//	PaymentOptions, MayFinish, Places, RuleRuns
//	                                a checkout that asks business rules
//	Pay, Charge                     pay an order, or make one that is paid
//	PayCharge, FailCharge           pay a charge of the app, or fail its payment
//	ProcessPayment, CancelPayment, PaymentStatus, Refund
//	                                calls to payment apps, signed with PaymentKey
//	RefreshPaymentToken, ReviewPayment
//	                                calls to payment apps that the platform does not sign
//	Play                            scenarios from files, as "refserver test" does
//	RequestLabels, CancelLabels, SuspendLabels, ReactivateLabels
//	                                calls to carriers about labels
//
// Where the contract leaves a question open, the server gives one answer. [Options].Readings selects the other one.
// Apps should work with both. [Options] make the platform stricter, smaller or less reliable than the default.
// [Options].Wrap puts a transport of the test between the clients and the server.
//
// # Time
//
// Requests travel over in-memory connections, so a whole test may run in a testing/synctest bubble. Set
// [Options].RealTime there, and the server uses the clock of the bubble. Otherwise the server has its own [Clock],
// which changes only when it is advanced, so two days of retries take no time. A handler that the server calls uses
// [Spend] to let time pass.
//
// # Guarantees
//
// The server shares no code with the client, so a mistake in one is not repeated in the other. Ids, times and the order
// of deliveries are the same in every run. If a behaviour is an assumption, the answer has the header X-Ref-Provenance:
// assumed, and the package in internal/refserver that makes it documents the assumption. The decisions that
// a test is most likely to meet are in internal/refserver/behaviour.md. They may change if the platform turns out to
// behave differently.
//
// A [Server] and the values that it returns are safe for concurrent use. Servers share nothing with each other.
//
// # See also
//
// Package client/clienttest/pages shows a server in a browser. Packages webhooktest, discountstest, shippingtest and
// paymentstest record and replay calls. docs/testing.md of package client describes the same platform as a program.
package clienttest
