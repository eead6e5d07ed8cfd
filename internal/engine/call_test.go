package engine

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// slow answers after a while.
func slow(d time.Duration, answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		time.Sleep(d)
		return answer(r)
	}
}

// The time for repetitions begins with the first attempt, and a late repetition could undo a newer write.
func TestRepetitionsEndInTime(t *testing.T) {
	for _, test := range []struct {
		class Class
		total time.Duration
		took  time.Duration // by each attempt
		sent  int
	}{
		{Read, 5 * time.Second, 4 * time.Second, 2},
		{Read, 10 * time.Second, 4 * time.Second, 3},
		{AbsolutePut, 5 * time.Second, 4 * time.Second, 2},
		{ReplaceAll, 0, 4 * time.Second, 2},
		{ReplaceAll, 0, 5*time.Second + 1, 1},
		{AbsolutePatch, 0, 5*time.Second + 1, 1},
		{AbsolutePut, 0, 5*time.Second + 1, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(slow(test.took, hostile.Status(500, `{}`)))
			err := newTest(t, s, func(c *Config) { c.Total = test.total }).Do(t.Context(), Request{Method: "PUT", Path: "/x", Retry: test.class}, nil)
			if len(s.Seen) != test.sent {
				t.Errorf("%+v: sent %d times (%v)", test, len(s.Seen), err)
			}
		})
	}
}

// What undoes a newer write if it comes late is repeated at once or not at all, and everything else as often as ever.
func TestLateRepetitions(t *testing.T) {
	for class, endpoint := range endpoints {
		for _, f := range failures {
			want := attempts[class][f.kind-1]
			if (class == ReplaceAll || class == AbsolutePatch) && (f.kind == serverError || f.kind == noAnswer) {
				want = 1
			}
			synctest.Test(t, func(t *testing.T) {
				s := hostile.Answers(slow(soonLimit+1, f.answer))
				r := Request{Method: endpoint[0], Path: endpoint[1], Retry: class}
				if strings.Contains(r.Path, "{") {
					r.Args = []any{1}
				}
				err := newTest(t, s).Do(t.Context(), r, nil)
				if !asOften(len(s.Seen), want) {
					t.Errorf("%s, %s: sent %d times, want %d (%v)", class, f.name, len(s.Seen), want, err)
				}
			})
		}
	}
}

// A class that is not known repeats only what was never sent.
func TestUnknownClass(t *testing.T) {
	for _, f := range failures {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(f.answer)
			err := newTest(t, s).Do(t.Context(), Request{Method: "POST", Path: "/newer", Retry: "newer"}, nil)
			if want := attempts[TokenExchange][f.kind-1]; len(s.Seen) != want {
				t.Errorf("%s: sent %d times, want %d (%v)", f.name, len(s.Seen), want, err)
			}
		})
	}
}

// The wait before a repetition is anything up to a bound that doubles: nobody waits in step with others.
func TestBackoff(t *testing.T) {
	for attempts, most := range map[int]time.Duration{
		1: 250 * time.Millisecond, 2: 500 * time.Millisecond, 3: time.Second, 5: 4 * time.Second, 6: 8 * time.Second, 7: 8 * time.Second, 100: 8 * time.Second,
	} {
		least, longest := time.Hour, time.Duration(0)
		for range 1000 {
			wait := backoff(attempts)
			least, longest = min(least, wait), max(longest, wait)
		}
		if least <= 0 || least > most/20 || longest > most || longest < most-most/20 {
			t.Errorf("after %d attempts: %v to %v, want anything up to %v", attempts, least, longest, most)
		}
	}
}

func TestMaxWaitHoldsForWhatThePlatformAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := hostile.Answers(hostile.Refuses(429, "Retry-After", "5"))
		err := newTest(t, s, func(c *Config) { c.MaxWait = 2 * time.Second }).Do(t.Context(), Request{Path: "/store"}, nil)
		if e := new(Error); !errors.As(err, &e) || e.Status != 429 || e.RetryAfter != 5*time.Second || len(s.Seen) != 1 || time.Since(start) != 0 {
			t.Errorf("%d requests in %v, %v; want the 429 at once, with 5 s to wait", len(s.Seen), time.Since(start), err)
		}
	})
}

// Calls that were refused at one time do not all wake at the end of what they were asked to wait.
func TestWaitsAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := map[time.Duration]bool{}
		for range 5 {
			start := time.Now()
			if err := newTest(t, hostile.Answers(hostile.Refuses(429, "Retry-After", "5"), hostile.Status(200, `{}`))).Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
				t.Fatal(err)
			}
			waits[time.Since(start)] = true
		}
		if len(waits) < 2 {
			t.Errorf("each waited %v, want them spread", waits)
		}
	})
}

