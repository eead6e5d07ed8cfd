package apptables

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/internal/proof/multistoretest"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

func TestMultistore(t *testing.T) {
	t.Parallel()
	multistoretest.Run(t, func(t *testing.T) multistore.Database {
		// Another inbox would remember the events of an earlier run of the test.
		inbox, err := postgres.OpenURL(t.Context(), newDatabase(t), postgres.Options{Queue: strings.ToLower(rand.Text())})
		if err != nil {
			t.Fatal(err)
		}
		return inbox
	})
}
