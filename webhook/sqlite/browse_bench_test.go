package sqlite_test

import (
	"testing"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkBrowse measures first pages of a million entries. Each mix takes half a minute to fill in.
func BenchmarkBrowse(b *testing.B) {
	for name, mix := range bench.Mixes() {
		b.Run(name, func(b *testing.B) {
			in := inbox(b, file(b), sqlite.Options{HighWater: 2_000_000})
			bench.Fill(b, in, 1_000_000, mix)
			bench.Browses(b, in)
		})
	}
}
