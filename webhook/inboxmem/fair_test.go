package inboxmem_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// A store that floods, fails, is slow or hangs does not keep another one waiting. The log says how long that waits.
func TestFair(t *testing.T) {
	for _, n := range bench.Neighbours(20_000) {
		t.Run(n.Name, func(t *testing.T) { bench.Beside(t, open(t, 0), n, 20) })
	}
}
