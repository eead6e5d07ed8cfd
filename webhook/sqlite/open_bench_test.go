package sqlite_test

import (
	"testing"
	"time"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkOpen measures how long it takes to open a file with a million pending entries, with its pages in the cache
// of the system and without. It takes a minute to fill in.
func BenchmarkOpen(b *testing.B) {
	path := file(b)
	in, err := sqlite.Open(b.Context(), path, sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bench.Fill(b, in, 1_000_000, update)
	if err := in.Close(); err != nil {
		b.Fatal(err)
	}
	for _, cached := range []bool{true, false} {
		name := map[bool]string{true: "cached", false: "cold"}[cached]
		b.Run(name, func(b *testing.B) {
			var took []float64
			for b.Loop() {
				if !cached {
					uncache(b, path)
				}
				began := time.Now()
				in, err := sqlite.Open(b.Context(), path, sqlite.Options{})
				if err != nil {
					b.Fatal(err)
				}
				took = append(took, float64(time.Since(began).Microseconds())/1000)
				if err := in.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(middle(took), "open-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
