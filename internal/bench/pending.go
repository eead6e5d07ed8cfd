package bench

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Fill has so many entries pending in an inbox: those that entry makes of the numbers from 1 on.
func Fill(b *testing.B, in webhook.Inbox, pending int, entry func(n int64) webhook.Entry) {
	b.Helper()
	const group = 500
	for from := 0; from < pending; from += group {
		var entries []webhook.Entry
		for n := from; n < min(from+group, pending); n++ {
			entries = append(entries, entry(int64(n+1)))
		}
		if _, err := in.Accept(b.Context(), entries...); err != nil {
			b.Fatal(err)
		}
	}
}

// Lives accepts an entry and leases and commits one, again and again beside those that are pending, and reports
// what each half takes (accept-us, claim-us). It returns how many there were.
func Lives(b *testing.B, in webhook.Inbox, pending int, entry func(n int64) webhook.Entry) (lives int) {
	b.Helper()
	var accepting, claiming time.Duration
	for b.Loop() {
		lives++
		began := time.Now()
		if _, err := in.Accept(b.Context(), entry(int64(pending+lives))); err != nil {
			b.Fatal(err)
		}
		accepted := time.Now()
		leases, err := in.Lease(b.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
		if err != nil || len(leases) != 1 {
			b.Fatal(leases, err)
		}
		if _, err := in.Commit(b.Context(), leases[0]); err != nil {
			b.Fatal(err)
		}
		accepting, claiming = accepting+accepted.Sub(began), claiming+time.Since(accepted)
	}
	b.ReportMetric(float64(accepting.Microseconds())/float64(lives), "accept-us")
	b.ReportMetric(float64(claiming.Microseconds())/float64(lives), "claim-us")
	return lives
}
