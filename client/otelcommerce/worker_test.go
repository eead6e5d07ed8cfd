package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const paid = `{"store_id":123,"event":"order/paid","id":7}`

// receiver is a handler with its inbox and a worker, which are observed.
type receiver struct {
	*observed
	inbox  *inboxmem.Inbox
	events webhook.Registry
	hooks  webhook.Handler
	worker webhook.Worker
}

func newReceiver(t *testing.T, change ...func(r *receiver)) *receiver {
	t.Helper()
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{observed: observe(t), inbox: inbox}
	silent := slog.New(slog.NewTextHandler(io.Discard, nil))
	r.hooks = webhook.Handler{Secrets: []client.Secret{secret}, Registry: &r.events, Inbox: inbox, Logger: silent}
	r.worker = webhook.Worker{Inbox: inbox, Registry: &r.events, Logger: silent, Poll: time.Hour, MaxAttempts: 2}
	for _, f := range change {
		f(r)
	}
	r.InstrumentWebhooks(&r.hooks)
	r.InstrumentWorker(&r.worker)
	return r
}

func (r *receiver) paid(f func(ctx context.Context) error) {
	webhook.On(&r.events, webhook.OrderPaid,
		func(ctx context.Context, _ webhook.Delivery[webhook.Entity]) error { return f(ctx) })
}

func (r *receiver) deliver(body string) {
	r.t.Helper()
	sender := webhooktest.Sender{Handler: &r.hooks, Secret: secret}
	if status, err := sender.Deliver(r.t.Context(), []byte(body)); err != nil || status != http.StatusOK {
		r.t.Fatalf("status %d, %v; want 200", status, err)
	}
}

// run runs the worker for a time, and then stops it.
func (r *receiver) run(ctx context.Context, d time.Duration) {
	r.t.Helper()
	ctx, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- r.worker.Run(ctx) }()
	time.Sleep(d)
	synctest.Wait()
	stop()
	if err := <-done; err != nil {
		r.t.Error(err)
	}
}

// Each run has a span below that of its delivery, which ends with the outcome, however the run ends.
func TestRuns(t *testing.T) {
	first := func(ctx context.Context) bool { l, _ := webhook.LeaseOf(ctx); return l.Attempt == 1 }
	for _, test := range []struct {
		name   string
		run    func(r *receiver, ctx context.Context) error
		change func(r *receiver)
		want   []string // outcome, class and status of each run
	}{
		{name: "succeeds", run: func(*receiver, context.Context) error { return nil }, want: []string{"done  Unset"}},
		{name: "fails twice", run: func(*receiver, context.Context) error { return &client.Error{Status: 404} },
			want: []string{"retry 404 Error", "dead 404 Error"}},
		{name: "fails permanently", run: func(*receiver, context.Context) error { return webhook.ErrPermanent },
			want: []string{"dead permanent Error"}},
		{name: "panics", run: func(_ *receiver, ctx context.Context) error {
			if first(ctx) {
				panic(errors.New("no"))
			}
			return nil
		}, want: []string{"retry panic Error", "done  Unset"}},
		{name: "leaves its goroutine", run: func(_ *receiver, ctx context.Context) error {
			if first(ctx) {
				runtime.Goexit()
			}
			return nil
		}, want: []string{"retry _OTHER Error", "done  Unset"}},
		{name: "waits", run: func(_ *receiver, ctx context.Context) error {
			if l, _ := webhook.LeaseOf(ctx); time.Since(l.FirstSeen) < time.Second {
				return webhook.RetryAfter(time.Minute)
			}
			return nil
		}, want: []string{"waits _OTHER Unset", "done  Unset"}},
		{name: "times out", run: func(_ *receiver, ctx context.Context) error {
			if !first(ctx) {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}, want: []string{"retry timeout Error", "done  Unset"}},
		{name: "loses its lease", run: func(r *receiver, ctx context.Context) error {
			l, _ := webhook.LeaseOf(ctx)
			if l.Attempt > 1 {
				return nil
			}
			if err := r.inbox.Fail(ctx, l, webhook.Failed{Delay: time.Second}); err != nil { // as if another worker had it
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}, want: []string{"done  Unset", "lost lease_lost Error"}}, // the next run ends before
		{name: "arrives once more", run: func(r *receiver, ctx context.Context) error {
			if len(r.spans.Ended()) < 2 {
				r.deliver(paid)
			}
			return nil
		}, want: []string{"again  Unset", "done  Unset"}},
		{name: "is about an app that is gone", change: func(r *receiver) {
			r.worker.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
				return webhook.Installation{Access: webhook.AccessGone}, nil
			}
		}, run: func(*receiver, context.Context) error { return &client.Error{Status: 401} },
			want: []string{"waits 401 Unset", "waits 401 Unset", "dropped gone Unset"}},
		{name: "hook panics", change: func(r *receiver) {
			r.worker.OnStarted = func(context.Context, webhook.Lease) context.Context { panic("no tracer") }
		}, want: []string{"unsettled panic Error", "unsettled panic Error"}},
		{name: "is drained", change: func(r *receiver) { r.worker.Grace, r.worker.Timeout = time.Second, 48*time.Hour },
			run:  func(_ *receiver, ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			want: []string{"unsettled canceled Unset"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newReceiver(t, func(r *receiver) {
					if test.change != nil {
						test.change(r)
					}
				})
				r.paid(func(ctx context.Context) error { return test.run(r, ctx) })
				r.deliver(paid)
				r.run(t.Context(), time.Hour)
				receipt := r.named("receive order/paid")[0]
				var got []string
				for _, s := range r.named("process order/paid") {
					all := attributes(s)
					got = append(got, fmt.Sprint(all["commerce.outcome"], " ", all["error.type"], " ", s.Status().Code))
					if test.name != "arrives once more" {
						r.below(s, receipt)
					}
				}
				if test.name == "arrives once more" {
					slices.Sort(got) // another place may end the second run before the hook of the first one is called
				}
				if !slices.Equal(got, test.want) {
					t.Errorf("runs are %q, want %q", got, test.want)
				}
			})
		})
	}
}

