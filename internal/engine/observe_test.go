package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// seen records what is observed, as lines such as "GET 1 begins" and "GET 1 ends 200", and the values themselves.
type seen struct {
	mu     sync.Mutex
	lines  []string
	begun  []Attempt
	ended  []AttemptEnd
	ends   []int // calls of the function that each begin returned
	within func(context.Context, Attempt) context.Context
}

type underKey struct{}

func (s *seen) hook(ctx context.Context, a Attempt) (context.Context, func(AttemptEnd)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := len(s.begun)
	s.begun, s.ended, s.ends = append(s.begun, a), append(s.ended, AttemptEnd{}), append(s.ends, 0)
	s.lines = append(s.lines, fmt.Sprintf("%s %d begins", a.Method, a.Number))
	if s.within != nil {
		ctx = s.within(ctx, a)
	} else {
		ctx = context.WithValue(ctx, underKey{}, fmt.Sprintf("%s %d", a.Method, a.Number))
	}
	return ctx, func(e AttemptEnd) {
		s.mu.Lock()
		defer s.mu.Unlock()
		line := fmt.Sprintf("%s %d ends %d", a.Method, a.Number, e.Status)
		if e.Err != nil {
			line += " failed"
		}
		if e.Again {
			line += " again"
		}
		s.lines = append(s.lines, line)
		s.ended[at] = e
		s.ends[at]++
	}
}

// once checks that each end was called once, and that they are nested.
func (s *seen) once(t *testing.T) {
	t.Helper()
	for i, n := range s.ends {
		if n != 1 {
			t.Errorf("the end of %+v was called %d times, want once", s.begun[i], n)
		}
	}
	last := s.lines[len(s.lines)-1]
	if s.begun[0].Number != 0 || !strings.HasPrefix(last, s.begun[0].Method+" 0 ends") {
		t.Errorf("got %q, want a call around all", s.lines)
	}
}

func observed(t *testing.T, s *seen, transport http.RoundTripper, change ...func(*Config)) *Core {
	t.Helper()
	return newTest(t, transport, append(change, func(c *Config) { c.OnAttempt = s.hook })...)
}

