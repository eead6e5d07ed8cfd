package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A process alone makes its 40 calls at once, but for the few answers in which it learns that it is alone.
func TestBurstOfAProcessAlone(t *testing.T) {
	for trip, most := range map[time.Duration]time.Duration{0: 0, 100 * time.Millisecond: 600 * time.Millisecond, 10 * time.Second: 40 * time.Second} {
		t.Run(fmt.Sprint("answers take ", trip), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newPlatformBucket(t, time.Hour)
				c := newTest(t, hostile.RoundTripper(func(*http.Request) (*http.Response, error) {
					if trip > 0 {
						time.Sleep(trip)
					}
					return b.take(0), nil
				}))
				burst := func() {
					start := time.Now()
					var all sync.WaitGroup
					for range 40 {
						all.Go(func() {
							if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
								t.Error(err)
							}
						})
					}
					all.Wait()
					if took := time.Since(start); took > most || b.denied > 0 {
						t.Errorf("40 calls took %v and met %d times a full bucket, want %v at most, and never", took, b.denied, most)
					}
				}
				burst()
				time.Sleep(time.Minute)
				burst()
			})
		})
	}
}

// The others of a process learn what one of its calls was told. With a bucket that is full, the call that was refused
// and the other one wait for up to 16.3 s each, before an answer shows that there is room: the random part of an
// interval decides whether that is more than the default of MaxWait, and then the other call would be refused.
func TestTooManyRequestsHoldTheBucket(t *testing.T) {
	const maxWait = 40 * time.Second
	for name, test := range map[string]struct {
		denial func(*http.Request) (*http.Response, error)
		least  time.Duration // before another call is sent
		most   time.Duration
	}{
		"no headers":    {hostile.Refuses(429, "Retry-After", "5"), 5 * time.Second, 7 * time.Second},
		"full":          {hostile.Refuses(429, "Retry-After", "5", "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "0"), 5 * time.Second, 20 * time.Second},
		"absurd reset":  {hostile.Refuses(429, "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Reset", "9223372036854775807"), maxWait, maxWait},
		"another limit": {hostile.Refuses(429, "Retry-After", "5", "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "39"), 0, 0},
	} {
		good := hostile.Status(200, `{}`, "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "30")
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var denied, reads []time.Duration
				c := newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodGet {
						reads = append(reads, time.Since(start))
						return good(r)
					}
					if denied = append(denied, time.Since(start)); len(denied) == 1 {
						return test.denial(r)
					}
					return good(r)
				}), func(c *Config) { c.MaxWait = maxWait })
				var all sync.WaitGroup
				all.Go(func() {
					err := c.Do(t.Context(), Request{Method: "PATCH", Path: "/products/{product_id}/variants", Args: []any{1}, Body: 1}, nil)
					switch {
					case name == "absurd reset":
						if !errors.Is(err, ErrRateLimited) || len(denied) != 1 {
							t.Errorf("the call that was refused: %v after %d requests, want the 429", err, len(denied))
						}
					case err != nil || len(denied) != 2 || denied[1] < 5*time.Second || denied[1] > 17*time.Second:
						t.Errorf("the call that was refused: %v, sent at %v; want success 5 to 17 s later", err, denied)
					}
				})
				synctest.Wait()
				err := c.Do(t.Context(), Request{Path: "/store"}, nil)
				all.Wait()
				if err != nil || len(reads) != 1 || reads[0] < test.least || reads[0] > test.most {
					t.Errorf("another call: %v, sent at %v; want success, sent once after %v to %v", err, reads, test.least, test.most)
				}
			})
		})
	}
}

// A 429 spends neither an attempt nor the retry quota, and a call waits for as long as MaxWait says in all.
func TestTooManyRequestsAreNoAttempt(t *testing.T) {
	denial := hostile.Refuses(429, "Retry-After", "4")
	variants := hostile.Refuses(429, "Retry-After", "4", "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "30")
	for name, deny := range map[string]func(*http.Request) (*http.Response, error){"of the bucket": denial, "of variants": variants} {
		for _, test := range []struct {
			name     string
			script   []func(*http.Request) (*http.Response, error)
			attempts int // of Retry
			sent     int
			want     error
			made     int // by Error.Attempts
			least    time.Duration
			most     time.Duration
		}{
			{"one attempt", []func(*http.Request) (*http.Response, error){deny, deny, deny, hostile.Status(200, `{}`)}, 1, 4, nil, 0, 12 * time.Second, 15 * time.Second},
			{"then failures", []func(*http.Request) (*http.Response, error){deny, hostile.Status(503, `{}`), deny, hostile.Status(503, `{}`)}, 2, 4, ErrServer, 2, 8 * time.Second, 12 * time.Second},
			{"without an end", []func(*http.Request) (*http.Response, error){deny}, 1, 8, ErrRateLimited, 0, 20 * time.Second, 30 * time.Second},
		} {
			t.Run(name+", "+test.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := hostile.Answers(test.script...)
					c := newTest(t, s, func(c *Config) { c.Attempts = test.attempts })
					quota, start := c.quota.tenths, time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					err := c.Do(ctx, Request{Method: "POST", Path: "/products", Retry: AbsolutePut, Body: 1}, nil)
					took := time.Since(start)
					e := new(Error)
					if !errors.Is(err, test.want) || errors.As(err, &e) && e.Attempts != test.made || took < test.least || took > test.most {
						t.Errorf("%v after %v, %d attempts; want %v after %v to %v, %d attempts", err, took, e.Attempts, test.want, test.least, test.most, test.made)
					}
					if test.sent != 8 && len(s.Seen) != test.sent || len(s.Seen) > test.sent {
						t.Errorf("sent %d times, want %d", len(s.Seen), test.sent)
					}
					if spent := quota - c.quota.tenths; spent != max(0, test.made-1)*10 {
						t.Errorf("spent %d tenths of retries", spent)
					}
					if test.want == ErrRateLimited && e.RetryAfter < 4*time.Second {
						t.Errorf("the error says %v, want at least 4s", e.RetryAfter)
					}
				})
			})
		}
	}
}

