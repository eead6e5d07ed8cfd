package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// listed is a list of records that changed.
type listed struct {
	n   int
	err error // after them
}

func (l listed) All(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for i := range l.n {
			if !yield(fmt.Sprint(i+1), nil) {
				return
			}
		}
		if l.err != nil {
			yield("", l.err)
		}
	}
}

func (listed) Mark() time.Time { return time.Now() }

func sweeper(r *receiver, since func(ctx context.Context) (webhook.Changes, error)) *webhook.Sweep {
	return &webhook.Sweep{
		Inbox: r.inbox, Marks: r.inbox, Registry: &r.events, OnFailure: func(context.Context, *webhook.Failure) {},
		Stores: func(context.Context) ([]client.ID, error) { return []client.ID{123}, nil },
		Sources: []webhook.Source{{Event: "order/paid", Since: func(
			ctx context.Context, _ client.ID, _ time.Time,
		) (webhook.Changes, error) {
			return since(ctx)
		}}},
	}
}

// Each entry that a sweep has found has a trace of its own, which links to the sweep and has the run.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReceiver(t)
		r.paid(func(context.Context) error { return nil })
		sweep := sweeper(r, func(context.Context) (webhook.Changes, error) { return listed{n: 3}, nil })
		r.InstrumentSweep(sweep)
		ctx, mine := r.TracerProvider.Tracer("app").Start(t.Context(), "resumed")
		if err := sweep.Store(ctx, 123); err != nil {
			t.Fatal(err)
		}
		mine.End()
		r.run(t.Context(), time.Minute)
		list, found, runs := r.span("sweep order/paid"), r.named("found order/paid"), r.named("process order/paid")
		r.below(list, r.span("resumed"))
		r.has(list, "commerce.sweep.entries=3", "commerce.outcome=read", "commerce.store.id=123", "commerce.event=order/paid")
		if len(found) != 3 || len(runs) != 3 {
			t.Fatalf("%d entries and %d runs, want 3", len(found), len(runs))
		}
		traces := map[trace.TraceID]trace.SpanID{}
		for _, s := range found {
			links := s.Links()
			if s.Parent().IsValid() || len(links) != 1 || links[0].SpanContext.SpanID() != list.SpanContext().SpanID() {
				t.Errorf("an entry is below %v with the links %v", s.Parent(), links)
			}
			traces[s.SpanContext().TraceID()] = s.SpanContext().SpanID()
		}
		for _, s := range runs {
			if traces[s.SpanContext().TraceID()] != s.Parent().SpanID() {
				t.Errorf("a run is below %v", s.Parent())
			}
		}
		if len(traces) != 3 {
			t.Errorf("%d traces, want one for each entry", len(traces))
		}
		r.counts(
			"commerce.webhook.sweep.duration{commerce.event=order/paid,commerce.outcome=read} 1",
			"commerce.webhook.sweep.entries{commerce.event=order/paid} 3",
		)
	})
}

// The span of a sweep ends, with an error if the list is to be read again.
func TestSweepEnds(t *testing.T) {
	for _, test := range []struct {
		name  string
		since func(ctx context.Context, stop func()) (webhook.Changes, error)
		want  string // outcome, class, status
	}{
		{"fails", func(context.Context, func()) (webhook.Changes, error) {
			return listed{1, &client.Error{Status: 500}}, nil
		}, "failed 500 Error"},
		{"panics", func(context.Context, func()) (webhook.Changes, error) { panic("no") }, "failed panic Error"},
		{"suspended", func(context.Context, func()) (webhook.Changes, error) {
			return nil, &client.Error{Status: 402}
		}, "suspended  Unset"},
		{"stopped", func(ctx context.Context, stop func()) (webhook.Changes, error) {
			stop()
			return nil, ctx.Err()
		}, "stopped  Unset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newReceiver(t)
			r.paid(func(context.Context) error { return nil })
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			sweep := sweeper(r, func(ctx context.Context) (webhook.Changes, error) { return test.since(ctx, stop) })
			r.InstrumentSweep(sweep)
			_ = sweep.Store(ctx, 123)
			s := r.span("sweep order/paid")
			all := attributes(s)
			got := fmt.Sprint(all["commerce.outcome"], " ", all["error.type"], " ", s.Status().Code)
			if got != test.want || s.Status().Code == codes.Ok {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Hooks of the app get the span, and Trace of the app stays.
func TestSweepHooksOfTheApp(t *testing.T) {
	type key struct{}
	for _, panics := range []bool{false, true} {
		r := newReceiver(t)
		r.paid(func(context.Context) error { return nil })
		sweep := sweeper(r, func(ctx context.Context) (webhook.Changes, error) {
			if (ctx.Value(key{}) == nil) != panics || !trace.SpanFromContext(ctx).IsRecording() {
				t.Error("the context is not that of the hook")
			}
			return listed{n: 1}, nil
		})
		var calls []string
		sweep.OnStarted = func(ctx context.Context, _ client.ID, _ webhook.Name) context.Context {
			calls = append(calls, "started")
			if panics {
				panic("no tracer")
			}
			return context.WithValue(ctx, key{}, 1)
		}
		sweep.OnFinished = func(ctx context.Context, _ webhook.Swept) {
			calls = append(calls, fmt.Sprint("finished ", trace.SpanFromContext(ctx).IsRecording()))
			panic(errors.New("no meter"))
		}
		sweep.Trace = func(context.Context) string { return strange }
		r.InstrumentSweep(sweep)
		if err := sweep.Store(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(calls, []string{"started", "finished true"}) {
			t.Errorf("called %q", calls)
		}
		r.span("sweep order/paid")
		leases, err := r.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
		if err != nil || len(leases) != 1 || leases[0].Trace != strange {
			t.Errorf("leased %+v, %v", leases, err)
		}
	}
}
