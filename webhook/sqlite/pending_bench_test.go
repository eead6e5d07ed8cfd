package sqlite_test

import (
	"fmt"
	"testing"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkPending measures accepts and claims (a lease and its commit) while so many other entries are pending. The
// largest number takes half a minute to fill in.
func BenchmarkPending(b *testing.B) {
	for _, pending := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			in := inbox(b, file(b), sqlite.Options{HighWater: 2_000_000})
			bench.Fill(b, in, pending, update)
			bench.Lives(b, in, pending, update)
		})
	}
}