// The attributes and series of a run.
func TestRunAttributes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(t)
		r.paid(func(context.Context) error { return errors.New("of ana@example.com") })
		r.deliver(paid)
		r.deliver(paid)
		r.run(t.Context(), time.Hour)
		runs := r.named("process order/paid")
		if len(runs) != 2 || runs[0].SpanKind() != trace.SpanKindConsumer || runs[0].Status().Description != "" {
			t.Fatalf("%d runs: %v", len(runs), r.names())
		}
		receipts := r.named("receive order/paid")
		r.has(receipts[0], "commerce.outcome=stored", "messaging.message.id=:123:order/paid:7", "commerce.store.id=123",
			"commerce.request.size=44", "http.response.status_code=200", "commerce.callback=webhook")
		r.has(receipts[1], "commerce.outcome=joined")
		r.below(runs[0], receipts[1]) // the run has the body of the last arrival, and its trace
		r.has(runs[0], "messaging.system=commerce_inbox", "messaging.operation.type=process", "commerce.attempt=1",
			"messaging.message.id=:123:order/paid:7", "commerce.store.id=123", "commerce.webhook.deliveries=2")
		r.has(runs[1], "commerce.attempt=2", "commerce.retry.wait=")
		const process = "commerce.event=order/paid,commerce.outcome="
		const of = ",error.type=_OTHER,messaging.operation.name=process,messaging.system=commerce_inbox} 1"
		r.counts(
			"messaging.process.duration{"+process+"retry"+of, "messaging.process.duration{"+process+"dead"+of,
			"commerce.webhook.run.lag{commerce.event=order/paid} 1", "commerce.webhook.dead{commerce.event=order/paid} 1",
			"commerce.webhook.run.attempts{"+process+"dead} 1",
			"commerce.callback.duration{commerce.callback=webhook,"+process+"stored,http.response.status_code=200} 1",
		)
		r.deliver(`{"store_id":123,"event":"order/teleported","id":7}`)
		r.counts("commerce.webhook.dead{commerce.event=_OTHER} 1")
	})
}

