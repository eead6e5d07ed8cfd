package apptables

import (
	"database/sql"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/ratestest"
)

func TestRates(t *testing.T) {
	t.Parallel()
	address := newDatabase(t)
	ratestest.Run(t, func() *sql.DB { return opened(t, address) })
}
