package postgres

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// A store that floods, fails, is slow or hangs does not keep another one waiting. The log says how long that waits.
func TestProofFair(t *testing.T) {
	backlog, quiet := 1000, 20
	if *soak {
		backlog, quiet = 20_000, 500
	}
	for _, n := range bench.Neighbours(backlog) {
		t.Run(n.Name, func(t *testing.T) { bench.Beside(t, open(t, database.URL(), Options{Queue: newQueue(t)}), n, quiet) })
	}
}
