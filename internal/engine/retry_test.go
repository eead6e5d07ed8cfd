package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"

	"github.com/commerceplatform/commerce-go/internal/hostile"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// The failures of the policy table, made at the transport.
var failures = []struct {
	name   string
	kind   failure
	answer func(*http.Request) (*http.Response, error)
}{
	{"refused", notSent, unreachable},
	{"429", tooMany, hostile.Refuses(429)},
	{"503", unavailable, hostile.Status(503, `{}`)},
	{"408", unavailable, hostile.Status(408, `{}`)},
	{"425", unavailable, hostile.Status(425, `{}`)},
	{"HTML 502", serverError, hostile.Status(502, "<html>bad gateway</html>", "Content-Type", "text/html")},
	{"520 of a gateway", serverError, hostile.Status(520, "")},
	{"524 of a gateway", serverError, hostile.Status(524, "")},
	{"reset after write", noAnswer, reset},
	{"truncated 2xx", brokenAnswer, hostile.Truncated(200)},
}

var (
	unreachable = hostile.Fails(&net.OpError{Op: "dial", Err: errors.New("connection refused")})
	reset       = hostile.Fails(errors.New("read: connection reset by peer"))
)

// endpoints has one of each class that this package has methods for.
var endpoints = map[Class][2]string{
	Read: {"GET", "/products"}, AbsolutePut: {"PUT", "/products/7"}, ReplaceAll: {"PUT", "/products/{product_id}/variants"},
	AbsolutePatch: {"PATCH", "/products/stock-price"}, StatusPatch: {"PATCH", "/locations/{id}/chosen-as-default"}, Remove: {"DELETE", "/products/7"},
	StatePut: {"PUT", "/orders/{id}"}, KeyedCreate: {"POST", "/webhooks"}, Create: {"POST", "/products"}, EffectCreate: {"POST", "/orders"},
	Overwrite: {"PUT", "/products/{id}/custom-fields/values"}, AddingPut: {"PUT", "/products/custom-fields/{id}"}, TokenExchange: {"POST", "/apps/authorize/token"},
}

// attempts says how often a call is sent that fails the same way every time, per
// class by the kind of failure. It is written from the policy, not from the code.
var attempts = map[Class][6]int{
	Read:          {3, held, 3, 3, 3, 3},
	AbsolutePut:   {3, held, 3, 3, 3, 1 + 3}, // a broken answer is read again, as a Read
	Overwrite:     {3, held, 3, 3, 3, 1},
	AddingPut:     {3, held, 3, 3, 3, 1},
	ReplaceAll:    {3, held, 3, 3, 3, 1},
	AbsolutePatch: {3, held, 3, 3, 3, 1},
	StatusPatch:   {3, held, 1, 1, 1, 1},
	Remove:        {3, held, 3, 3, 3, 1},
	StatePut:      {3, held, 1, 1, 1, 1},
	KeyedCreate:   {3, held, 1, 1, 1, 1},
	Create:        {3, held, 1, 1, 1, 1},
	EffectCreate:  {3, 1, 1, 1, 1, 1},
	TokenExchange: {3, 1, 1, 1, 1, 1},
}

// held is the number of requests of a call that is answered 429 each time: more than one, until Config.MaxWait is over.
const held = 0

func asOften(sent, want int) bool { return sent == want || want == held && sent > 1 }

func TestRetryMatrix(t *testing.T) {
	for class, endpoint := range endpoints {
		for _, f := range failures {
			t.Run(fmt.Sprintf("%s/%s", class, f.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := hostile.Answers(f.answer)
					r := Request{Method: endpoint[0], Path: endpoint[1], Retry: class}
					if n := strings.Count(endpoint[1], "{"); n > 0 {
						r.Args = []any{1}
					}
					err := newTest(t, s).Do(t.Context(), r, nil)
					if want := attempts[class][f.kind-1]; !asOften(len(s.Seen), want) {
						t.Errorf("sent %d times, want %d (%v)", len(s.Seen), want, err)
					}
					if class == Remove && f.kind == brokenAnswer {
						if err != nil {
							t.Errorf("got %v, want success: the record is deleted", err)
						}
						return
					}
					maybeApplied := class != Read && (f.kind >= serverError || f.kind == unavailable && attempts[class][unavailable-1] == 1)
					if errors.Is(err, ErrOutcomeUnknown) != maybeApplied {
						t.Errorf("ErrOutcomeUnknown: %v, want %v (%v)", errors.Is(err, ErrOutcomeUnknown), maybeApplied, err)
					}
					if err != nil && strings.Contains(err.Error(), "  ") {
						t.Errorf("%q has a gap", err)
					}
				})
			})
		}
	}
}

