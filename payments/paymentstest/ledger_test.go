package paymentstest_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

func TestMemoryLedger(t *testing.T) {
	ledgers := map[string]*payments.MemoryLedger{} // by test
	paymentstest.RunLedger(t, func(t *testing.T) payments.Ledger {
		if ledgers[t.Name()] == nil {
			ledgers[t.Name()] = &payments.MemoryLedger{}
		}
		return ledgers[t.Name()]
	})
}
