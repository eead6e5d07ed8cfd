package engine

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// drained returns a limiter whose next request may start in half a second.
func drained(t *testing.T) *limiter {
	t.Helper()
	l := newLimiter()
	for range bucketSize {
		if _, err := l.wait(t.Context(), 0, false); err != nil {
			t.Fatal(err)
		}
		l.end()
	}
	return l
}

// nextIn wants the next request to start after d.
func nextIn(t *testing.T, l *limiter, d time.Duration) {
	t.Helper()
	start := time.Now()
	if _, err := l.wait(t.Context(), time.Minute, false); err != nil || time.Since(start) != d {
		t.Errorf("the next request started after %v, %v; want %v", time.Since(start), err, d)
	}
}

// Callers that were cancelled together once kept nearly all of their places: after 60 of them a request that nobody
// was before waited for twenty seconds.
func TestCallersLeaveTheQueue(t *testing.T) {
	for _, stays := range []int{-1, 0, 30, 59} { // which caller waits on
		synctest.Test(t, func(t *testing.T) {
			l := drained(t)
			var all sync.WaitGroup
			ends := make([]context.CancelFunc, 60)
			for i := range ends {
				ctx, cancel := context.WithCancel(t.Context())
				ends[i] = cancel
				all.Go(func() {
					start := time.Now()
					switch _, err := l.wait(ctx, time.Minute, false); {
					case i == stays && (err != nil || time.Since(start) != 500*time.Millisecond):
						t.Errorf("caller %d started after %v, %v; want it to move up to 500ms", i, time.Since(start), err)
					case i != stays && (!errors.Is(err, context.Canceled) || time.Since(start) != 0):
						t.Errorf("caller %d: %v after %v, want its own end at once", i, err, time.Since(start))
					}
				})
				synctest.Wait()
			}
			defer ends[max(0, stays)]()
			for i, end := range ends {
				if i != stays {
					end()
				}
			}
			synctest.Wait()
			if stays < 0 {
				nextIn(t, l, 500*time.Millisecond)
			} else {
				nextIn(t, l, time.Second)
			}
			all.Wait()
		})
	}
}

// Callers that were refused at one time once kept places that they had not got: a thousand refusals made the next wait
// longer by seconds.
func TestRefusedCallersTakeNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := drained(t)
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() {
				for range 1000 {
					var late *waitError
					if _, err := l.wait(t.Context(), 499*time.Millisecond, false); !errors.As(err, &late) || late.wait != 500*time.Millisecond {
						t.Errorf("got %v, want to be told half a second", err)
						return
					}
				}
			})
		}
		all.Wait()
		nextIn(t, l, 500*time.Millisecond)
	})
}

// One request that is missing may be rounding and makes nobody share the bucket, but there is no place for it.
func TestSmallerRemainderIsBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter()
		for range 20 {
			p, err := l.wait(t.Context(), 0, false)
			if err != nil {
				t.Fatal(err)
			}
			l.follow(p, Rate{})
			l.end()
			if l.started == 20 {
				l.follow(p, Rate{Limit: 40, Remaining: 19}) // of 20
			}
		}
		for range 19 {
			if _, err := l.wait(t.Context(), 0, false); err != nil {
				t.Fatal(err)
			}
			l.end()
		}
		if l.share.on {
			t.Error("it shares the bucket")
		}
		nextIn(t, l, 500*time.Millisecond)
	})
}

// What of the headers of the rate limit is believed.
func TestRateOf(t *testing.T) {
	for _, tt := range []struct {
		limit, remaining, reset []string
		want                    Rate
	}{
		{[]string{"40"}, []string{"39"}, []string{"500"}, Rate{40, 39, 500 * time.Millisecond}},
		{[]string{"40"}, []string{"0"}, nil, Rate{Limit: 40}},
		{[]string{"1"}, []string{"1"}, []string{"-5"}, Rate{Limit: 1, Remaining: 1}},
		{[]string{"40"}, []string{"41"}, []string{"0"}, Rate{Limit: 40, Remaining: 40}},
		{[]string{"1073741824"}, []string{"7"}, []string{"9223372036854775807"}, Rate{1 << 30, 7, math.MaxInt64}},
		{[]string{"1073741825"}, []string{"7"}, nil, Rate{}},
		{[]string{"0"}, []string{"0"}, nil, Rate{}},
		{[]string{"-1"}, []string{"0"}, nil, Rate{}},
		{[]string{"40"}, []string{"-1"}, nil, Rate{}},
		{[]string{"40"}, nil, nil, Rate{}},
		{nil, []string{"39"}, nil, Rate{}},
		// A gateway may print decimals, and a proxy may repeat a header or join what was repeated.
		{[]string{"40.0"}, []string{"39.9"}, []string{"500.5"}, Rate{40, 39, 500500 * time.Microsecond}},
		{[]string{"40", "40"}, []string{"39"}, nil, Rate{Limit: 40, Remaining: 39}},
		{[]string{"40, 40"}, []string{"39", " 39 "}, []string{"500,500.0"}, Rate{40, 39, 500 * time.Millisecond}},
		{[]string{"40", "400"}, []string{"39"}, nil, Rate{}},
		{[]string{"40"}, []string{"39, 38"}, nil, Rate{}},
		{[]string{"40"}, []string{"39"}, []string{"500", "20000"}, Rate{Limit: 40, Remaining: 39}},
		{[]string{"4e1"}, []string{"39"}, nil, Rate{}},
		{[]string{"+40"}, []string{"39"}, nil, Rate{}},
		{[]string{"40"}, []string{"."}, nil, Rate{}},
		{[]string{"40"}, []string{"39,"}, nil, Rate{}},
		{[]string{"0.5"}, []string{"0"}, nil, Rate{}},
	} {
		h := http.Header{"X-Rate-Limit-Limit": tt.limit, "X-Rate-Limit-Remaining": tt.remaining, "X-Rate-Limit-Reset": tt.reset}
		if got := RateOf(h); got != tt.want {
			t.Errorf("%v: got %+v, want %+v", h, got, tt.want)
		}
	}
}
