package postgres

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// A store that floods, fails, is slow or hangs does not keep another one waiting. The log says how long that waits.
func TestProofFair(t *testing.T) {
	t.Parallel()
	backlog, quiet := tier.Size(1000, 1000, 20_000), tier.Size(2, 20, 500)
	for _, n := range bench.Neighbours(backlog) {
		t.Run(n.Name, func(t *testing.T) { bench.Among(t, open(t, database.URL(), Options{Queue: newQueue(t)}), n, quiet) })
	}
}
