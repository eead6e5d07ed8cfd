package client

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"golang.org/x/oauth2"
)

// BenchmarkStores measures to make the clients of so many stores and to ask for each of them again, and
// reports what each store takes (B/store).
func BenchmarkStores(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				before := reachable()
				b.StartTimer()
				s := &Stores{
					Config: Config{BaseURL: "https://api.example", UserAgent: "Bench (bench@example.com)"}, Max: n,
					Tokens: func(context.Context, ID) (oauth2.TokenSource, error) {
						return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "token"}), nil
					},
				}
				for range 2 {
					for store := range ID(n) {
						if _, err := s.Client(b.Context(), store+1); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.StopTimer()
				b.ReportMetric(float64(reachable()-before)/float64(n), "B/store")
				runtime.KeepAlive(s)
				b.StartTimer()
			}
		})
	}
}

// reachable is what the heap holds.
func reachable() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
