package shards

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkRouting compares accept, lease and commit through shards with the same on one inbox, in turns.
func BenchmarkRouting(b *testing.B) {
	open := func(name string) inboxshards.Engine {
		path := filepath.Join(b.TempDir(), name+".db")
		in, err := sqlite.Open(b.Context(), path, sqlite.Options{Sync: sqlite.Normal, AllowLossy: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = in.Close() })
		return in
	}
	over := func(names ...string) webhook.Inbox {
		var o inboxshards.Options
		for _, name := range names {
			o.Shards = append(o.Shards, inboxshards.Shard{Name: name, Inbox: open(name)})
		}
		in, err := inboxshards.New(o)
		if err != nil {
			b.Fatal(err)
		}
		return in
	}
	all := []webhook.Inbox{open("alone"), over("a"), over(four...)}
	took := make([][]time.Duration, len(all))
	for n := 0; b.Loop(); n++ {
		for i := range all {
			at := (n + i) % len(all) // each is first as often as the others
			began := time.Now()
			through(b, all[at], n)
			took[at] = append(took[at], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	median := func(i int) float64 { return float64(took[i][len(took[i])/2]) }
	b.ReportMetric(median(1)/median(0), "one-of-alone")
	b.ReportMetric(median(2)/median(0), "four-of-alone")
}

// through accepts, leases and commits the entries of 16 stores.
func through(b *testing.B, in webhook.Inbox, n int) {
	var entries []webhook.Entry
	for store := range client.ID(16) {
		entries = append(entries, webhook.Entry{StoreID: store, Lane: fmt.Sprint(store), Kind: webhook.KindSignal,
			Event: "product/updated", Key: webhook.Prefix("app", store) + fmt.Sprint("product/updated:", n),
			Body: make([]byte, 200)})
	}
	for _, e := range entries {
		if _, err := in.Accept(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
	for left := len(entries); left > 0; {
		leases, err := in.Lease(b.Context(), webhook.LeaseQuery{Limit: left, Term: time.Minute})
		if err != nil {
			b.Fatal(err)
		}
		for _, l := range leases {
			if _, err := in.Commit(b.Context(), l); err != nil {
				b.Fatal(err)
			}
		}
		left -= len(leases)
	}
}
