package sqlite_test

import (
	"testing"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A store that floods, fails, is slow or hangs does not keep another one waiting. The log says how long that waits.
func TestProofFair(t *testing.T) {
	for _, n := range bench.Neighbours(size(1000, 20_000)) {
		t.Run(n.Name, func(t *testing.T) { bench.Beside(t, inbox(t, file(t), sqlite.Options{}), n, size(20, 500)) })
	}
}
