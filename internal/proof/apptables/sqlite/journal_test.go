package apptables

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/journaltest"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, journaltest.Database{New: newDatabase, Connect: connect})
}
