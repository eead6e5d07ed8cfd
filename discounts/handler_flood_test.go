package discounts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

const callers = 64

// burns are plans that use the processors.
var burns = map[string]func(context.Context, *LinePlan) error{
	"computing": func(ctx context.Context, p *LinePlan) error {
		var page [4096]byte
		for range 2000 { // some 20 ms of a processor
			sha256.Sum256(page[:])
		}
		return half(ctx, p)
	},
	"spinning": func(ctx context.Context, p *LinePlan) error {
		for began := time.Now(); time.Since(began) < 800*time.Millisecond; {
		}
		return half(ctx, p)
	},
}

// Over real sockets and in real time, with plans that use all processors, carts are answered 200 or 204, and nothing is
// left. The times are logged.
func TestProofFlood(t *testing.T) {
	for name := range burns {
		flood(t, name)
	}
}

func flood(t *testing.T, name string) {
	leaks := goleak.IgnoreCurrent()
	h := &Handler{
		Guarded: true, Plans: Plans{LineItems: burns[name]}, Promotions: always(t, readCorpus(t).Promotions...),
		OnFailure: func(context.Context, *Failure) {},
	}
	if err := h.Promotions.Refresh(t.Context(), 123); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	transport := &http.Transport{MaxIdleConnsPerHost: callers}
	times, statuses := volley(t, &http.Client{Transport: transport}, server.URL, tier.Size(50*time.Millisecond,
		500*time.Millisecond, 30*time.Second))
	transport.CloseIdleConnections()
	server.Close()
	for h.server.Runs.Running() > 0 { // until every plan has ended
		runtime.Gosched()
	}
	if err := h.Promotions.Close(); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, leaks)

	for status := range statuses {
		if status != 200 && status != 204 {
			t.Errorf("%s: answered %d", name, status)
		}
	}
	slices.Sort(times)
	at := func(share float64) time.Duration {
		return times[int(share*float64(len(times)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("%-12s %6d carts, %v: p50 %v, p99 %v, max %v", name, len(times), statuses, at(0.5), at(0.99), at(1))
}

// volley sends carts from many callers for some time.
func volley(t *testing.T, c *http.Client, url string, d time.Duration) (times []time.Duration, statuses map[int]int) {
	cart := readCorpus(t).Carts["line_item"]
	statuses = map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	end := time.Now().Add(d)
	for caller := range callers {
		wg.Go(func() {
			for n := 0; n == 0 || time.Now().Before(end); n++ {
				body := bytes.Replace(cart, []byte(`"7001"`), fmt.Appendf(nil, "\"%d\"", caller*1_000_000+n+1), 1)
				began := time.Now()
				r, err := c.Post(url, "application/json", bytes.NewReader(body))
				if err == nil {
					_, err = io.Copy(io.Discard, r.Body)
					_ = r.Body.Close()
				}
				took := time.Since(began)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				times = append(times, took)
				statuses[r.StatusCode]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return times, statuses
}
