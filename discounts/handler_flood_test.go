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
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// kinds are plans good and bad. Those that wait do so for a time that is longer than a budget.
func kinds(wait time.Duration) map[string]func(context.Context, *LinePlan) error {
	return map[string]func(context.Context, *LinePlan) error{
		"fast": half,
		"slow": func(ctx context.Context, p *LinePlan) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(wait):
				return half(ctx, p)
			}
		},
		"deaf": func(ctx context.Context, p *LinePlan) error {
			<-time.After(wait)
			return half(ctx, p)
		},
		"panicking": func(context.Context, *LinePlan) error { panic("flood") },
		"computing": func(ctx context.Context, p *LinePlan) error {
			for n := 0; n < computing; n++ {
				sha256.Sum256(page[:])
			}
			return half(ctx, p)
		},
		"spinning": func(ctx context.Context, p *LinePlan) error {
			for began := time.Now(); time.Since(began) < wait; {
			}
			return half(ctx, p)
		},
	}
}

const callers = 64

// computing pages are hashed in some 20 ms of a processor.
const computing = 2000

var page [4096]byte

// In a bubble time is exact: with whatever plan, everything is answered when it is due, and what is still at work then
// is gone within six seconds.
func TestCallersInTheBubble(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	for name, plan := range kinds(5 * time.Second) {
		if name == "spinning" || name == "computing" { // time stands still for those
			continue
		}
		due := DefaultBudget
		if name == "fast" {
			due = 60 * time.Millisecond
		}
		for _, policy := range []Policy{PolicyKeep, PolicyRemoveOwn} {
			synctest.Test(t, func(t *testing.T) {
				p := newProbe(t, Plans{LineItems: plan}, func(h *Handler) { h.Late = policy })
				defer p.Registry.Close()
				if err := p.Registry.Refresh(t.Context(), 123); err != nil {
					t.Fatal(err)
				}
				before := runtime.NumGoroutine()
				var wg sync.WaitGroup
				for range callers {
					wg.Go(func() {
						for range 5 {
							began := time.Now()
							w := post(p, cart)
							if took := time.Since(began); took > due || w.Code != 200 && w.Code != 204 || policy == PolicyRemoveOwn && w.Code != 200 {
								t.Errorf("%s: %d after %v", name, w.Code, took)
							}
						}
					})
				}
				wg.Wait()
				time.Sleep(6 * time.Second)
				synctest.Wait()
				if n := p.server.Runs.Running(); n > 0 {
					t.Errorf("%s: %d plans are still there", name, n)
				}
				if n := runtime.NumGoroutine(); n > before+2 {
					t.Errorf("%s: %d goroutines, %d before", name, n, before)
				}
			})
		}
	}
}

// Over real sockets and in real time, with plans that burn both processors too. Only what
// is answered is asserted; the times are for those who read them.
func TestProofFlood(t *testing.T) {
	for _, name := range []string{"fast", "slow", "deaf", "panicking", "computing", "spinning", "all together"} {
		flood(t, name)
	}
}

func flood(t *testing.T, name string) {
	leaks := goleak.IgnoreCurrent()
	all := kinds(800 * time.Millisecond)
	names := []string{"fast", "slow", "deaf", "panicking", "computing", "spinning"}
	var turn atomic.Int64
	h := &Handler{
		Guarded: true,
		Plans: Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
			if plan, ok := all[name]; ok {
				return plan(ctx, p)
			}
			return all[names[int(turn.Add(1))%len(names)]](ctx, p)
		}},
		Registry:  always(t, readCorpus(t).Promotions...),
		OnFailure: func(context.Context, *Failure) {},
	}
	if err := h.Registry.Refresh(t.Context(), 123); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	transport := &http.Transport{MaxIdleConnsPerHost: callers}
	times, statuses := volley(t, &http.Client{Transport: transport}, server.URL, tier.Size(50*time.Millisecond, 500*time.Millisecond, 30*time.Second))
	transport.CloseIdleConnections()
	server.Close()
	for h.server.Runs.Running() > 0 { // until every plan has ended
		runtime.Gosched()
	}
	if err := h.Registry.Close(); err != nil {
		t.Error(err)
	}
	goleak.VerifyNone(t, leaks)

	for status := range statuses {
		if status != 200 && status != 204 {
			t.Errorf("%s: answered %d", name, status)
		}
	}
	if name == "fast" && statuses[200] == 0 {
		t.Errorf("%s: answers %v", name, statuses)
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