func TestRetryCanBeSwitchedOff(t *testing.T) {
	s := hostile.Answers(hostile.Status(503, `{}`))
	_ = newTest(t, s, func(c *Config) { c.Attempts = 1 }).Do(t.Context(), Request{Path: "/store"}, nil)
	if len(s.Seen) != 1 {
		t.Errorf("sent %d times, want 1", len(s.Seen))
	}
}

func TestEffectsAreRepeatedAfter429OnRequestOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.Answers(hostile.Refuses(429), hostile.Status(201, `{}`))
		if err := newTest(t, s, func(c *Config) { c.Effects = true }).Do(t.Context(), Request{Method: "POST", Path: "/orders", Body: 1}, nil); err != nil || len(s.Seen) != 2 {
			t.Errorf("%d requests, %v; want 2 and success", len(s.Seen), err)
		}
	})
}

func TestDeleteThatMayHaveWorkedTakes404AsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			first func(*http.Request) (*http.Response, error)
			ok    bool
		}{{hostile.Status(500, `{}`), true}, {reset, true}, {hostile.Refuses(429), false}, {hostile.Refuses(404), false}} {
			err := newTest(t, hostile.Answers(c.first, hostile.Refuses(404))).Do(t.Context(), Request{Method: "DELETE", Path: "/products/7"}, nil)
			if (err == nil) != c.ok {
				t.Errorf("got %v, want success %v", err, c.ok)
			}
		}
	})
}

// A last answer that says nothing of the record once hid that an earlier attempt may have been applied.
func TestOutcomeOfAnEarlierAttempt(t *testing.T) {
	const unknown, known = true, false
	for _, class := range []Class{AbsolutePut, Overwrite, AddingPut, ReplaceAll, AbsolutePatch, Remove} {
		for i, c := range []struct {
			first, last func(*http.Request) (*http.Response, error)
			unknown     bool
		}{
			{hostile.Status(500, `{}`), hostile.Refuses(429, "Retry-After", "60"), unknown},
			{hostile.Status(500, `{}`), hostile.Status(503, `{}`, "Retry-After", "60"), unknown},
			{hostile.Status(500, `{}`), hostile.Refuses(401), unknown},
			{hostile.Status(500, `{}`), hostile.Refuses(402), unknown},
			{hostile.Status(500, `{}`), hostile.Refuses(403), unknown},
			{hostile.Status(500, `{}`), hostile.Status(501, `{}`), unknown},
			{hostile.Status(500, `{}`), hostile.Status(302, ``, "Location", "/"), unknown},
			{hostile.Status(500, `{}`), hostile.Refuses(422), known}, // the same input is not taken, and was not before
			{hostile.Status(500, `{}`), hostile.Refuses(404), known}, // there is nothing to write to, or to delete
			{reset, hostile.Refuses(401), unknown},
			{hostile.Refuses(429), hostile.Refuses(401), known}, // nothing was applied
			{hostile.Status(503, `{}`), hostile.Refuses(429, "Retry-After", "60"), known},
			{unreachable, hostile.Status(503, `{}`, "Retry-After", "60"), known},
		} {
			synctest.Test(t, func(t *testing.T) {
				s := hostile.Answers(c.first, c.last)
				err := newTest(t, s).Do(t.Context(), Request{Method: "PUT", Path: "/x", Retry: class}, nil)
				if errors.Is(err, ErrOutcomeUnknown) != c.unknown || len(s.Seen) != 2 {
					t.Errorf("%s, script %d: %v after %d requests, want an unknown outcome: %v", class, i, err, len(s.Seen), c.unknown)
				}
			})
		}
	}
}