// Every path ends what began, once, and in order.
func TestObserved(t *testing.T) {
	patient := func(c *Config) { c.MaxWait = time.Minute }
	fine, down, status := hostile.Status(200, `{}`), hostile.Status(500, `{}`), hostile.Status
	cut := func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset") }
	type answers []hostile.Answer
	for _, test := range []struct {
		name    string
		request Request
		answers answers
		change  func(*Config)
		lines   string
	}{
		{"answer", Request{}, answers{fine}, nil,
			"GET 1 begins, GET 1 ends 200, GET 0 ends 200"},
		{"refusal", Request{}, answers{hostile.Refuses(404)}, nil,
			"GET 1 begins, GET 1 ends 404 failed, GET 0 ends 404 failed"},
		{"retry", Request{}, answers{down, fine}, nil,
			"GET 1 begins, GET 1 ends 500 failed again, GET 2 begins, GET 2 ends 200, GET 0 ends 200"},
		{"retries in vain", Request{}, answers{down, cut}, nil,
			"GET 1 begins, GET 1 ends 500 failed again, GET 2 begins, GET 2 ends 0 failed again, GET 3 begins, " +
				"GET 3 ends 0 failed, GET 0 ends 0 failed"},
		{"429", Request{}, answers{status(429, `{}`, "Retry-After", "2"), fine}, patient,
			"GET 1 begins, GET 1 ends 429 failed again, GET 1 begins, GET 1 ends 200, GET 0 ends 200"},
		{"create", Request{Method: "POST"}, answers{down}, nil,
			"POST 1 begins, POST 1 ends 500 failed, POST 0 ends 500 failed"},
		{"redirect", Request{}, answers{status(302, ``, "Location", "https://elsewhere.example")}, nil,
			"GET 1 begins, GET 1 ends 302 failed, GET 0 ends 302 failed"},
		{"broken answer", Request{}, answers{hostile.Truncated(200), fine}, nil,
			"GET 1 begins, GET 1 ends 200 failed again, GET 2 begins, GET 2 ends 200, GET 0 ends 200"},
		{"broken answer to a write", Request{Method: "PUT", Retry: AbsolutePut}, answers{hostile.Truncated(200), fine}, nil,
			"PUT 1 begins, PUT 1 ends 200 failed, GET 1 begins, GET 1 ends 200, PUT 0 ends 200"},
		{"broken answer to a create", Request{Method: "POST"}, answers{hostile.Truncated(201)}, nil,
			"POST 1 begins, POST 1 ends 201 failed, POST 0 ends 201 failed"},
		{"too large", Request{}, answers{status(200, `{"id":1234567890}`)}, func(c *Config) { c.MaxBody = 4 },
			"GET 1 begins, GET 1 ends 200 failed, GET 0 ends 200 failed"},
		{"another protocol", Request{}, answers{status(101, ``)}, func(c *Config) { c.Attempts = 1 },
			"GET 1 begins, GET 1 ends 101 failed, GET 0 ends 101 failed"},
		{"unreadable", Request{}, answers{status(200, `[`)}, nil,
			"GET 1 begins, GET 1 ends 200, GET 0 ends 200 failed"},
		{"deleted before", Request{Method: "DELETE"}, answers{down, hostile.Refuses(404)}, nil,
			"DELETE 1 begins, DELETE 1 ends 500 failed again, DELETE 2 begins, DELETE 2 ends 404 failed, DELETE 0 ends 404"},
		{"not built", Request{Path: "no path"}, nil, nil,
			"GET 0 ends 0 failed"},
		{"no token", Request{}, nil, func(c *Config) {
			c.Token = func(context.Context) (*oauth2.Token, error) { return nil, errors.New("no token") }
		},
			"GET 0 ends 0 failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := new(seen)
				if test.request.Path == "" {
					test.request.Path = "/store"
				}
				var changes []func(*Config)
				if test.change != nil {
					changes = append(changes, test.change)
				}
				var out any = &map[string]any{}
				if test.request.Method == http.MethodDelete {
					out = nil
				}
				err := observed(t, s, hostile.Answers(test.answers...), changes...).Do(t.Context(), test.request, out)
				s.once(t)
				if got := strings.Join(s.lines[1:], ", "); got != test.lines {
					t.Errorf("got  %s\nwant %s", got, test.lines)
				}
				if s.ended[0].Err != err {
					t.Errorf("the call returned %v, and ended with %v", err, s.ended[0].Err)
				}
			})
		})
	}
}

