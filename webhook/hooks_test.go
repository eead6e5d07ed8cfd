package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
	"github.com/commerceplatform/commerce-go/webhook"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

type spanKey struct{}

// spans are those of a receiver, with what its Handler answered.
type spans struct {
	hooktest.Spans
	mu      sync.Mutex
	answers []webhook.Answer
}

func newSpans(t *testing.T) *spans { return &spans{Spans: hooktest.Spans{T: t}} }

func (s *spans) of(h *webhook.Handler) {
	h.OnStarted = s.Started
	h.OnAnswered = func(ctx context.Context, a webhook.Answer) {
		s.End(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answers = append(s.answers, a)
	}
	h.OnFailure = func(ctx context.Context, _ *webhook.Failure) { s.See(ctx, "OnFailure") }
	h.OnRefused = func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") }
	h.OnAccepted = func(ctx context.Context, _ webhook.Entry, _ webhook.Outcome) { s.See(ctx, "OnAccepted") }
	h.OnJoined = func(ctx context.Context, _ webhook.Name, _ client.ID) { s.See(ctx, "OnJoined") }
}

func hook(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(body)))
	return r
}

// Whatever becomes of a delivery, its answer is reported once, and the hooks about it have the values of its context.
func TestHandlerHooks(t *testing.T) {
	const unknown = `{"store_id":123,"event":"order/teleported","id":5}`
	inside := func(h *house) { h.hooks.Inbox, h.hooks.OnAccepted = nil, nil }
	for _, test := range []struct {
		name    string
		change  func(h *house, r *http.Request)
		run     func(ctx context.Context) error // in the request, unless it is nil
		body    string
		times   int
		outcome webhook.Outcome
		status  int
		seen    []string
	}{
		{name: "stored", outcome: webhook.OutcomeStored, status: 200, seen: []string{"OnAccepted"}},
		{name: "joined", times: 2, outcome: webhook.OutcomeJoined, status: 200,
			seen: []string{"OnAccepted", "OnAccepted"}},
		{name: "shelved", body: unknown, outcome: webhook.OutcomeShelved, status: 200,
			seen: []string{"OnAccepted", "OnFailure"}},
		{name: "unknown", body: unknown, outcome: webhook.OutcomeUnknown, status: 200, seen: []string{"Unknown"},
			change: func(h *house, _ *http.Request) {
				h.hooks.Unknown = func(ctx context.Context, _ webhook.Delivery[webhook.Unknown]) error {
					h.see(ctx, "Unknown")
					return nil
				}
			}},
		{name: "full", outcome: webhook.OutcomeFailed, status: 503, seen: []string{"OnFailure"},
			change: func(h *house, _ *http.Request) {
				inbox := newFaulty(h.inbox)
				inbox.set("accept", errors.New("disk full"))
				h.hooks.Inbox = inbox
			}},
		{name: "queued", outcome: webhook.OutcomeQueued, status: 200, seen: []string{"Sink"},
			change: func(h *house, _ *http.Request) {
				inside(h)
				h.hooks.Sink = sinkOf(func(ctx context.Context, _ webhook.Entry) error {
					h.see(ctx, "Sink")
					return nil
				})
			}},
		{name: "ignored", body: `{"store_id":123,"event":"order/created","id":5}`, outcome: webhook.OutcomeIgnored,
			status: 200,
			change: func(h *house, _ *http.Request) { h.events.Ignore(webhook.OrderCreated.Name) }},
		{name: "ran",
			run: func(context.Context) error { return nil }, outcome: webhook.OutcomeRan, status: 200,
			seen: []string{"handler"}},
		{name: "failed",
			run: func(context.Context) error { return errors.New("no") }, outcome: webhook.OutcomeFailed, status: 503,
			seen: []string{"handler", "OnFailure"}},
		{name: "shared", times: 2,
			run: func(context.Context) error { time.Sleep(time.Second); return nil }, outcome: webhook.OutcomeShared,
			status: 200, seen: []string{"OnJoined", "handler", "handler"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.spans = newSpans(t)
				h.spans.of(h.hooks)
				h.orderPaid(func(ctx context.Context) error { h.see(ctx, "handler"); return test.run(ctx) })
				if test.run != nil {
					inside(h)
				}
				body := paid
				if test.body != "" {
					body = test.body
				}
				var all sync.WaitGroup
				statuses := make([]int, max(1, test.times))
				for i := range statuses {
					r := hook(body)
					if test.change != nil {
						test.change(h, r)
					}
					w := httptest.NewRecorder()
					all.Go(func() {
						h.hooks.ServeHTTP(w, r)
						statuses[i] = w.Code
					})
					synctest.Wait() // they come one after the other
				}
				all.Wait()
				time.Sleep(time.Hour)
				synctest.Wait()
				h.spans.Check(len(statuses), test.seen...)
				last := h.spans.answers[len(h.spans.answers)-1]
				if last.Status != test.status || statuses[len(statuses)-1] != test.status ||
					last.Outcome != test.outcome ||
					(last.Err == nil) != (test.status == 200) {
					t.Errorf("answered %d, and reported %+v; want %d and %s", statuses, last, test.status, test.outcome)
				}
				if last.StoreID != 123 || last.Bytes != len(body) || last.Event == "" {
					t.Errorf("reported %+v of a body of %d bytes", last, len(body))
				}
				kept := slices.Contains([]webhook.Outcome{"stored", "joined", "shelved", "queued"}, last.Outcome)
				if kept && !strings.HasPrefix(last.Key, ":123:order/") {
					t.Errorf("key %q", last.Key)
				}
			})
		})
	}
}