// The headers of the rate limit ask for a wait only after a 429, and only if they name one.
func TestRateTellsAWaitBeside429Only(t *testing.T) {
	for _, test := range []struct {
		status                 int
		limit, remaining, rest string
		least, most            time.Duration
	}{
		{429, "40", "0", "20000", 500 * time.Millisecond, 20 * time.Second}, // the share may be less than what drains
		{429, "40", "30", "5000", 500 * time.Millisecond, 2 * time.Second},
		{429, "40", "40", "20000", 1, 250 * time.Millisecond}, // the backoff
		{429, "40", "39", "0", 1, 250 * time.Millisecond},
		{422, "40", "0", "20000", 0, 0},
		{503, "40", "0", "20000", 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(hostile.Status(test.status, `{}`, "X-Rate-Limit-Limit", test.limit, "X-Rate-Limit-Remaining", test.remaining, "X-Rate-Limit-Reset", test.rest))
			err := newTest(t, s, func(c *Config) { c.Attempts, c.MaxWait = 1, 1 }).Do(t.Context(), Request{Path: "/store"}, nil)
			if e := new(Error); !errors.As(err, &e) || e.RetryAfter < test.least || e.RetryAfter > test.most || len(s.Seen) != 1 {
				t.Errorf("%+v: %v after %d requests", test, err, len(s.Seen))
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := hostile.Answers(hostile.Refuses(429, "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "39", "X-Rate-Limit-Reset", "0"), hostile.Status(200, `{}`))
		if err := newTest(t, s).Do(t.Context(), Request{Path: "/store"}, nil); err != nil || time.Since(start) == 0 {
			t.Errorf("%v after %v, want the backoff in the place of no wait", err, time.Since(start))
		}
	})
}

// A platform in trouble gets 20 retries from a client, and then one for each ten calls.
func TestRetriesAreEarned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.Answers(hostile.Status(408, `{}`))
		c := newTest(t, s)
		calls := func(n int) {
			for range n {
				time.Sleep(time.Minute) // the bucket is empty again
				_ = c.Do(t.Context(), Request{Path: "/store"}, nil)
			}
		}
		calls(20)
		spent := len(s.Seen)
		s.Repeat(hostile.Status(200, `{}`))
		calls(30)
		s.Repeat(hostile.Status(408, `{}`))
		before := len(s.Seen)
		calls(5)
		if again := len(s.Seen) - before - 5; spent != 20+21 || again != 4 {
			t.Errorf("20 calls were sent %d times, want 41; after 30 good ones 5 were repeated %d times, want 4", spent, again)
		}
	})
}

// A read is sent again for a newer token only where its own was refused.
func TestNewerTokenAfterOtherAnswers(t *testing.T) {
	for code, answer := range map[int]hostile.Answer{
		200: hostile.Status(200, `{}`), 403: hostile.Refuses(403), 404: hostile.Refuses(404),
	} {
		asked := 0
		s := hostile.Answers(answer)
		_ = newTest(t, s, func(c *Config) {
			c.Token = func(context.Context) (*oauth2.Token, error) {
				asked++
				return &oauth2.Token{AccessToken: strings.Repeat("a", asked)}, nil
			}
		}).Do(t.Context(), Request{Path: "/store"}, nil)
		if len(s.Seen) != 1 {
			t.Errorf("%d: sent %d times", code, len(s.Seen))
		}
	}
}

func TestWhatCannotBeSent(t *testing.T) {
	away := errors.New("database away")
	s := hostile.Answers(hostile.Status(200, `{}`))
	c := newTest(t, s, func(c *Config) {
		c.Token = func(context.Context) (*oauth2.Token, error) { return nil, away }
	})
	if err := c.Do(t.Context(), Request{Path: "/store"}, nil); !errors.Is(err, away) || err.Error() != "GET /store: access token: database away" {
		t.Errorf("no token: got %v", err)
	}
	if err := newTest(t, s).Do(t.Context(), Request{Method: "POST", Path: "/products", Body: func() {}}, nil); err == nil || errors.Is(err, ErrOutcomeUnknown) {
		t.Errorf("a body that is no JSON: got %v", err)
	}
	if err := newTest(t, s).Do(t.Context(), Request{Method: "P T", Path: "/products"}, nil); err == nil || errors.Is(err, ErrOutcomeUnknown) {
		t.Errorf("no method: got %v", err)
	}
	if len(s.Seen) != 0 {
		t.Errorf("sent %d times", len(s.Seen))
	}
}

