package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// An outage must not be made worse: 64 workers call for five minutes and get nothing but 503.
func TestOutageIsNotAmplified(t *testing.T) {
	const workers, outage = 64, 5 * time.Minute
	for name, protected := range map[string]bool{"with the breaker": true, "with the quota alone": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var down atomic.Bool
				var sent, calls, first, opened atomic.Int64
				down.Store(true)
				mock := hostile.RoundTripper(func(*http.Request) (*http.Response, error) {
					sent.Add(1)
					resp := httpmock.NewStringResponse(http.StatusOK, `{}`)
					resp.Header.Set("X-Rate-Limit-Limit", "4000") // the bucket would hide what the quota does
					resp.Header.Set("X-Rate-Limit-Remaining", "4000")
					if down.Load() {
						resp.StatusCode = http.StatusServiceUnavailable
					}
					return resp, nil
				})
				c := newTest(t, mock, func(c *Config) { c.MaxWait, c.Total = time.Hour, time.Hour })
				if !protected {
					c.breaker.origin = gobreaker.NewCircuitBreaker[*http.Response](gobreaker.Settings{ReadyToTrip: func(gobreaker.Counts) bool { return false }})
				}
				until := time.Now().Add(outage)
				var wg sync.WaitGroup
				for range workers {
					wg.Go(func() {
						for time.Now().Before(until) {
							err := c.Do(t.Context(), Request{Path: "/store"}, nil)
							calls.Add(1)
							var e *Error
							switch {
							case errors.Is(err, condition.ErrCircuitOpen):
								opened.Add(1)
							case !errors.Is(err, ErrServer):
								t.Errorf("got %v, want the 503 or an open circuit", err)
							}
							if errors.As(err, &e) && e.Attempts > 0 {
								first.Add(1)
							}
							time.Sleep(2 * time.Second)
						}
					})
				}
				time.Sleep(outage / 5)
				synctest.Wait()
				early := runtime.NumGoroutine()
				time.Sleep(outage * 3 / 5)
				synctest.Wait()
				if late := runtime.NumGoroutine(); late > early {
					t.Errorf("%d goroutines after a minute, %d after four", early, late)
				}
				wg.Wait()
				retries := sent.Load() - first.Load()
				t.Logf("%d calls, %d requests, %d of them retries; %d calls met an open circuit", calls.Load(), sent.Load(), retries, opened.Load())
				if calls.Load() < workers*100 || retries > quotaSize+calls.Load()/10 {
					t.Errorf("%d retries for %d calls, want at most %d", retries, calls.Load(), quotaSize+calls.Load()/10)
				}
				if protected && sent.Load() > calls.Load()/10 {
					t.Errorf("%d requests for %d calls, want that the circuit opens", sent.Load(), calls.Load())
				}
				down.Store(false)
				time.Sleep(breakerRest + time.Second)
				for range breakerProbes + 1 {
					if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
						t.Errorf("after the outage: %v", err)
					}
				}
			})
		})
	}
}

// A token that is refused however often it is replaced: a call is repeated once with the next one.
func TestRefusedTokensAreReplacedOnce(t *testing.T) {
	for method, want := range map[string]int{"GET": 2, "POST": 2, "PUT": 2, "PATCH": 2, "DELETE": 2} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var tokens atomic.Int64
			seen := map[string]int{} // requests by path, which is another one for each call
			refusing := hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				seen[r.URL.Path]++
				resp := httpmock.NewStringResponse(http.StatusUnauthorized, `{"code":401,"message":"Unauthorized","description":null}`)
				resp.Header.Set("X-Rate-Limit-Limit", "4000")
				resp.Header.Set("X-Rate-Limit-Remaining", "4000")
				return resp, nil
			})
			c := newTest(t, refusing, func(c *Config) {
				c.Attempts = 10
				c.Token = func(context.Context) (*oauth2.Token, error) {
					return &oauth2.Token{AccessToken: fmt.Sprint("t", tokens.Add(1))}, nil
				}
			})
			ask := func(id int) {
				err := c.Do(t.Context(), Request{Method: method, Path: "/products/{id}", Args: []any{id}}, nil)
				if !errors.Is(err, ErrUnauthorized) {
					t.Errorf("%s: got %v, want the 401", method, err)
				}
			}
			ask(1) // alone, and then with 63 others
			var wg sync.WaitGroup
			for id := 2; id <= 65; id++ {
				wg.Go(func() { ask(id) })
			}
			wg.Wait()
			for path, n := range seen {
				if n != want {
					t.Errorf("%s %s: %d requests, want %d", method, path, n, want)
				}
			}
			if len(seen) != 65 {
				t.Errorf("%s: %d calls sent a request, want 65", method, len(seen))
			}
		})
	}
}