type sinkOf func(ctx context.Context, e webhook.Entry) error

func (s sinkOf) Deliver(ctx context.Context, e webhook.Entry) error { return s(ctx, e) }

// The trace of a delivery is that of Trace, or else of the header if it is one and valid, and a run is linked to it.
func TestHandlerTrace(t *testing.T) {
	other := strings.ReplaceAll(traceparent, "4", "5")
	for _, test := range []struct {
		name   string
		header []string
		trace  func(context.Context) string
		want   string
	}{
		{"none", nil, nil, ""},
		{"header", []string{traceparent}, nil, traceparent},
		{"header twice", []string{traceparent, other}, nil, ""},
		{"header that is not valid", []string{traceparent + "0"}, nil, ""},
		{"Trace", []string{traceparent}, func(ctx context.Context) string { return ctx.Value(spanKey{}).(string) },
			other},
		{"Trace that returns none", []string{traceparent}, func(context.Context) string { return "" }, ""},
		{"Trace that is not valid", nil, func(context.Context) string { return "trace" }, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.hooks.Trace = test.trace
			h.hooks.OnStarted = func(ctx context.Context, _ *http.Request) context.Context {
				return context.WithValue(ctx, spanKey{}, other)
			}
			got := "not run"
			h.worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
				got = l.Trace
				return ctx
			}
			h.orderPaid(func(context.Context) error { return nil })
			r := hook(paid)
			r.Header["Traceparent"] = test.header
			h.hooks.ServeHTTP(httptest.NewRecorder(), r)
			stop := h.run()
			synctest.Wait()
			stop()
			if got != test.want {
				t.Errorf("%s: the run has the trace %q, want %q", test.name, got, test.want)
			}
		})
	}
}

// Each OnStarted of a worker has one OnFinished with the values of its context, however the run ends.
func TestWorkerHooksOnce(t *testing.T) {
	for _, test := range []struct {
		name   string
		run    func(h *house, ctx context.Context) error
		change func(h *house)
		runs   int
		seen   []string
	}{
		{name: "succeeds", runs: 1, run: func(*house, context.Context) error { return nil }, seen: []string{"handler"}},
		{name: "fails", runs: 2, run: func(*house, context.Context) error { return errors.New("no") },
			change: func(h *house) { h.worker.MaxAttempts = 2 },
			seen:   []string{"handler", "OnFailure", "handler", "OnFailure"}},
		{name: "panics", runs: 1, run: func(*house, context.Context) error { panic("no") },
			change: func(h *house) { h.worker.MaxAttempts = 1 }, seen: []string{"handler", "OnFailure"}},
		{name: "leaves its goroutine", runs: 1, run: func(*house, context.Context) error {
			runtime.Goexit()
			return nil
		},
			change: func(h *house) { h.worker.MaxAttempts = 1 }, seen: []string{"handler", "OnFailure"}},
		{name: "dies unfinished", runs: 1, seen: []string{"OnFailure"}, change: func(h *house) {
			for range 1 + webhook.MaxUnfinished {
				h.dies()
			}
			webhook.RestartProcess()
		}},
		{name: "lost lease", runs: 2, seen: []string{"handler", "OnFailure", "handler"},
			run: func(h *house, ctx context.Context) error {
				l, _ := webhook.LeaseOf(ctx)
				if l.Attempt > 1 {
					return nil
				}
				// as if another worker had it
				if err := h.inbox.Fail(ctx, l, webhook.Failed{Delay: time.Second}); err != nil {
					return err
				}
				<-ctx.Done()
				return ctx.Err()
			}},
		{name: "times out and goes on", runs: 2, seen: []string{"handler", "OnFailure", "OnFailure", "handler"},
			run: func(_ *house, ctx context.Context) error {
				if l, _ := webhook.LeaseOf(ctx); l.Unfinished == 0 {
					time.Sleep(10 * time.Minute)
				}
				return nil
			}},
		{name: "waits", runs: 2, seen: []string{"handler", "handler"}, run: func(_ *house, ctx context.Context) error {
			if l, _ := webhook.LeaseOf(ctx); time.Since(l.FirstSeen) < time.Second {
				return webhook.RetryAfter(time.Minute)
			}
			return nil
		}},
		{name: "unknown store", runs: 1, seen: []string{"KnownStore", "OnFailure"}, change: func(h *house) {
			h.worker.MaxAttempts = 1
			h.worker.KnownStore = func(ctx context.Context, _ client.ID) (bool, error) {
				h.see(ctx, "KnownStore")
				return false, nil
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.spans = newSpans(t)
				h.worker.OnStarted = func(ctx context.Context, _ webhook.Lease) context.Context {
					return h.spans.Open(ctx)
				}
				h.worker.OnFinished = func(ctx context.Context, _ webhook.Lease, _ webhook.Result) { h.spans.End(ctx) }
				h.worker.OnFailure = func(ctx context.Context, _ *webhook.Failure) { h.see(ctx, "OnFailure") }
				h.orderPaid(func(ctx context.Context) error {
					h.see(ctx, "handler")
					return test.run(h, ctx)
				})
				h.deliver(paid)
				if test.change != nil {
					test.change(h)
				}
				stop := h.run()
				time.Sleep(time.Hour)
				synctest.Wait()
				stop()
				h.spans.Check(test.runs, test.seen...)
			})
		})
	}
}