// Numbers, waits, sizes and the rate limit of a call that is repeated.
func TestObservedValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(seen)
		headers := []string{
			"X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "7", "X-Rate-Limit-Reset", "500", "X-Request-Id", "req-1",
		}
		transport := hostile.Answers(
			slow(time.Second, hostile.Status(429, `{"a":1}`, "Retry-After", "2")),
			slow(time.Second, hostile.Status(503, `{}`)),
			slow(time.Second, hostile.Status(200, `{"id":1}`, headers...)),
		)
		start := time.Now()
		r := Request{Path: "/products/{id}", Args: []any{42}, Version: "v1"}
		if err := observed(t, s, transport).Do(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
		s.once(t)
		want := Attempt{Method: "GET", Route: "/products/{id}", Version: "v1", Store: 123, Class: Read}
		if got := s.begun[0]; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		var numbers, sent []int
		var waited, waits time.Duration
		for i, a := range s.begun[1:] {
			numbers, sent = append(numbers, a.Number), append(sent, a.Sent)
			e := s.ended[i+1]
			waited, waits = waited+a.Waited, waits+e.Wait
			same := want
			same.Number, same.Sent, same.Waited = a.Number, a.Sent, a.Waited
			if a != same || e.Duration != time.Second || e.Waited != a.Waited || e.Requests != 1 {
				t.Errorf("%+v ended with %+v", a, e)
			}
		}
		if !slices.Equal(numbers, []int{1, 1, 2}) || !slices.Equal(sent, []int{0, 1, 2}) {
			t.Errorf("attempts %v after %v requests", numbers, sent)
		}
		call, last := s.ended[0], s.ended[3]
		if call.Duration != time.Since(start) || call.Duration != 3*time.Second+waited+waits {
			t.Errorf("the call took %v of %v, with waits of %v and %v", call.Duration, time.Since(start), waited, waits)
		}
		if call.Waited != waited || call.Requests != 3 || call.Again {
			t.Errorf("the call ended with %+v, after waits of %v and %v", call, waited, waits)
		}
		if call.Bytes != int64(len(`{"a":1}{}{"id":1}`)) || last.Bytes != int64(len(`{"id":1}`)) {
			t.Errorf("read %d bytes, the last time %d", call.Bytes, last.Bytes)
		}
		rate := Rate{40, 7, 500 * time.Millisecond}
		if call.Rate != rate || last.Rate != rate || last.RequestID != "req-1" || call.RequestID != "req-1" {
			t.Errorf("the last answer was %+v, of the call %+v", last, call)
		}
		var refused *Error
		if !errors.As(s.ended[1].Err, &refused) || refused.Status != 429 || !errors.Is(s.ended[2].Err, ErrServer) {
			t.Errorf("refused by %v, and %v", s.ended[1].Err, s.ended[2].Err)
		}
	})
}

// A call that sends nothing ends by itself: nothing is left under way, and its wait counts.
func TestObservedWithoutRequest(t *testing.T) {
	full := func(t *testing.T, c *Core) {
		for range bucketSize - 1 {
			if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	fine := hostile.Status(200, `{}`)
	t.Run("cancelled while it waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, why := new(seen), errors.New("shutdown")
			c := newTest(t, hostile.Answers(fine))
			full(t, c)
			c.config.OnAttempt = s.hook
			for range 4 { // the bucket is full by then
				_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
			}
			*s = seen{}
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
			err := c.Do(ctx, Request{Path: "/store"}, nil)
			s.once(t)
			e := s.ended[0]
			if len(s.begun) != 1 || !errors.Is(err, why) || e.Err != err || e.Requests != 0 || e.Waited != 100*time.Millisecond {
				t.Errorf("%q ended with %+v, want a call without requests that waited 100ms", s.lines, e)
			}
		})
	})
	t.Run("the wait is too long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := new(seen)
			c := newTest(t, hostile.Answers(fine), func(c *Config) { c.MaxWait = time.Millisecond })
			for c.Do(t.Context(), Request{Path: "/store"}, nil) == nil {
			}
			c.config.OnAttempt = s.hook
			err := c.Do(t.Context(), Request{Path: "/store"}, nil)
			s.once(t)
			if e := s.ended[0]; len(s.begun) != 1 || !errors.Is(e.Err, ErrRateLimited) || e.Err != err || e.Requests != 0 {
				t.Errorf("%q ended with %+v", s.lines, e)
			}
		})
	})
	t.Run("open circuit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := new(seen)
			gateway := hostile.Answers(hostile.Status(502, `{}`))
			c := newTest(t, gateway, func(c *Config) { c.Attempts, c.MaxWait = 1, time.Hour })
			for range breakerRequests {
				_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
			}
			c.config.OnAttempt = s.hook
			err := c.Do(t.Context(), Request{Path: "/store"}, nil)
			s.once(t)
			if e := s.ended[0]; len(s.begun) != 1 || !errors.Is(err, condition.ErrCircuitOpen) || e.Err != err || e.Requests != 0 {
				t.Errorf("%q ended with %+v, want no request", s.lines, e)
			}
		})
	})
	t.Run("cancelled before a repetition", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := new(seen)
			ctx, cancel := context.WithCancel(t.Context())
			c := observed(t, s, hostile.Answers(hostile.Status(503, `{}`, "Retry-After", "5"), fine))
			time.AfterFunc(time.Second, cancel)
			err := c.Do(ctx, Request{Path: "/store"}, nil)
			s.once(t)
			e := s.ended
			if len(e) != 2 || !e[1].Again || e[1].Wait < 5*time.Second || !errors.Is(err, context.Canceled) || e[0].Err != err {
				t.Errorf("%q ended with %+v", s.lines, e)
			}
		})
	})
}

