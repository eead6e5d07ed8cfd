package postgres

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// BenchmarkBrowse measures first pages of a million entries. Each mix takes half a minute to fill in.
func BenchmarkBrowse(b *testing.B) {
	for name, mix := range bench.Mixes() {
		b.Run(name, func(b *testing.B) {
			in := open(b, database.URL(), Options{Queue: newQueue(b), Schema: newSchema(b), HighWater: 2_000_000})
			bench.Fill(b, in, 1_000_000, mix)
			bench.Browses(b, in)
		})
	}
}