// A run that is drained is finished too.
func TestWorkerHooksDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		s := newSpans(t)
		h.worker.OnStarted = func(ctx context.Context, _ webhook.Lease) context.Context { return s.Open(ctx) }
		h.worker.OnFinished = func(ctx context.Context, _ webhook.Lease, _ webhook.Result) { s.End(ctx) }
		h.orderPaid(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		h.deliver(paid)
		stop := h.run()
		synctest.Wait()
		stop()
		s.Check(1)
	})
}

// Each pass of a sweep has one OnStarted and one OnFinished.
func TestSweepHooks(t *testing.T) {
	for _, test := range []struct {
		name    string
		spoil   func(s *shelf, sweep *webhook.Sweep, cancel func())
		entries int
		err     bool
		told    int
	}{
		{name: "good", entries: 1},
		{name: "cannot be read", entries: 1, err: true, told: 1,
			spoil: func(s *shelf, _ *webhook.Sweep, _ func()) { s.err = errors.New("page 2") }},
		{name: "suspended", err: true,
			spoil: func(s *shelf, _ *webhook.Sweep, _ func()) { s.open = &client.Error{Status: 402} }},
		{name: "panics", err: true, told: 1, spoil: func(_ *shelf, sweep *webhook.Sweep, _ func()) {
			sweep.Sources[0].Since = func(context.Context, client.ID, time.Time) (webhook.Changes, error) {
				panic("no")
			}
		}},
		{name: "context ends", err: true, spoil: func(_ *shelf, sweep *webhook.Sweep, cancel func()) {
			sweep.Sources[0].Since = func(ctx context.Context, _ client.ID, _ time.Time) (webhook.Changes, error) {
				cancel()
				return nil, ctx.Err()
			}
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			webhook.On(h.events, webhook.ProductUpdated,
				func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
			list := &shelf{changed: map[string]time.Time{"1": time.Now()}}
			sweep := newSweep(h, list.source("product/updated"))
			s := newSpans(t)
			told := 0
			var swept webhook.Swept
			sweep.OnStarted = func(ctx context.Context, _ client.ID, _ webhook.Name) context.Context {
				return s.Open(ctx)
			}
			sweep.OnFailure = func(ctx context.Context, _ *webhook.Failure) { told++; s.See(ctx, "OnFailure") }
			sweep.OnFinished = func(ctx context.Context, is webhook.Swept) {
				s.End(ctx)
				swept = is
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.spoil != nil {
				test.spoil(list, sweep, cancel)
			}
			err := sweep.Store(ctx, 123)
			s.Check(1, slices.Repeat([]string{"OnFailure"}, test.told)...)
			got := fmt.Sprint(swept.StoreID, swept.Event, swept.Entries, swept.Err != nil, told)
			if got != fmt.Sprint(123, "product/updated", test.entries, test.err, test.told) {
				t.Errorf("%s: %+v, %v, %d failures", test.name, swept, err, told)
			}
		})
	}
}
