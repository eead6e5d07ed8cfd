// Package payments is the part of the API for payment apps: apps that take payments
// for orders and tell the platform how they went.
//
// First the app describes, in each store, what it offers:
//
//	api := v202503.New(c) // c is a *client.Client
//	id, err := api.PaymentProviders.Create(ctx, payments.ProviderInput{…})
//
// Then the platform calls the app, and the app reports to the platform. A customer who pays
// is a call to a [ProcessHandler]; what came of it is a transaction with its first event, and
// whatever happens later is another event:
//
//	common := payments.Callback{Keys: keys, Origin: "https://pay.example"}
//	http.Handle("/process", &payments.ProcessHandler{Callback: common, Process: func(ctx context.Context, r payments.ProcessRequest) (any, error) {
//		_, err := api.Transactions.CreateOrGet(ctx, r.OrderID, r.Transaction(authorized, info))
//		return nil, err
//	}})
//	event, err := api.Transactions.CreateEventOrGet(ctx, orderID, tx.ID, payments.EventInput{…}) // captured
//
// An order has no action to pay: the platform computes its payment status from
// the events of its transactions, so a sale or a capture that succeeded marks it
// as paid. What the app answers to a call changes nothing by itself.
//
// # The calls
//
//	[ProcessHandler]  a customer wants to pay                        201
//	[CancelHandler]   an attempt is given up; repeated until         200
//	[StatusHandler]   which transactions an order has                200
//	[RefundHandler]   the merchant wants to pay back                 202, or 422 with a RefundRefusal
//	[RefreshHandler]  the platform wants new credentials of a store  200
//
// The addresses of the first three are configured for the app, that of refunds is the
// RefundURL of each transaction, and that of the last is in [Authentication]. All but the
// last are signed with the platform's key, which [ParseKeys] reads; that refunds are is [inferred].
// Handlers are plain http.Handlers. Their Check tells at the start of a program what is missing.
//
// # Money that was moved and not reported
//
// The platform knows of money only what the app reports. It repeats a cancellation until that succeeds; it does not ask
// what became of a payment or a refund whose function was late, failed or died with its process. So the app completes
// what it has begun:
//
//  1. Write the operation down before the money moves: the store, the order, the attempt or transaction, the amount, an
//     ExternalID of your own for a payment, and HappenedAt for an event. A refund names no order: keep the order with
//     its transaction.
//  2. Move the money with that ExternalID as the idempotency key of the bank or processor, and write down that it moved.
//  3. Report it with TransactionService.CreateOrGet or CreateEventOrGet, and write down that it was reported. Both may
//     be repeated, also by another process, a minute after the last try or later: a request whose answer was lost may
//     still take effect until then, and the platform would record it twice.
//  4. When the program starts, and every minute, look for operations without 3 whose last change is a minute old, and go
//     on: ask the processor about those without 2. A [Failure] with ErrLate or Late names the attempt or transaction that this is about, so an alert finds
//     it sooner.
//
// The example of TransactionService.CreateEventOrGet does this.
//
// # What may be relied on
//
// An input that the contract forbids is refused before anything is sent, by an error that
// wraps client.ErrValidation and names field, value and rule. Amounts are exact, and
// [InstallmentRules.Allowed] does not round.
//
// A call runs a function of the app only if it was signed for this very address a short time
// ago. It is answered within 18 of the platform's 20 seconds, whatever the function does. (The contract
// gives no time for refunds and refreshes: 20 seconds are [inferred].)
// Calls for the same thing that overlap are one run, and so is a call that is sent again as
// it was, to the same process, while it is one of the last 100,000. The platform gives refunds no id, so a refund that is asked for again later cannot
// be told from a second one: see RefundHandler.Refund.
//
// Secrets are sent to the platform and shown nowhere else: not when a value that has them is
// printed, not in errors, also if the platform repeats them.
//
// # Serving
//
// A public address wants a server with timeouts. webhook.Server makes one, for webhooks: its WriteTimeout of
// 5 seconds loses the answers that take longer. Handlers of payments want 20 seconds or more:
//
//	server := webhook.Server(":8080", mux)
//	server.WriteTimeout = payments.AnswerTime
//
// # Where the rest is
//
// Chargebacks are in package disputes, what a merchant pays for an app in package client
// (Plan, AppSubscription, Charge). A whole app is in examples/paymentapp.
package payments