// A run is below its delivery and links to it, or only links to it; a span around Worker.Run is never its parent.
func TestRunParents(t *testing.T) {
	for _, separate := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newReceiver(t, func(r *receiver) { r.SeparateRuns = separate })
			r.paid(func(ctx context.Context) error {
				_, call := r.TracerProvider.Tracer("app").Start(ctx, "call")
				call.End()
				return nil
			})
			r.deliver(paid)
			e := r.events.Entry("", "", []byte(`{"store_id":123,"event":"order/paid","id":8}`))
			e.Trace = "not valid"
			if _, err := r.inbox.Accept(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			ctx, around := r.TracerProvider.Tracer("app").Start(t.Context(), "main")
			r.worker.Concurrency = 1
			r.run(ctx, time.Minute)
			around.End()
			receipt, runs, calls := r.span("receive order/paid"), r.named("process order/paid"), r.named("call")
			for i, run := range runs {
				r.below(calls[i], run)
				traced := attributes(run)["messaging.message.id"] == ":123:order/paid:7"
				switch {
				case traced && !separate:
					r.below(run, receipt)
				case run.Parent().IsValid():
					t.Errorf("a run is below %v", run.Parent())
				}
				links := slices.ContainsFunc(run.Links(), func(l sdktrace.Link) bool {
					return l.SpanContext.SpanID() == receipt.SpanContext().SpanID()
				})
				if links != traced || len(run.Links()) > 1 {
					t.Errorf("a run has the links %v", run.Links())
				}
			}
			if len(runs) != 2 || len(calls) != 2 {
				t.Errorf("%d runs and %d calls", len(runs), len(calls))
			}
		})
	}
}

// A run whose delivery was not sampled is not sampled either, so that traces are whole or not there.
func TestRunIsSampledAsItsDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(t)
		handled := false
		r.paid(func(context.Context) error { handled = true; return nil })
		e := r.events.Entry("", "", []byte(paid))
		e.Trace = strange[:53] + "00"
		if _, err := r.inbox.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		r.run(t.Context(), time.Minute)
		if got := r.names(); !handled || len(got) > 0 {
			t.Errorf("handled: %v, with the spans %q", handled, got)
		}
	})
}

// Hooks of the app get the span, and the run has the values and the end of the context that they return.
func TestRunHooksOfTheApp(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var calls []string
		r := newReceiver(t, func(r *receiver) {
			note := func(ctx context.Context, what string) {
				calls = append(calls, fmt.Sprint(what, " ", ctx.Value(key{}), " ", trace.SpanFromContext(ctx).IsRecording()))
			}
			r.worker.OnStarted = func(ctx context.Context, _ webhook.Lease) context.Context {
				note(ctx, "started")
				return context.WithValue(ctx, key{}, 1)
			}
			r.worker.OnFinished = func(ctx context.Context, _ webhook.Lease, _ webhook.Result) {
				note(ctx, "finished")
				panic("no meter")
			}
			r.paid(func(ctx context.Context) error { note(ctx, "handler"); return nil })
		})
		r.deliver(paid)
		r.run(t.Context(), time.Minute)
		if want := []string{"started <nil> true", "handler 1 true", "finished 1 true"}; !slices.Equal(calls, want) {
			t.Errorf("called %q, want %q", calls, want)
		}
		if s := r.span("process order/paid"); s.Status().Code != codes.Unset {
			t.Errorf("got %+v", s.Status())
		}
	})
}

// A privacy request leaves no key, because that may be the id of a customer.
func TestProtectedRunHasNoKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(t)
		webhook.On(&r.events, webhook.CustomerRedactRequested,
			func(context.Context, webhook.Delivery[webhook.CustomerRedact]) error { return nil })
		r.hooks.Event = webhook.CustomerRedactRequested.Name
		r.deliver(`{"store_id":123,"customer":{"id":4711,"email":"ana@example.com"},"orders_to_redact":[5]}`)
		r.run(t.Context(), time.Minute)
		for _, s := range []sdktrace.ReadOnlySpan{r.span("receive customers/redact"), r.span("process customers/redact")} {
			r.has(s, "messaging.message.id=", "commerce.store.id=123")
		}
	})
}
