package queue

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proof/peers/sender"
)

// BenchmarkMemory reports the time of processors that a delivery takes the server (cpu-us/req), net/http included.
func BenchmarkMemory(b *testing.B) {
	const deliveries = 20_000
	for _, p := range memoryPeers {
		b.Run(p.name, func(b *testing.B) {
			h, err := p.open()
			if err != nil {
				b.Fatal(err)
			}
			server := httptest.NewServer(h)
			defer server.Close()
			next := 0
			send := func(count int) {
				if _, err := sender.Send(b.Context(), sender.Job{URL: server.URL, First: next, Count: count}); err != nil {
					b.Fatal(err)
				}
				next += count
			}
			send(deliveries / 10)
			var all []float64
			for b.Loop() {
				began := bench.ProcessorTime()
				send(deliveries)
				all = append(all, float64((bench.ProcessorTime()-began).Microseconds())/deliveries)
			}
			slices.Sort(all)
			b.ReportMetric(all[len(all)/2], "cpu-us/req")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// The receivers that verify do so.
func TestMemory(t *testing.T) {
	for _, p := range memoryPeers[:2] {
		h, err := p.open()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			signature string
			status    int
		}{{"", http.StatusOK}, {"0", http.StatusUnauthorized}} {
			if status := deliver(h, 0, c.signature); status != c.status {
				t.Errorf("%s: signature %q: status %d, want %d", p.name, c.signature, status, c.status)
			}
		}
	}
}