// A store that asks for ten times as much as others costs only itself.
func TestStoresDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const modest, greedy, workers = 60, 580, 4 // 1,000 calls of 8 stores by 64 workers
		began := time.Now()
		servers := map[int64]*bucketServer{}
		for store := int64(1); store <= 8; store++ {
			servers[store] = &bucketServer{size: bucketSize, at: began, began: began, starts: map[time.Duration]int{}}
		}
		took := make([]time.Duration, 0, 8)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for store := range servers {
			wg.Go(func() {
				calls, by := modest, workers
				if store == 1 {
					calls, by = greedy, 64-7*workers
				}
				askStore(t, newTest(t, servers[store], patient), store, calls, by)
				mu.Lock()
				defer mu.Unlock()
				if store != 1 {
					took = append(took, time.Since(began))
				}
			})
		}
		wg.Wait()
		slices.Sort(took)
		sent := 0
		for _, s := range servers {
			sent += s.sent
		}
		t.Logf("1,000 calls, %d requests; the modest stores took %v to %v, the greedy one %v", sent, took[0], took[len(took)-1], time.Since(began))
		if slowest, median := took[len(took)-1], took[len(took)/2]; slowest > 2*median || sent > 1100 {
			t.Errorf("the slowest store took %v where the median is %v, in %d requests; want twice as long at most, and at most 1,100", slowest, median, sent)
		}
		if ideal := time.Duration(modest-bucketSize) * bucketDrain / bucketSize; took[len(took)-1] > ideal+2*time.Second {
			t.Errorf("a modest store took %v beside a greedy one, want little more than %v", took[len(took)-1], ideal)
		}
	})
}

// patient lets calls wait for the rate limit.
func patient(c *Config) { c.MaxWait, c.Total = time.Minute, time.Minute }

// askStore makes the calls of one store.
func askStore(t *testing.T, c *Core, store int64, calls, workers int) {
	left := atomic.Int64{}
	left.Store(int64(calls))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
					t.Errorf("store %d: %v", store, err)
				}
			}
		})
	}
	wg.Wait()
}

// bucketServer is the platform's leaky bucket.
type bucketServer struct {
	mu           sync.Mutex
	size         int
	level        float64
	at           time.Time
	sent, denied int
	starts       map[time.Duration]int
	began        time.Time
}

func (b *bucketServer) RoundTrip(*http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	rate := float64(b.size) / 20
	b.level, b.at = max(0, b.level-now.Sub(b.at).Seconds()*rate), now
	b.sent++
	b.starts[now.Sub(b.began).Truncate(time.Millisecond)]++
	code := 200
	if b.level+1 > float64(b.size)+1e-6 {
		b.denied++
		code = 429
	} else {
		b.level++
	}
	resp := httpmock.NewStringResponse(code, `{}`)
	resp.Header.Set("X-Rate-Limit-Limit", fmt.Sprint(b.size))
	resp.Header.Set("X-Rate-Limit-Remaining", fmt.Sprint(int(float64(b.size)-b.level)))
	resp.Header.Set("X-Rate-Limit-Reset", fmt.Sprint(int(b.level/rate*1000)))
	return resp, nil
}

func TestBucketIsRespected(t *testing.T) {
	for _, size := range []int{40, 400} {
		synctest.Test(t, func(t *testing.T) {
			now := time.Now()
			server := &bucketServer{size: size, at: now, began: now, starts: map[time.Duration]int{}}
			c := newTest(t, server, func(c *Config) { c.MaxWait = time.Minute; c.Total = time.Minute })
			const calls, workers = 1000, 64
			work := make(chan struct{}, calls)
			for range calls {
				work <- struct{}{}
			}
			close(work)
			var failed atomic.Int32
			var wg sync.WaitGroup
			for range workers {
				wg.Go(func() {
					for range work {
						if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
							failed.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if least := time.Duration(calls-size) * 20 * time.Second / time.Duration(size); time.Since(now) > least+2*time.Second {
				t.Errorf("bucket of %d: took %v, want little more than the %v that the bucket costs", size, time.Since(now), least)
			}
			if failed.Load() > 0 || server.sent > calls*11/10 {
				t.Errorf("bucket of %d: %d calls failed, %d requests sent (%d denied); want 0 and at most %d", size, failed.Load(), server.sent, server.denied, calls*11/10)
			}
			for at, n := range server.starts { // other than those that the full bucket let through
				if at > time.Second && n > 1 && size == bucketSize {
					t.Errorf("%d requests started in the same millisecond, %v in", n, at)
				}
			}
		})
	}
}

// A client that starts while another process has filled the bucket learns that
// from the first answer.
func TestFullBucketIsNotRunInto(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		server := &bucketServer{size: 40, level: 39, at: now, began: now, starts: map[time.Duration]int{}}
		c := newTest(t, server)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 10 {
					if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if server.denied > 4 {
			t.Errorf("%d of %d requests met a full bucket, want at most the four that started together", server.denied, server.sent)
		}
	})
}

// Requests that are under way when an answer reports a larger bucket are still counted, and a call that waits for a
// place in the smaller one waits no longer.
func TestLargerBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter()
		var last pass
		for range bucketSize {
			l.opening.over = l.started > 0 // it knows the bucket
			p, err := l.wait(t.Context(), time.Minute, false)
			if err != nil {
				t.Fatal(err)
			}
			last = p
		}
		began := time.Now()
		waited := make(chan error)
		go func() {
			_, err := l.wait(t.Context(), time.Minute, false)
			waited <- err
		}()
		synctest.Wait()
		l.follow(last, Rate{Limit: 400, Remaining: 399}) // of which 39 are spoken for
		if err := <-waited; err != nil || time.Since(began) > 0 {
			t.Errorf("waited for %v, %v; want no longer than until the answer", time.Since(began), err)
		}
		if got := int(l.bucket.tokens); got != 359 {
			t.Errorf("%d requests may start, want 359", got)
		}
	})
}
