package ledgertest

import (
	"testing"

	"github.com/commerceplatform/commerce-go/payments"
)

func TestMemoryLedger(t *testing.T) {
	ledgers := map[string]*payments.MemoryLedger{} // by test
	Run(t, func(t *testing.T) payments.Ledger {
		if ledgers[t.Name()] == nil {
			ledgers[t.Name()] = &payments.MemoryLedger{}
		}
		return ledgers[t.Name()]
	})
}