// The queue at the rate limit once held a repetition back for MaxWait, whatever was left of the time for it.
func TestRepetitionsWaitForTheBucketAsLongAsTheyMay(t *testing.T) {
	for _, test := range []struct {
		class  Class
		first  func(*http.Request) (*http.Response, error)
		total  time.Duration
		queue  int // of calls before the repetition, two in a second
		sent   int
		behind time.Duration
	}{
		{ReplaceAll, hostile.Status(500, `{}`), 0, 20, 1, 0},
		{ReplaceAll, hostile.Status(500, `{}`), 0, 4, 2, soonLimit},
		{ReplaceAll, hostile.Status(503, `{}`), 0, 20, 2, 30 * time.Second}, // it was not applied
		{AbsolutePut, hostile.Status(500, `{}`), 0, 20, 2, 30 * time.Second},
		{AbsolutePut, hostile.Status(500, `{}`), 8 * time.Second, 20, 1, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sent []time.Duration
			start := time.Now()
			c := newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if r.Method == http.MethodGet {
					return hostile.Status(200, `{}`)(r)
				}
				if sent = append(sent, time.Since(start)); len(sent) > 1 {
					return hostile.Status(200, `{}`)(r)
				}
				time.Sleep(time.Second)
				return test.first(r)
			}), func(c *Config) { c.Total = test.total })
			var others sync.WaitGroup
			time.AfterFunc(100*time.Millisecond, func() {
				for range bucketSize - 1 + test.queue {
					others.Go(func() { _ = c.Do(t.Context(), Request{Path: "/store"}, nil) })
				}
			})
			err := c.Do(t.Context(), Request{Method: "PUT", Path: "/x", Retry: test.class}, nil)
			others.Wait()
			if len(sent) != test.sent || errors.Is(err, ErrOutcomeUnknown) != (test.sent == 1) || sent[len(sent)-1] > test.behind {
				t.Errorf("%+v: sent at %v, %v", test, sent, err)
			}
		})
	}
}

func TestPutWithBrokenAnswerIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.Answers(hostile.Truncated(200), hostile.Status(200, `{"id":7}`))
		var p struct {
			ID int64 `json:"id"`
		}
		if err := newTest(t, s).Do(t.Context(), Request{Method: "PUT", Path: "/products/{id}", Args: []any{7}, Body: 1}, &p); err != nil || p.ID != 7 {
			t.Errorf("got %+v, %v", p, err)
		}
		if len(s.Seen) != 2 || s.Seen[1].Method != "GET" || s.Seen[1].URL.Path != s.Seen[0].URL.Path {
			t.Errorf("second request %s %s", s.Seen[1].Method, s.Seen[1].URL)
		}
	})
}

// What becomes of the headers that ask to wait: the time until the second request,
// or 0 if the call ends at once with a rate-limit error.
func TestRetryAfterIsHeededWithinReason(t *testing.T) {
	const (
		own      = 3 * time.Second  // at most, and more than zero: the backoff, or the share
		share    = 17 * time.Second // at most, of a bucket that is full
		millenn  = "Sat, 01 Jan 2000 00:00:0"
		year1999 = "Fri, 01 Jan 1999 00:00:0"
	)
	for _, c := range []struct {
		headers  []string
		min, max time.Duration
	}{
		{[]string{"Retry-After", "5"}, 5 * time.Second, 6 * time.Second},
		{[]string{"Retry-After", "5.0"}, 5 * time.Second, 6 * time.Second},
		{[]string{"Retry-After", "2.5"}, 2500 * time.Millisecond, 3 * time.Second},
		{[]string{"Retry-After", " 5 "}, 5 * time.Second, 6 * time.Second},
		{[]string{"Retry-After", "5, 6"}, 6 * time.Second, 7 * time.Second}, // whoever waits longer does what both ask for
		{[]string{"Retry-After", "6", "Retry-After", "5"}, 6 * time.Second, 7 * time.Second},
		{[]string{"Retry-After", "soon", "Retry-After", "5"}, 5 * time.Second, 6 * time.Second},
		{[]string{"Retry-After", "86400"}, 0, 0},
		{[]string{"Retry-After", "9223372036854775807"}, 0, 0},
		{[]string{"Retry-After", "18446744073"}, 0, 0},
		{[]string{"Retry-After", "184467440730000000000000000000000000"}, 0, 0},
		{[]string{"Retry-After", "0"}, 1, own},
		{[]string{"Retry-After", "0.0"}, 1, own},
		{[]string{"Retry-After", "-1"}, 1, own},
		{[]string{"Retry-After", "1e9"}, 1, own},
		{[]string{"Retry-After", "Inf"}, 1, own},
		{[]string{"Retry-After", "0x50"}, 1, own},
		{[]string{"Retry-After", "1.2.3"}, 1, own},
		{[]string{"Retry-After", ""}, 1, own},
		{[]string{"Retry-After", "Fri, 31 Dec 2099 23:59:59 GMT"}, 0, 0},
		{[]string{"Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"}, 1, own},
		// The clock here says 2000. A date is measured by the clock of the platform, which the answer tells.
		{[]string{"Retry-After", millenn + "9 GMT"}, 9 * time.Second, 10 * time.Second},
		{[]string{"Retry-After", millenn + "9 GMT", "Date", "no date"}, 9 * time.Second, 10 * time.Second},
		{[]string{"Retry-After", year1999 + "7 GMT", "Date", year1999 + "0 GMT"}, 7 * time.Second, 8 * time.Second},
		{[]string{"Retry-After", millenn + "9 GMT", "Date", millenn + "9 GMT"}, 1, own},
		{[]string{"Retry-After", year1999 + "5 GMT", "Retry-After", year1999 + "8 GMT", "Date", year1999 + "0 GMT"}, 8 * time.Second, 9 * time.Second},
		{[]string{"Retry-After", year1999 + "8 GMT", "Retry-After", year1999 + "5 GMT", "Date", year1999 + "0 GMT"}, 8 * time.Second, 9 * time.Second},
		{[]string{"X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Reset", "20000"}, 500 * time.Millisecond, share},
		{[]string{"X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Reset", "9223372036854775807"}, 0, 0},
		{[]string{"X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Reset", "-5"}, 1, share},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(hostile.Refuses(429, c.headers...), hostile.Status(200, `{}`))
			start := time.Now()
			err := newTest(t, s).Do(t.Context(), Request{Path: "/store"}, nil)
			took := time.Since(start)
			if c.max == 0 {
				var e *Error
				if !errors.Is(err, ErrRateLimited) || took != 0 || !errors.As(err, &e) || e.RetryAfter <= 30*time.Second {
					t.Errorf("%q: %v after %v, want a rate-limit error at once that tells the wait", c.headers, err, took)
				}
				return
			}
			if err != nil || took < c.min || took > c.max {
				t.Errorf("%q: %v after %v, want success after %v to %v", c.headers, err, took, c.min, c.max)
			}
		})
	}
}

