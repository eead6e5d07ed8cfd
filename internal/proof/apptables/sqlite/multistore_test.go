package apptables

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/internal/proof/multistoretest"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

func TestMultistore(t *testing.T) {
	t.Parallel()
	multistoretest.Run(t, func(t *testing.T) multistore.Database {
		inbox, err := sqlite.Open(t.Context(), newDatabase(t), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return inbox
	})
}