// What panics or ends the goroutine in the middle of a call leaves nothing open, and goes on as it was.
func TestObservedPanics(t *testing.T) {
	token := &oauth2.Token{AccessToken: "cnry_7f3a"}
	asked := 0
	for _, test := range []struct {
		name   string
		answer hostile.Answer
		token  func(context.Context) (*oauth2.Token, error)
		begun  int
	}{
		{"transport", func(*http.Request) (*http.Response, error) { panic("mine") }, nil, 2},
		{"transport leaves", func(*http.Request) (*http.Response, error) { runtime.Goexit(); return nil, nil }, nil, 2},
		{"token source", nil, func(context.Context) (*oauth2.Token, error) { panic("mine") }, 1},
		{"token source after a 401", hostile.Refuses(401), func(context.Context) (*oauth2.Token, error) {
			if asked++; asked > 1 {
				panic("mine")
			}
			return token, nil
		}, 2},
		{"token source before a repetition", hostile.Status(500, `{}`), func(context.Context) (*oauth2.Token, error) {
			if asked++; asked > 1 {
				panic("mine")
			}
			return token, nil
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked = 0
				s := new(seen)
				c := observed(t, s, hostile.RoundTripper(test.answer), func(c *Config) {
					if test.token != nil {
						c.Token = test.token
					}
				})
				var value any
				over := make(chan struct{})
				go func() {
					defer close(over)
					defer func() { value = recover() }()
					err := c.Do(t.Context(), Request{Path: "/store"}, nil)
					t.Errorf("got %v, want a panic", err)
				}()
				<-over
				if value != "mine" && test.name != "transport leaves" {
					t.Errorf("got %v, want the panic as it was", value)
				}
				s.once(t)
				if len(s.begun) != test.begun || !errors.Is(s.ended[0].Err, errLeft) {
					t.Errorf("%q ended with %+v", s.lines, s.ended)
				}
			})
		})
	}
}

// A hook that panics costs the call nothing, and the log has a line for it.
func TestObserverPanics(t *testing.T) {
	for _, at := range []string{"begin of the call", "begin of the request", "end of the call", "end of the request"} {
		t.Run(at, func(t *testing.T) {
			var log bytes.Buffer
			ends, panics := 0, true
			c := newTest(t, hostile.Answers(hostile.Status(200, `{"id":1}`)), func(c *Config) {
				c.Logger = slog.New(slog.NewTextHandler(&log, nil))
				c.OnAttempt = func(ctx context.Context, a Attempt) (context.Context, func(AttemptEnd)) {
					what := "call"
					if a.Number > 0 {
						what = "request"
					}
					if panics && at == "begin of the "+what {
						panic("mine\nand more")
					}
					return ctx, func(AttemptEnd) {
						ends++
						if panics && at == "end of the "+what {
							panic("mine\nand more")
						}
					}
				}
			})
			var out struct {
				ID int `json:"id"`
			}
			if err := c.Do(t.Context(), Request{Path: "/store"}, &out); err != nil || out.ID != 1 {
				t.Errorf("got %v, %v", out, err)
			}
			lines := strings.Count(log.String(), "\n")
			if lines != 1 || !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "mine") {
				t.Errorf("logged %q, want a line", log.String())
			}
			want := 2
			if strings.HasPrefix(at, "begin") {
				want = 1
			}
			if ends != want {
				t.Errorf("%d ends, want %d", ends, want)
			}
			panics = false
			if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil { // no place at the limiter is lost
				t.Error(err)
			}
		})
	}
}

