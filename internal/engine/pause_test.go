package engine

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A pause that the platform asks for holds all calls for its whole time, even if it is longer than MaxWait. Calls were
// sent after 30 s of two minutes, and their errors said that the wait is over then.
func TestPausesHoldForTheirWholeTime(t *testing.T) {
	for _, test := range []struct {
		status int
		asked  time.Duration
		held   time.Duration
	}{
		{429, 2 * time.Minute, 2 * time.Minute}, {503, 2 * time.Minute, 2 * time.Minute},
		{429, 24 * time.Hour, longestHold}, {503, 24 * time.Hour, longestHold},
	} {
		t.Run(fmt.Sprint(test.status, test.asked), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				s := hostile.Answers(
					hostile.Refuses(test.status, "Retry-After", fmt.Sprint(test.asked.Seconds())), hostile.Status(200, `{}`),
				)
				c := newTest(t, s)
				waits := func(want time.Duration) {
					err := c.Do(t.Context(), Request{Path: "/store"}, nil)
					if e, ok := errors.AsType[*Error](err); !ok || e.RetryAfter < want || e.RetryAfter > want+10*time.Second {
						t.Errorf("after %v: %v, want an error that says %v", time.Since(start), err, want)
					}
				}
				waits(test.asked)
				for _, at := range []time.Duration{0, time.Second, 31 * time.Second, test.held - 31*time.Second} {
					time.Sleep(at - time.Since(start))
					waits(test.held - at)
				}
				if len(s.Seen) != 1 {
					t.Errorf("%d requests during the pause, want the first alone", len(s.Seen))
				}
				time.Sleep(test.held - 20*time.Second - time.Since(start)) // within MaxWait
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil || time.Since(start) < test.held {
					t.Errorf("%v after %v, want success after the pause", err, time.Since(start))
				}
			})
		})
	}
}

// A transport of the app that breaks the rules of http.RoundTripper ended the process.
func TestTransportsThatReturnNothing(t *testing.T) {
	for name, answer := range map[string]hostile.Answer{
		"nothing": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body": func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil },
		"no body of a refusal": func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 404, Header: http.Header{}}, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			for method, sent := range map[string]int{http.MethodGet: 3, http.MethodPost: 1} {
				s := hostile.Answers(answer)
				err := newTest(t, s).Do(t.Context(), Request{Method: method, Path: "/x"}, nil)
				if !errors.Is(err, ErrNoAnswer) || errors.Is(err, ErrNotFound) || len(s.Seen) != sent {
					t.Errorf("%s, %s: %v after %d requests, want ErrNoAnswer after %d", name, method, err, len(s.Seen), sent)
				}
				if errors.Is(err, ErrOutcomeUnknown) != (method == http.MethodPost) {
					t.Errorf("%s, %s: %v, want an unknown outcome for a write only", name, method, err)
				}
			}
		})
	}
}
