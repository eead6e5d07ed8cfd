package apptables

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
)

var engine = statetest.Engine{New: newDatabase, Connect: connect, Files: filesOf}

func TestProofState(t *testing.T) {
	t.Parallel()
	statetest.Run(t, engine)
}
