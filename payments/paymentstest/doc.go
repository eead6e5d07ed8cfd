// Package paymentstest records the platform's calls to a payment app, with the answers, and replays them, signed with
// a key of the test.
//
//	recorder := &paymentstest.Recorder{Handler: mux, Out: file} // in production
//
//	app := paymentstest.Sender{Handler: changed, Key: key}
//	err := paymentstest.Replay(ctx, file, app, func(r paymentstest.Result) error {
//		for _, change := range r.Changes {
//			t.Errorf("%s %s: %s", r.Record.Operation, r.Record.Target, change)
//		}
//		return nil
//	})
//
// Replay only to an app in a test environment, because an app that moves money moves it again. A recording contains
// neither secrets nor personal data: see [Recorder]. [Replay] compares the meaning of answers. [Sign] signs a call as
// the platform does. The commands record and replay of internal/cmd/refserver do the same for an app in any language.
// This package can also read their files.
//
// [RunLedger] tests implementations of payments.Ledger:
//
//	func TestLedger(t *testing.T) {
//		paymentstest.RunLedger(t, func(t *testing.T) payments.Ledger { return open(t) })
//	}
//
// [Bank] simulates a processor with idempotency keys, failures before and after it has moved money, and late answers:
//
//	bank := &paymentstest.Bank{}
//	cashier := &payments.Cashier{Charge: bank.Charge, Repay: bank.Repay, Void: bank.Void, Transactions: ofStore}
//
// # Guarantees
//
// A Recorder changes neither the call nor the answer. It writes the line after the handler has returned and before
// the end of the answer is sent, which takes less than a millisecond for a typical call. Only a Sender with a URL
// uses the network.
//
// # See also
//
// Package payments has the Cashier and the Ledger. The program examples/paymentapp takes payments with a Bank.
package paymentstest
