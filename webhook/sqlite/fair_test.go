package sqlite_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A store that floods, fails, is slow or hangs does not keep another one waiting. The log says how long that waits.
func TestProofFair(t *testing.T) {
	t.Parallel()
	for _, n := range bench.Neighbours(tier.Size(1000, 1000, 20_000)) {
		t.Run(n.Name, func(t *testing.T) { bench.Among(t, inbox(t, file(t), sqlite.Options{}), n, tier.Size(2, 20, 500)) })
	}
}
