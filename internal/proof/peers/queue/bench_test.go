package queue

import (
	"path/filepath"
	"slices"
	"testing"
)

// BenchmarkPostgres measures each queue in a PostgreSQL of its own, with fsync and synchronous_commit on.
func BenchmarkPostgres(b *testing.B) {
	for _, s := range scenarios {
		for _, p := range postgresPeers {
			b.Run(s.name+"/"+p.name, func(b *testing.B) {
				measure(b, s, func(b *testing.B) *underTest {
					pool := database.pool(b, connections)
					q, err := p.open(b.Context(), pool)
					if err != nil {
						b.Fatal(err)
					}
					return serve(b, q, newLog(b, pool))
				})
			})
		}
	}
}

// BenchmarkSQLite measures each queue in a file, with synchronous=FULL.
func BenchmarkSQLite(b *testing.B) {
	for _, s := range scenarios {
		for _, p := range sqlitePeers {
			b.Run(s.name+"/"+p.name, func(b *testing.B) {
				measure(b, s, func(b *testing.B) *underTest {
					q, err := p.open(b.Context(), filepath.Join(b.TempDir(), "queue.db"))
					if err != nil {
						b.Fatal(err)
					}
					return serve(b, q, nil)
				})
			})
		}
	}
}

// measure reports the medians of what the scenario measures.
func measure(b *testing.B, s scenario, open func(*testing.B) *underTest) {
	u := open(b)
	all := map[string][]float64{}
	for b.Loop() {
		for unit, value := range s.measure(b, u) {
			all[unit] = append(all[unit], value)
		}
	}
	for unit, values := range all {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], unit)
	}
	b.ReportMetric(0, "ns/op")
}
