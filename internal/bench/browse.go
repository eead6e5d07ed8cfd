package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Mixes are what an inbox may hold when somebody looks at it.
func Mixes() map[string]func(n int64) webhook.Entry {
	entry := func(n, store int64) webhook.Entry {
		key := fmt.Sprintf("%s%s %d", webhook.Prefix("", client.ID(store)), webhook.OrderUpdated.Name, n)
		return webhook.Entry{
			Key: key, Lane: key, Kind: webhook.KindSignal, Event: webhook.OrderUpdated.Name, StoreID: client.ID(store),
			Body: fmt.Appendf(nil, `{"store_id":%d,"event":"order/updated","id":%d}`, store, n),
		}
	}
	return map[string]func(n int64) webhook.Entry{
		"all pending": func(n int64) webhook.Entry { return entry(n, 123) },
		"all dead with one cause": func(n int64) webhook.Entry {
			e := entry(n, 123)
			e.Unhandled = fmt.Sprintf("GET /orders/%d: 503", 10_000_000+n)
			return e
		},
		"10,000 stores": func(n int64) webhook.Entry {
			e := entry(n, 1+n%10_000)
			if n%3 == 0 {
				e.Unhandled = fmt.Sprintf("GET /orders/%d: %d", 10_000_000+n, 400+n%5)
			}
			return e
		},
	}
}

// Browses reports how long the first page of the slowest of many filters takes (page-ms), and how long all groups take
// to count (groups-ms).
func Browses(b *testing.B, in webhook.Browser) {
	b.Helper()
	filters := []webhook.EntryFilter{
		{}, {Event: client.Set(webhook.OrderUpdated.Name)}, {Event: client.Set(webhook.Name("product/created"))},
		{Until: time.Now().Add(-time.Hour)}, {KeyPrefix: webhook.Prefix("", 123)}, {KeyPrefix: "no such key"},
		{Cause: client.Set("GET /orders/10000003: 503")}, {Cause: client.Set("no such cause")},
	}
	for _, state := range webhook.EntryStates() {
		for _, store := range []client.ID{1, 123, 77_777} {
			filters = append(filters, webhook.EntryFilter{State: state},
				webhook.EntryFilter{State: state, Store: client.Set(store)},
				webhook.EntryFilter{State: state, Store: client.Set(store), KeyPrefix: webhook.Prefix("", store)},
				webhook.EntryFilter{State: state, Cause: client.Set("no such cause")})
		}
	}
	fastest := make([]time.Duration, len(filters)) // of each: what else runs on the machine does not count
	var counting time.Duration
	for b.Loop() {
		for i, f := range filters {
			began := time.Now()
			if _, err := in.Browse(b.Context(), webhook.BrowseQuery{Filter: f, Limit: 50}); err != nil {
				b.Fatal(err)
			}
			fastest[i] = shorter(fastest[i], time.Since(began))
		}
		began := time.Now()
		if _, err := in.Groups(b.Context(), webhook.EntryFilter{}); err != nil {
			b.Fatal(err)
		}
		counting = shorter(counting, time.Since(began))
	}
	slowest := 0
	for i := range fastest {
		if fastest[i] > fastest[slowest] {
			slowest = i
		}
	}
	b.Logf("slowest first page: %v of %+v", fastest[slowest], filters[slowest])
	b.ReportMetric(float64(fastest[slowest].Microseconds())/1000, "page-ms")
	b.ReportMetric(float64(counting.Milliseconds()), "groups-ms")
}

// shorter returns the shorter of two times, of which the first may not be known yet.
func shorter(known, d time.Duration) time.Duration {
	if known == 0 {
		return d
	}
	return min(known, d)
}