// What no repetition can mend is sent once.
func TestFailuresOfTLSAreNotRepeated(t *testing.T) {
	for name, failure := range map[string]error{
		"a certificate": &tls.CertificateVerificationError{Err: errors.New("expired")},
		"an authority":  x509.UnknownAuthorityError{},
		"no TLS at all": tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"},
	} {
		s := hostile.Answers(hostile.Fails(failure))
		if err := newTest(t, s).Do(t.Context(), Request{Path: "/store"}, nil); err == nil || len(s.Seen) != 1 || errors.Is(err, ErrNoAnswer) {
			t.Errorf("%s: sent %d times, %v", name, len(s.Seen), err)
		}
	}
}

// A write whose answer is too large was applied: it is not sent again.
func TestWriteWithALargeAnswerIsNotRepeated(t *testing.T) {
	for _, class := range []Class{Overwrite, AddingPut, AbsolutePatch, Create} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(hostile.Status(200, strings.Repeat(" ", 1<<11)))
			err := newTest(t, s, func(c *Config) { c.MaxBody = 1 << 10 }).Do(t.Context(), Request{Method: "PUT", Path: "/x", Retry: class}, nil)
			if e := new(Error); len(s.Seen) != 1 || !errors.Is(err, ErrOutcomeUnknown) || !errors.As(err, &e) || e.Status != 200 {
				t.Errorf("%s: sent %d times, %v; want once, an unknown outcome and its status", class, len(s.Seen), err)
			}
		})
	}
}

func TestHeadersWithAndWithoutBody(t *testing.T) {
	for method, body := range map[string]any{"GET": nil, "POST": 1, "DELETE": nil} {
		s := hostile.Answers(hostile.Status(200, `{}`))
		if err := newTest(t, s).Do(t.Context(), Request{Method: method, Path: "/products", Body: body}, nil); err != nil {
			t.Fatal(err)
		}
		h := s.Seen[0].Header
		if _, typed := h["Content-Type"]; h.Get("Accept") != "application/json" || typed != (body != nil) {
			t.Errorf("%s: sent %v", method, h)
		}
	}
}

// The logger is told each attempt, at its level for debugging.
func TestAttemptsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logged := func(level slog.Level) []map[string]any {
			log.Reset()
			c := newTest(t, hostile.Answers(slow(time.Second, hostile.Fails(errors.New("reset by peer"))), hostile.Status(200, `{}`, "X-Request-Id", "r1")), func(c *Config) {
				c.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: level}))
			})
			if err := c.Do(t.Context(), Request{Path: "/products/{id}", Args: []any{7}}, nil); err != nil {
				t.Fatal(err)
			}
			var lines []map[string]any
			for d := json.NewDecoder(&log); d.More(); {
				var line map[string]any
				if err := d.Decode(&line); err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line)
			}
			return lines
		}
		lines := logged(slog.LevelDebug)
		if len(lines) != 2 {
			t.Fatalf("got %v, want a line for each of 2 attempts", lines)
		}
		for i, want := range []map[string]any{
			{"attempt": 1.0, "took": 1e9, "error": "reset by peer", "status": nil, "request_id": nil},
			{"attempt": 2.0, "took": 0.0, "error": nil, "status": 200.0, "request_id": "r1"},
		} {
			want["level"], want["msg"], want["method"], want["route"], want["store"] = "DEBUG", "client: api attempt", "GET", "/products/{id}", 123.0
			for name, value := range want {
				if lines[i][name] != value {
					t.Errorf("attempt %d: %s is %v, want %v", i+1, name, lines[i][name], value)
				}
			}
		}
		if lines := logged(slog.LevelInfo); len(lines) != 0 {
			t.Errorf("a logger that is not asked for it: got %v", lines)
		}
	})
}

// The platform tells of a larger bucket: the calls that are over take no place in it, whatever was asked before.
func TestCallsThatEndedTakeNoPlaceInALargerBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hostile.Answers(hostile.Status(200, `{}`))
		c := newTest(t, s)
		for range 30 {
			if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
				t.Fatal(err)
			}
		}
		s.Repeat(hostile.Status(200, `{}`, "X-Rate-Limit-Limit", "400", "X-Rate-Limit-Remaining", "20"))
		start := time.Now()
		for range 1 + 20 {
			if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
				t.Fatal(err)
			}
			s.Repeat(hostile.Status(200, `{}`))
		}
		if time.Since(start) != 0 {
			t.Errorf("took %v, want 20 calls at once", time.Since(start))
		}
	})
}
