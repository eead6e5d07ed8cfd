// Package payments is for payment apps, which take payments for orders and report them to the platform.
//
// First the app describes its payment provider in each store:
//
//	c, err := client.New(client.Config{…})
//	id, err := v202503.PaymentProviders(c).Create(ctx, providers.ProviderInput{…})
//
// When a customer pays, the platform calls a [ProcessHandler] of the app. The app reports the result as a transaction
// with its first event. Later results are reported as more events:
//
//	common := payments.Callback{Keys: keys, Origin: "https://pay.example"}
//	http.Handle("/process", &payments.ProcessHandler{
//		Callback: common,
//		Process: func(ctx context.Context, r payments.ProcessRequest) (any, error) {
//			_, _, err := v202503.Transactions(c).CreateOrGet(ctx, r.OrderID, r.Transaction(authorized, info))
//			return nil, err
//		},
//	})
//	event, _, err := v202503.Transactions(c).CreateEventOrGet(ctx, orderID, tx.ID, providers.EventInput{…})
//
// Package client/providers has the records and the services of providers and transactions.
//
// An order has no action to pay. The platform computes its payment status from the events of its transactions, so a
// successful sale or capture marks the order as paid. The app's answer to a call alone changes nothing.
//
// # The calls
//
// These handlers answer the platform's calls, with these statuses after a success:
//
//	[ProcessHandler]  a customer pays                                  201
//	[CancelHandler]   an attempt is cancelled; repeated after failures 200
//	[StatusHandler]   the platform reads the transactions of an order  200
//	[RefundHandler]   the merchant requests a refund                   202, or 422 with a RefundRefusal
//	[RefreshHandler]  the platform requests new credentials            200
//	[ReviewHandler]   the merchant accepts or cancels a payment        2xx
//
// The URLs of the first three are configured for the app. The URL for refunds is the RefundURL of each transaction, and
// the URL for refreshes is in [providers.Authentication]. The URLs for reviews are in the [providers.EventInfo] of the
// event that requests one. All but the last two are signed with the platform's key, which [ParseKeys] reads. In the
// documentation of this package, [inferred] marks a statement that the contract does not make, such as the signature of
// refunds. Handlers are plain http.Handlers. Call their Check at startup to find errors in the configuration.
//
// # The cashier
//
// The platform relies on the app's reports. It repeats a cancellation until that succeeds. It does not repeat a
// payment or a refund whose function was late, failed or ended with its process. So the app must complete operations
// that it has begun. A [Cashier] does that. The app provides three functions that move money, and one that returns
// the service of a store:
//
//	cashier := &payments.Cashier{
//		Ledger: &sqlledger.Ledger{DB: db}, // package payments/sqlledger, for SQLite and PostgreSQL
//		Charge: func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
//			receipt, err := bank.Charge(ctx, p.Key, p.Amount) // moves the money of a key only once
//			return p.Transaction(authorized, info), nil, err
//		},
//		Repay: func(ctx context.Context, r payments.Repayment) (providers.EventInput, error) {
//			err := bank.Repay(ctx, r.Key, r.Payment.Info.ExternalID, r.Amount)
//			return r.Event(providers.EventSuccess), err
//		},
//		Void: func(ctx context.Context, v payments.Cancellation) (providers.EventInput, error) {
//			err := bank.Void(ctx, v.Key, v.Payment.Info.ExternalID, v.Amount)
//			return v.Event(providers.EventSuccess), err
//		},
//		Transactions: client.ByStore(stores, v202503.Transactions),
//	}
//	http.Handle("/process", &payments.ProcessHandler{Callback: common, Process: cashier.Process})
//	http.Handle("/refunds", &payments.RefundHandler{Callback: common, Refund: cashier.Refund})
//	http.Handle("/cancel", &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel})
//	go cashier.Run(ctx) // in each replica
//
// It has three operations:
//
//   - Process takes a payment with Charge, and reports a transaction.
//   - Refund refunds a part of a payment with Repay, and reports an event.
//   - Cancel ends an attempt. An attempt that was not charged yet is never charged. Otherwise Void releases or returns
//     the rest of the money, and Cancel reports an event.
//
// Each operation has an entry in the [Ledger] with an idempotency key. The key of a payment is derived from the store
// and the attempt. The key of a refund is derived from the store, the transaction and the number of earlier refunds by
// the cashier that the platform shows for the transaction. The key of a cancellation is derived from the attempt. So a
// ledger that was restored to an earlier state repeats no key of a refund that was reported.
//
// The message of each reported event begins with the key, because events have no id of the app. So the cashier
// recognizes its own events, even if the app itself reports one of the same amount. It requires that the platform
// returns messages [inferred]. If no event of a transaction has a key, the cashier does not guess: an operation fails,
// and Cashier.Stuck lists it, if an event that the app reported looks like the event of the operation. An app that
// reports the result of a cashier's operation itself calls [providers.EventInput.Of], so that it is recorded once.
//
// The states are:
//
//	state      what happened                        what happens next
//	begun      the call arrived                     after a crash, a replica calls the function with the same key
//	moved      the function returned an outcome     Run reports it, with CreateOrGet or CreateEventOrGet
//	reported   the platform has the record          a repeated call has the same answer
//	refused    Repay returned a RefundRefusal       an identical call has the same answer
//	cancelled  there was nothing to take or release the attempt is never charged
//	closed     an operator closed it                nothing: see Cashier.Settle
//
// If a replica has not changed its operation for a Lease, another replica takes it over. If the first replica was only
// suspended, it cannot move money again, because its key is the same. It cannot write either, because the entry has
// another version. A request whose response was lost can still take effect for a minute. If it was sent again
// meanwhile, the result would be recorded twice. So reports of one operation are 90 seconds apart. One case remains: a
// process that is suspended for longer, just before it sends its report, can send a second one.
//
// Before money is returned or released, the cashier reads the transaction, including the events that the app itself
// reported. Its amounts, currency and state decide: at most the captured amount less refunds is returned, and a
// cancellation is a void or a refund. If the transaction cannot be read, no money moves, and the error is
// ErrInProgress. Refunds and cancellations of an order exclude each other in all replicas until they are reported.
//
// A payment and its cancellation can reach two replicas in any order. Each replica first stores its own entry and then
// looks for the other one, so at least one sees the other. The entry also records that Charge is about to be called. If
// this record is missing, the cancellation ends the payment. Otherwise the payment is completed first. So if a replica
// crashed in Charge, Charge is called again with Payment.Cancelled to find the outcome.
//
// Cashier.Unreported yields operations that have moved money and are not reported yet, for an alert. A [Failure]
// contains the attempt or transaction. A store whose functions hang does not delay other stores: see Cashier.Visits.
//
// Cashier.Stuck yields operations that have failed repeatedly, with the transaction and the steps to complete them by
// hand. After three days, Run repeats none of them until a person calls Cashier.Resume. If the outcome of a function is
// unknown, Run stops after only 20 hours, because processors forget idempotency keys. Cashier.Settle closes an
// operation that a person has completed or reversed. Main is a command for Stuck, Resume and Settle, such as "myapp
// cashier stuck".
//
// Without a cashier, the functions of the handlers must do all of this. The example of
// [RefundHandler] named "journal" shows how.
//
// # Guarantees
//
// Before anything is sent, an input that violates the contract is rejected. The error wraps client.ErrValidation and
// names the field, the value and the rule. Amounts are exact, and [providers.InstallmentRules.Allowed] does not round.
//
// Except for refreshes and reviews, a function of the app is called only if the call was recently signed for this URL.
// A refresh is not signed, and the URL of a review has a signature of the app. The call is answered within 18 of the
// platform's 20 seconds, even if the function is slow. The contract specifies no timeout for refunds and refreshes, and
// 20 seconds are [inferred].
//
// Members that the contract does not have may have any form. Money depends on all others: a member in a form without a
// clear meaning is answered 400, and the error names it.
//
// Concurrent equal calls are one run. A call that is resent unchanged to the same process is not executed again while
// it is among the last 100,000. A Cashier with a Ledger extends that to all replicas and to any time. The platform
// gives refunds no id: see Cashier.Refund for the detection of repeated calls. A cancellation contains the attempt
// and no store: see Cashier.Cancel.
//
// Secrets are sent only to the platform. They are not visible in printed values or in errors, even if the platform's
// response contains them.
//
// # Serving
//
// A public URL requires a server with timeouts, such as webhook.Server. Its WriteTimeout of 5 seconds is for
// webhooks, and would lose slower answers. Handlers of payments require 20 seconds or more:
//
//	server := webhook.Server(":8080", mux)
//	server.WriteTimeout = payments.AnswerTime
//
// # See also
//
// Chargebacks are in package disputes. Charges of merchants for an app are in package client (Plan, AppSubscription,
// Charge). The program examples/paymentapp is a complete app.
package payments
