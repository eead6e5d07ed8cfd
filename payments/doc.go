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
//		_, _, err := api.Transactions.CreateOrGet(ctx, r.OrderID, r.Transaction(authorized, info))
//		return nil, err
//	}})
//	event, _, err := api.Transactions.CreateEventOrGet(ctx, orderID, tx.ID, payments.EventInput{…}) // captured
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
//	[ReviewHandler]   the merchant accepts or cancels a payment      2xx
//
// The addresses of the first three are configured for the app, that of refunds is the RefundURL of each transaction,
// that of refreshes is in [Authentication], and those of reviews are in the [EventInfo] of the event that asks for one.
// All but the last two are signed with the platform's key, which [ParseKeys] reads; that refunds are is [inferred].
// Handlers are plain http.Handlers. Their Check tells at the start of a program what is missing.
//
// # The cashier
//
// The platform knows of money only what the app reports. It repeats a cancellation until that succeeds; it does not ask
// what became of a payment or a refund whose function was late, failed or died with its process. So the app completes
// what it has begun. A [Cashier] does that. The app writes three functions that move money, and one that finds the
// service of a store:
//
//	cashier := &payments.Cashier{
//		Ledger: &sqlledger.Ledger{DB: db}, // package payments/sqlledger, for SQLite and PostgreSQL
//		Charge: func(ctx context.Context, p payments.Payment) (payments.TransactionInput, any, error) {
//			receipt, err := bank.Charge(ctx, p.Key, p.Amount) // moves the money of a key once
//			return p.Transaction(authorized, info), nil, err
//		},
//		Repay: func(ctx context.Context, r payments.Repayment) (payments.EventInput, error) {
//			err := bank.Repay(ctx, r.Key, r.Payment.Info.ExternalID, r.Amount)
//			return r.Event(payments.EventSuccess), err
//		},
//		Void: func(ctx context.Context, v payments.Cancellation) (payments.EventInput, error) {
//			err := bank.Void(ctx, v.Key, v.Payment.Info.ExternalID, v.Amount)
//			return v.Event(payments.EventSuccess), err
//		},
//		Transactions: func(ctx context.Context, store client.ID) (*payments.TransactionService, error) { … },
//	}
//	http.Handle("/process", &payments.ProcessHandler{Callback: common, Process: cashier.Process})
//	http.Handle("/refunds", &payments.RefundHandler{Callback: common, Refund: cashier.Refund})
//	http.Handle("/cancel", &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel})
//	go cashier.Run(ctx) // in each replica
//
// It has three operations:
//
//   - Process takes a payment by Charge, and reports a transaction.
//   - Refund pays back a part of a payment by Repay, and reports an event.
//   - Cancel ends an attempt. If it was not charged yet, it never will be. If it was, Void releases or returns what is
//     left of the money, and an event reports that.
//
// Each operation has an entry in the [Ledger], with an idempotency key that follows from the store and the attempt,
// from the store, the transaction and the number of the refund, or from the attempt that is cancelled:
//
//	begun      the call arrived                     another replica calls the function again, with the same key
//	moved      the outcome is known                 Run reports it, by CreateOrGet or CreateEventOrGet
//	reported   the platform knows                   a repeated call has the same answer
//	refused    Repay returned a RefundRefusal       the very call has the same answer
//	cancelled  a payment that is never charged, or a cancellation with nothing to release
//
// An operation that its replica has not changed for a Lease is taken over by another one. A replica that was only
// stopped and wakes then cannot move money again, because its key is the same. It cannot write either, because the
// entry has another version. Reports of one operation are 90 seconds apart: a request whose answer was lost may still
// take effect for a minute, and the platform would record it twice. One thing remains: a process that is stopped for
// more than that time right between its last look at the clock and the write to the socket can report beside another.
//
// A payment and its cancellation may reach two replicas in any order. Each first stores its own entry and then looks
// for the other one, so at least one sees the other. Before Charge is called, that is written to the entry: a payment
// that has not come so far is ended by the cancellation, and one that has is completed first. So a replica that died in
// Charge leaves a payment whose outcome must be found out, and Charge is called again to do so, with Payment.Cancelled.
//
// Cashier.Unreported yields what has moved and is not reported yet, for an alert. A [Failure] names the attempt or
// transaction that it is about.
//
// Without a cashier the functions of the handlers do all of this themselves. The example of
// TransactionService.CreateEventOrGet shows how.
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
// it was, to the same process, while it is one of the last 100,000. A Cashier with a Ledger extends that to all
// replicas and to any time. The platform gives refunds no id: see Cashier.Refund for how a repeated one is recognized.
// A cancellation names the attempt and no store: see Cashier.Cancel.
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
