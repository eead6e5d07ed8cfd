// Package ledgertest tests implementations of payments.Ledger:
//
//	func TestLedger(t *testing.T) {
//		ledgertest.Run(t, func(t *testing.T) payments.Ledger { return open(t) })
//	}
package ledgertest
