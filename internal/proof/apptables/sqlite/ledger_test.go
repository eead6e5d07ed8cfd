package apptables

import (
	"database/sql"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/ledgerproof"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

func TestLedger(t *testing.T) {
	t.Parallel()
	addresses := map[string]string{} // by test
	paymentstest.RunLedger(t, func(t *testing.T) payments.Ledger {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = newDatabase(t)
		}
		l := &sqlledger.Ledger{DB: opened(t, addresses[t.Name()])}
		if err := l.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		return l
	})
}

func TestLedgerOperates(t *testing.T) {
	t.Parallel()
	address := newDatabase(t)
	ledgerproof.Operate(t, func() *sql.DB { return opened(t, address) })
}

func TestProofLedger(t *testing.T) {
	t.Parallel()
	ledgerproof.Run(t, ledgerproof.Database{New: newDatabase, Connect: connect})
}