// Retry-After is read the same way after a 503, which holds other calls too. That of a 500 holds no other call.
func TestRetryAfterOfFailures(t *testing.T) {
	for value, least := range map[string]time.Duration{"2.0": 2 * time.Second, "Sat, 01 Jan 2000 12:00:04 GMT": 4 * time.Second, "0": 1} {
		for _, status := range []int{500, 503} {
			synctest.Test(t, func(t *testing.T) {
				c := newTest(t, hostile.Answers(
					hostile.Status(status, `{}`, "Retry-After", value, "Date", "Sat, 01 Jan 2000 12:00:00 GMT"), hostile.Status(200, `{}`),
				))
				start := time.Now()
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil || time.Since(start) < least || time.Since(start) > 2*least+250*time.Millisecond {
					t.Errorf("%d, %s: %v after %v, want success after %v", status, value, err, time.Since(start), least)
				}
				if held := !c.limiter.held.IsZero(); held != (status == 503 && least > 1) {
					t.Errorf("%d, %s: other calls are held: %v", status, value, held)
				}
			})
		}
	}
}

func TestNoSleepIntoADeadline(t *testing.T) {
	for _, remaining := range []string{"0", "39"} { // the bucket is full, or the 429 is of another limit
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			start := time.Now()
			err := newTest(t, hostile.Answers(hostile.Refuses(429, "Retry-After", "5", "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", remaining))).Do(ctx, Request{Path: "/store"}, nil)
			if e := new(Error); !errors.As(err, &e) || e.Status != 429 || e.RetryAfter < 5*time.Second || errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 0 {
				t.Errorf("%s remain: got %v after %v, want the 429 at once", remaining, err, time.Since(start))
			}
		})
	}
}

func TestAttemptsThatHangAreCutAndRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
		s := hostile.Answers(hang, hostile.Status(200, `{}`))
		if err := newTest(t, s, func(c *Config) { c.AttemptTimeout = time.Second }).Do(t.Context(), Request{Path: "/store"}, nil); err != nil || len(s.Seen) != 2 {
			t.Errorf("%d requests, %v", len(s.Seen), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := newTest(t, hostile.Answers(hang)).Do(ctx, Request{Method: "POST", Path: "/products", Body: 1}, nil)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrOutcomeUnknown) {
			t.Errorf("got %v, want the deadline and an unknown outcome", err)
		}
	})
}

// Each create after the end of a batch's context was said to have an unknown outcome once, though none was sent.
func TestNothingIsSentOnceTheContextEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		s := hostile.Answers(hostile.Status(200, `{}`))
		err := newTest(t, s).Do(ctx, Request{Method: method, Path: "/products"}, nil)
		var failure *Error
		if !errors.As(err, &failure) || failure.Attempts != 0 || !errors.Is(err, context.Canceled) || errors.Is(err, ErrOutcomeUnknown) || len(s.Seen) != 0 {
			t.Errorf("%s: %v after %d requests, want the end of the context and no attempt", method, err, len(s.Seen))
		}
	}
}

func TestBreakerOpensAndRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var healthy atomic.Bool
		var sent atomic.Int32
		mock := httpmock.NewMockTransport()
		mock.RegisterResponder("GET", "=~.*", func(*http.Request) (*http.Response, error) {
			sent.Add(1)
			if healthy.Load() {
				return httpmock.NewStringResponse(200, `{}`), nil
			}
			return httpmock.NewStringResponse(503, ``), nil
		})
		c := newTest(t, mock)
		var err error
		for range 40 {
			err = c.Do(t.Context(), Request{Path: "/store"}, nil)
		}
		if !errors.Is(err, condition.ErrCircuitOpen) {
			t.Fatalf("after 40 failing calls: %v, want an open circuit", err)
		}
		before := sent.Load()
		_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
		if sent.Load() != before {
			t.Error("an open circuit let a request through")
		}
		healthy.Store(true)
		time.Sleep(breakerRest + time.Second)
		for range breakerProbes + 1 {
			if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
				t.Fatalf("after the rest: %v", err)
			}
		}
	})
}

// A circuit that may be closed again is tried by a few requests, and the others are told at once.
func TestBreakerIsProbedByAFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.Answers(hostile.Status(503, ``))
		c := newTest(t, s)
		for range breakerRequests {
			_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
		}
		time.Sleep(breakerRest + time.Second)
		before := len(s.Seen)
		var under atomic.Int32
		c.config.Transport = hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			under.Add(1)
			time.Sleep(time.Second)
			return hostile.Status(200, `{}`)(r)
		})
		var all sync.WaitGroup
		var told atomic.Int32
		for range 2 * breakerProbes {
			all.Go(func() {
				start := time.Now()
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); errors.Is(err, condition.ErrCircuitOpen) && time.Since(start) == 0 {
					told.Add(1)
				}
			})
		}
		all.Wait()
		if under.Load() != breakerProbes || told.Load() != breakerProbes || len(s.Seen) != before {
			t.Errorf("%d requests were sent, and %d callers told of an open circuit; want %d of each", under.Load(), told.Load(), breakerProbes)
		}
	})
}

func TestBreakerIgnoresRefusalsAndCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
		for name, answer := range map[string]func(*http.Request) (*http.Response, error){"404": hostile.Refuses(404), "422": hostile.Refuses(422), "429": hostile.Refuses(429), "too large": hostile.Status(200, strings.Repeat(" ", 1<<20)), "deadline": hang, "cancelled": hang} {
			c := newTest(t, hostile.Answers(answer), func(c *Config) { c.Attempts, c.MaxBody = 1, 1<<10 })
			for range breakerRequests + 10 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				if name == "cancelled" {
					time.AfterFunc(time.Millisecond, cancel)
				}
				err := c.Do(ctx, Request{Path: "/store"}, nil)
				cancel()
				if err == nil || errors.Is(err, condition.ErrCircuitOpen) {
					t.Fatalf("%s: %v, want its own error and no open circuit", name, err)
				}
			}
		}
	})
}

// That a host takes no connection in time looks to errors.Is as if the caller's time was over. It was left out once, so
// that an origin behind a dead route was tried for ever.
func TestBreakerCountsDialsThatTookTooLong(t *testing.T) {
	late := hostile.Fails(&net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("i/o timeout: %w", context.DeadlineExceeded)})
	c := newTest(t, hostile.Answers(late), func(c *Config) { c.Attempts = 1 })
	for i := range breakerRequests {
		if err := c.Do(t.Context(), Request{Path: "/store"}, nil); errors.Is(err, condition.ErrCircuitOpen) || !errors.Is(err, ErrNoAnswer) {
			t.Fatalf("failure %d: %v, want ErrNoAnswer", i+1, err)
		}
	}
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); !errors.Is(err, condition.ErrCircuitOpen) {
		t.Errorf("got %v, want an open circuit", err)
	}
}

// What is left out was counted as an attempt once: 10 calls that were cancelled and
// 10 that failed opened the circuit.
func TestBreakerLeavesCancellationOut(t *testing.T) {
	b := newBreaker()
	attempt := func(err error) error {
		_, err = b.do(nil, endpoint{}, func(*http.Request) (*http.Response, error) { return nil, err })
		return err
	}
	for range breakerRequests {
		_ = attempt(&lostError{left: true, err: context.Canceled})
	}
	for i := range breakerRequests {
		if err := attempt(ErrTruncated); !errors.Is(err, ErrTruncated) {
			t.Fatalf("failure %d: %v, want it tried", i+1, err)
		}
	}
	if err := attempt(nil); !errors.Is(err, condition.ErrCircuitOpen) {
		t.Errorf("after %d failures: %v, want an open circuit", breakerRequests, err)
	}
}
