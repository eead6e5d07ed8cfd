// Package ledgertest has the rules of payments.Ledger as tests, for ledgers of your own:
//
//	func TestLedger(t *testing.T) {
//		ledgertest.Run(t, func(t *testing.T) payments.Ledger { return open(t) })
//	}
package ledgertest
