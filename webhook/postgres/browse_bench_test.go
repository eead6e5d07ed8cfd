package postgres

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench/load"
)

// BenchmarkBrowse measures first pages of a million entries. Each mix takes half a minute to fill in.
func BenchmarkBrowse(b *testing.B) {
	for name, mix := range load.Mixes() {
		b.Run(name, func(b *testing.B) {
			in := open(b, database.URL(), Options{Queue: newQueue(b), Schema: newSchema(b), HighWater: 2_000_000})
			load.Fill(b, in, 1_000_000, mix)
			load.Browses(b, in)
		})
	}
}