// A logger that panics about the panic of a hook costs the call nothing either.
func TestObserverAndLoggerPanic(t *testing.T) {
	c := newTest(t, hostile.Answers(hostile.Status(200, `{}`)), func(c *Config) {
		c.Logger = slog.New(logging{slog.DiscardHandler, func(context.Context) { panic("logger") }, slog.LevelError})
		c.OnAttempt = func(context.Context, Attempt) (context.Context, func(AttemptEnd)) { panic("hook") }
	})
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
		t.Error(err)
	}
}

// A hook may return no context, and no function for the end.
func TestObserverReturnsNothing(t *testing.T) {
	c := newTest(t, hostile.Answers(hostile.Status(500, `{}`), hostile.Status(200, `{}`)), func(c *Config) {
		c.OnAttempt = func(context.Context, Attempt) (context.Context, func(AttemptEnd)) { return nil, nil }
	})
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
		t.Error(err)
	}
}

// The context of the call reaches the token source and the codec, that of the request the transport and the logger.
func TestObservedContext(t *testing.T) {
	under := map[string]any{}
	note := func(who string) func(context.Context) {
		return func(ctx context.Context) { under[who] = ctx.Value(underKey{}) }
	}
	s := new(seen)
	c := observed(t, s, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		note("transport")(r.Context())
		return hostile.Status(200, `{}`)(r)
	}), func(c *Config) {
		c.Token = func(ctx context.Context) (*oauth2.Token, error) {
			note("token")(ctx)
			return &oauth2.Token{AccessToken: "cnry_7f3a"}, nil
		}
		c.Codec = noting{note("codec")}
		c.Logger = slog.New(logging{slog.DiscardHandler, note("logger"), slog.LevelDebug})
	})
	if err := c.Do(t.Context(), Request{Path: "/store"}, &map[string]any{}); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]string{"token": "GET 0", "codec": "GET 0", "transport": "GET 1", "logger": "GET 1"} {
		if under[who] != want {
			t.Errorf("%s got the context of %v, want that of %s", who, under[who], want)
		}
	}
	if text := fmt.Sprintf("%+v %+v", s.begun, s.ended); strings.Contains(text, "cnry") {
		t.Errorf("the hook has the token: %s", text)
	}
}

// A hook may bound each request: what ends by that is repeated as any other.
func TestObserverBoundsRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(seen)
		s.within = func(ctx context.Context, a Attempt) context.Context {
			if a.Number == 1 {
				bounded, cancel := context.WithTimeout(ctx, time.Second)
				t.Cleanup(cancel)
				return bounded
			}
			return ctx
		}
		sent := 0
		err := observed(t, s, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if sent++; sent > 1 {
				return hostile.Status(200, `{}`)(r)
			}
			<-r.Context().Done()
			return nil, r.Context().Err()
		})).Do(t.Context(), Request{Path: "/store"}, nil)
		s.once(t)
		const want = "GET 0 begins, GET 1 begins, GET 1 ends 0 failed again, GET 2 begins, GET 2 ends 200, GET 0 ends 200"
		if err != nil || strings.Join(s.lines, ", ") != want {
			t.Errorf("got %q, %v", s.lines, err)
		}
	})
}

type noting struct{ note func(context.Context) }

func (n noting) Decode(ctx context.Context, a *Answer, out any) error {
	n.note(ctx)
	return plain{}.Decode(ctx, a, out)
}

func (noting) Fail(f *Failure) error { return plain{}.Fail(f) }

// logging is a handler that notes the context of each line from a level on.
type logging struct {
	slog.Handler
	note func(context.Context)
	from slog.Level
}

func (l logging) Enabled(_ context.Context, level slog.Level) bool { return level >= l.from }

func (l logging) Handle(ctx context.Context, _ slog.Record) error {
	l.note(ctx)
	return nil
}
