package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestWaitOf(t *testing.T) {
	limited := &client.Error{Status: 429, RetryAfter: 30 * time.Second}
	for _, tt := range []struct {
		err   error
		want  time.Duration
		waits bool
	}{
		{nil, 0, false},
		{errors.New("down"), 0, false},
		{&client.Error{Status: 500}, 0, false},
		{webhook.ErrPermanent, 0, false},
		{context.DeadlineExceeded, 0, false},
		{limited, 30 * time.Second, true},
		{fmt.Errorf("get order: %w", limited), 30 * time.Second, true},
		{&client.Error{Status: 503, RetryAfter: time.Minute}, time.Minute, true},
		{&client.Error{Status: 429}, 0, true},
		{client.ErrRateLimited, 0, true},
		{webhook.RetryAfter(time.Hour), time.Hour, true},
		{webhook.RetryAfter(-1, errors.New("down")), 0, true},
		{webhook.RetryAfter(1000 * time.Hour), webhook.LongestWait, true},
		{errors.Join(errors.New("down"), webhook.RetryAfter(time.Minute), limited), time.Minute, true},
		{webhook.RetryAfter(time.Second, limited), 30 * time.Second, true},
	} {
		if d, waits := webhook.WaitOf(tt.err); d != tt.want || waits != tt.waits {
			t.Errorf("%v: got %v, %v, want %v, %v", tt.err, d, waits, tt.want, tt.waits)
		}
	}
	cause := errors.New("the warehouse is closed")
	if err := webhook.RetryAfter(time.Minute, cause); !errors.Is(err, cause) ||
		err.Error() != "run again after 1m0s: the warehouse is closed" {
		t.Errorf("got %q", err)
	}
}

// A wait that the API asks for is no attempt: the entry rests for as long, and none of its attempts are spent.
func TestWorkerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.MaxAttempts = 2
		began := time.Now()
		var at []time.Duration
		h.orderPaid(func(ctx context.Context) error {
			at = append(at, time.Since(began).Round(time.Second))
			if l, _ := webhook.LeaseOf(ctx); l.Attempt != 1 {
				t.Errorf("run %d is attempt %d, want 1", len(at), l.Attempt)
			}
			switch len(at) {
			case 1:
				return fmt.Errorf("get order: %w", &client.Error{Status: 429, RetryAfter: 40 * time.Second})
			case 2:
				return webhook.RetryAfter(2 * time.Hour)
			case 3:
				return webhook.RetryAfter(time.Millisecond) // a second at least
			}
			return nil
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(24 * time.Hour)
		stop()
		if got, want := fmt.Sprint(at), "[0s 40s 2h0m40s 2h0m41s]"; got != want {
			t.Errorf("runs at %s, want %s", got, want)
		}
		if told := h.told(); len(told) > 0 {
			t.Errorf("reported %v, want nothing: a wait is no failure", told)
		}
		results := h.ended()
		if len(results) != 4 || !results[0].Waited || results[0].Retry != 40*time.Second || results[0].Dead ||
			results[3].Err != nil || results[3].Waited {
			t.Errorf("got %+v", results)
		}
		if s := h.stats(); s.Pending+s.Dead > 0 {
			t.Errorf("left %+v", s)
		}
	})
}

// Waits do not keep an entry beyond MaxAge, and an open one grows with the age of the entry.
func TestWaitsEnd(t *testing.T) {
	for name, err := range map[string]error{"open": client.ErrRateLimited, "long": webhook.RetryAfter(7 * time.Hour),
		"short": webhook.RetryAfter(time.Minute)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.worker.MaxAge = 48 * time.Hour
				runs := 0
				h.orderPaid(func(context.Context) error { runs++; return err })
				h.deliver(paid)
				stop := h.run()
				time.Sleep(47 * time.Hour)
				if s := h.stats(); s.Pending != 1 {
					t.Errorf("after 47 h: %+v, want it pending", s)
				}
				time.Sleep(2 * time.Hour)
				stop()
				if s := h.stats(); s.Dead != 1 || s.Pending != 0 {
					t.Errorf("after 49 h: %+v, want it dead", s)
				}
				if name == "open" && runs > 1000 {
					t.Errorf("%d runs: the rests do not grow", runs)
				}
				if told := h.told(); len(told) != 1 || !told[0].Dead {
					t.Errorf("reported %v, want the death alone", told)
				}
			})
		})
	}
}

// Without an inbox the platform is told when to come again.
func TestHandlerPassesWaitsOn(t *testing.T) {
	for want, err := range map[string]error{"31": webhook.RetryAfter(30*time.Second + 1), "1": client.ErrRateLimited,
		"": errors.New("down")} {
		h := newHouse(t)
		h.hooks.Inbox = nil
		h.orderPaid(func(context.Context) error { return err })
		q := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(paid))
		q.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(paid)))
		w := httptest.NewRecorder()
		h.hooks.ServeHTTP(w, q)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != want {
			t.Errorf("%v: got status %d and Retry-After %q, want 503 and %q", err, w.Code,
				w.Header().Get("Retry-After"), want)
		}
	}
}

// What Started puts into its context is in those of the handler, Finished and Report.
func TestOneContextForARun(t *testing.T) {
	type key struct{}
	for _, outcome := range []error{nil, errors.New("down"), webhook.ErrPermanent} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.worker.MaxAttempts = 1
			seen := map[string]any{}
			h.worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
				return context.WithValue(ctx, key{}, l.Key)
			}
			h.orderPaid(func(ctx context.Context) error {
				seen["handler"] = ctx.Value(key{})
				if _, has := ctx.Deadline(); !has {
					t.Error("the context of the handler does not end")
				}
				return outcome
			})
			h.worker.OnFinished = func(ctx context.Context, l webhook.Lease, _ webhook.Result) {
				seen["Finished"] = ctx.Value(key{})
				if _, running := webhook.LeaseOf(ctx); ctx.Err() != nil || !running {
					t.Errorf("Finished: %v, lease %v", ctx.Err(), running)
				}
			}
			h.worker.OnFailure = func(ctx context.Context, _ *webhook.Failure) {
				seen["Report"] = ctx.Value(key{})
				if ctx.Err() != nil {
					t.Errorf("Report: %v", ctx.Err())
				}
			}
			h.deliver(paid)
			stop := h.run()
			time.Sleep(time.Minute)
			stop()
			want := map[string]any{"handler": ":123:order/paid:5", "Finished": ":123:order/paid:5"}
			if outcome != nil {
				want["Report"] = ":123:order/paid:5"
			}
			if fmt.Sprint(seen) != fmt.Sprint(want) {
				t.Errorf("%v: got %v, want %v", outcome, seen, want)
			}
		})
	}
}