// A call with effects that was not sent waits while others are held back, and one that was refused is not repeated
// unasked.
func TestCallsWithEffectsAreHeldBack(t *testing.T) {
	for _, path := range []string{"/orders", "/apps/authorize/token"} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(hostile.Refuses(429, "Retry-After", "5"), hostile.Status(200, `{}`))
			c := newTest(t, s)
			start := time.Now()
			if err := c.Do(t.Context(), Request{Method: "POST", Path: path, Body: 1}, nil); !errors.Is(err, ErrRateLimited) || len(s.Seen) != 1 || time.Since(start) != 0 {
				t.Errorf("%s: %v after %d requests in %v, want the 429 at once", path, err, len(s.Seen), time.Since(start))
			}
			if err := c.Do(t.Context(), Request{Method: "POST", Path: path, Body: 1}, nil); err != nil || time.Since(start) < 5*time.Second {
				t.Errorf("%s: %v after %v, want success after 5s", path, err, time.Since(start))
			}
		})
	}
}

// A call that has been held back fails at once if its context ends before its turn, and says when that is.
func TestHeldCallsDoNotSleepIntoADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTest(t, hostile.Answers(hostile.Refuses(429, "Retry-After", "5")), func(c *Config) { c.MaxWait = time.Second })
		_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
		time.Sleep(4 * time.Second)
		for name, most := range map[string]time.Duration{"context": 900 * time.Millisecond, "MaxWait": time.Hour} {
			ctx, cancel := context.WithTimeout(t.Context(), most)
			defer cancel()
			if name == "MaxWait" {
				c.config.MaxWait = 900 * time.Millisecond
			}
			start := time.Now()
			err := c.Do(ctx, Request{Path: "/store"}, nil)
			if e := new(Error); !errors.As(err, &e) || !errors.Is(err, ErrRateLimited) || e.RetryAfter < 900*time.Millisecond || e.RetryAfter > 2*time.Second || time.Since(start) != 0 {
				t.Errorf("%s: %v after %v, want an error at once that asks for about a second", name, err, time.Since(start))
			}
		}
	})
}

// Waiting calls fail at once when a later 429 makes their wait too long, also those that others overtake.
func TestWaitingCallsAreDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter()
		p, err := l.wait(t.Context(), 0, false)
		if err != nil {
			t.Fatal(err)
		}
		l.refuse(p, Rate{}, 2*time.Second)
		start := time.Now()
		var all sync.WaitGroup
		for _, most := range []time.Duration{time.Minute, 10 * time.Second, 10 * time.Second} {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), most)
				defer cancel()
				_, err := l.wait(ctx, time.Hour, false)
				var late *waitError
				switch took := time.Since(start); {
				case most == time.Minute && (err != nil || took < 21*time.Second):
					t.Errorf("the first: %v after %v, want its turn after 21s", err, took)
				case most < time.Minute && (!errors.As(err, &late) || late.wait < 20*time.Second || took != time.Second):
					t.Errorf("another: %v after %v, want an error after 1s that asks for 20s", err, took)
				}
			})
			synctest.Wait()
		}
		time.Sleep(time.Second)
		l.refuse(p, Rate{}, 20*time.Second)
		all.Wait()
		l.end()
	})
}

// A process that has shared a bucket has all of it again, some time after the others left.
func TestSharingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newPlatformBucket(t, time.Hour)
		stays, leaves := newTest(t, b.reached(0, true)), newTest(t, b.reached(1, true))
		ask := func(c *Core, until time.Duration) {
			for time.Since(b.began) < until {
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
					t.Error(err)
				}
			}
		}
		var all sync.WaitGroup
		all.Go(func() { ask(leaves, time.Minute) })
		ask(stays, time.Minute)
		all.Wait()
		if !stays.limiter.share.on || !leaves.limiter.share.on {
			t.Error("two processes do not share the bucket")
		}
		ask(stays, 4*time.Minute)
		if stays.limiter.share.on {
			t.Error("a process shares the bucket three minutes after the others left")
		}
	})
}

// A full bucket of 1 or 2 leaves no place free: a process would wait for it for ever.
func TestSmallBuckets(t *testing.T) {
	for _, size := range []float64{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			b := newPlatformBucket(t, time.Hour)
			b.size = size
			c := newTest(t, b.reached(0, false), func(c *Config) { c.MaxWait = time.Minute })
			start := time.Now()
			for range 10 {
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
					t.Fatalf("bucket of %v: %v", size, err)
				}
			}
			if most := time.Duration(10/size*20+40) * time.Second; time.Since(start) > most {
				t.Errorf("bucket of %v: 10 calls took %v, want %v at most", size, time.Since(start), most)
			}
		})
	}
}

// Without the headers of the rate limit processes find their shares by the 429s alone.
func TestProcessesShareABucketWithoutHeaders(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		synctest.Test(t, func(t *testing.T) {
			o := crowd{"blind", n, 1, true, 20 * time.Minute}.run(t)
			t.Logf("%d processes: %d failed, %.2f %% denied, %.2f %% of the drain used, shares %.2f to %.2f", n, o.failed, 100*o.denied, 100*o.used, o.least, o.most)
			if o.failed > 0 || o.denied > 0.05 || o.used < 0.85 || o.least < 0.5 {
				t.Errorf("%d processes: %+v; want no failure, at most 5 %% denied, 85 %% of the drain used and half of a fair share", n, o)
			}
		})
	}
}
