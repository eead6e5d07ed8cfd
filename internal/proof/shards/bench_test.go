package shards

import (
	"context"
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

// BenchmarkRouting compares accept, lease and commit through shards with the same on one inbox, in turns, and on four
// inboxes without routing. Those four write as many files as four shards, so the difference is the cost of routing.
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
	over := func(names ...string) *inboxshards.Inbox {
		var o inboxshards.Options
		for _, name := range names {
			o.Shards = append(o.Shards, inboxshards.Shard{Name: name, Inbox: open(name)})
		}
		in, err := inboxshards.Open(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		return in
	}
	all := []webhook.Inbox{open("alone"), over("a"), over(four...), byHand(b, over(four...))}
	took := make([][]time.Duration, len(all))
	for n := 0; b.Loop(); n++ {
		for i := range all {
			at := (n + i) % len(all) // each is first as often as the others
			began := time.Now()
			through(b, all[at], n)
			took[at] = append(took[at], time.Since(began))
		}
	}
	b.ReportMetric(ratio(took[1], took[0]), "one-of-alone")
	b.ReportMetric(ratio(took[2], took[0]), "four-of-alone")
	b.ReportMetric(ratio(took[2], took[3]), "four-of-by-hand")
}

// ratio returns the median of the ratios of times that were measured one after the other.
func ratio(of, by []time.Duration) float64 {
	var all []float64
	for i := range of {
		all = append(all, float64(of[i])/float64(by[i]))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// hand is four inboxes without routing. The inbox of each store is known.
type hand struct {
	webhook.Inbox
	of  map[client.ID]webhook.Inbox
	all []webhook.Inbox
}

func byHand(b *testing.B, in *inboxshards.Inbox) hand {
	h := hand{of: map[client.ID]webhook.Inbox{}}
	for store := range client.ID(owned) {
		at := in.InboxOf(webhook.Lease{Entry: webhook.Entry{StoreID: store}})
		if h.of[store] = at; !slices.Contains(h.all, at) {
			h.all = append(h.all, at)
		}
	}
	if len(h.all) != len(four) {
		b.Fatalf("the stores have %d inboxes", len(h.all))
	}
	return h
}

func (h hand) Accept(ctx context.Context, all ...webhook.Entry) ([]webhook.Outcome, error) {
	return h.of[all[0].StoreID].Accept(ctx, all...)
}

func (h hand) Lease(ctx context.Context, q webhook.LeaseQuery) (leases []webhook.Lease, err error) {
	limit := q.Limit
	for _, in := range h.all {
		if q.Limit = limit - len(leases); q.Limit > 0 && err == nil {
			var some []webhook.Lease
			some, err = in.Lease(ctx, q)
			leases = append(leases, some...)
		}
	}
	return leases, err
}

func (h hand) Commit(ctx context.Context, l webhook.Lease) (bool, error) {
	return h.of[l.StoreID].Commit(ctx, l)
}

const owned = 64 // stores

// through accepts, leases and commits the entries of the next 16 stores.
func through(b *testing.B, in webhook.Inbox, n int) {
	var entries []webhook.Entry
	for i := range 16 {
		store := client.ID((16*n + i) % owned)
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
		leases, err := in.Lease(b.Context(), webhook.LeaseQuery{Limit: left, Term: time.Hour})
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
