package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkPending measures accepts and claims (a lease and its commit) while so many other entries are pending. The
// largest number takes minutes to fill in: it wants -soak.
func BenchmarkPending(b *testing.B) {
	for _, pending := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			if pending > 100_000 && !*soak {
				b.Skip("run with -soak")
			}
			in := inbox(b, file(b), sqlite.Options{HighWater: 2_000_000})
			fill(b, in, pending)
			var accepting, claiming time.Duration
			ops := 0
			for b.Loop() {
				began := time.Now()
				if _, err := in.Accept(b.Context(), update(int64(pending+ops+1))); err != nil {
					b.Fatal(err)
				}
				accepted := time.Now()
				leases, err := in.Lease(b.Context(), 1, time.Minute)
				if err != nil || len(leases) != 1 {
					b.Fatal(leases, err)
				}
				if _, err := in.Commit(b.Context(), leases[0]); err != nil {
					b.Fatal(err)
				}
				accepting, claiming = accepting+accepted.Sub(began), claiming+time.Since(accepted)
				ops++
			}
			b.ReportMetric(float64(accepting.Microseconds())/float64(ops), "accept-us")
			b.ReportMetric(float64(claiming.Microseconds())/float64(ops), "claim-us")
		})
	}
}

// fill has so many entries pending, each of another record.
func fill(b *testing.B, in webhook.Inbox, pending int) {
	b.Helper()
	const group = 500
	for from := 0; from < pending; from += group {
		var entries []webhook.Entry
		for n := from; n < min(from+group, pending); n++ {
			entries = append(entries, update(int64(n+1)))
		}
		if _, err := in.Accept(b.Context(), entries...); err != nil {
			b.Fatal(err)
		}
	}
}
