package webhook_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The runs of entries that a sweep has found are linked to its traces. One that was pending gets the trace of the
// sweep.
func TestSweepTrace(t *testing.T) {
	numbered := func(n int) string { return fmt.Sprintf("00-%032x-00f067aa0ba902b7-01", n) }
	for _, test := range []struct {
		name  string
		trace func(context.Context) string
		want  []string
	}{
		{name: "none", want: []string{"", ""}},
		{"of the sweep", func(ctx context.Context) string { return ctx.Value(spanKey{}).(func() string)() },
			[]string{numbered(1), numbered(2)}},
		{"not valid", func(context.Context) string { return strings.ToUpper(traceparent) }, []string{"", ""}},
		{"panics", func(context.Context) string { panic("no tracer") }, []string{"", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				webhook.On(h.events, webhook.ProductUpdated,
					func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
				h.hooks.Trace = func(context.Context) string { return traceparent }
				h.deliver(`{"store_id":123,"event":"product/updated","id":1}`)
				traces := map[string]string{}
				h.worker.OnStarted = func(ctx context.Context, l webhook.Lease) context.Context {
					traces[l.Key] = l.Trace
					return ctx
				}
				h.worker.Concurrency = 1
				list := &shelf{changed: map[string]time.Time{"1": time.Now(), "2": time.Now()}}
				sweep := newSweep(h, list.source("product/updated"))
				sweep.OnStarted = func(ctx context.Context, _ client.ID, _ webhook.Name) context.Context {
					n := 0
					return context.WithValue(ctx, spanKey{}, func() string { n++; return numbered(n) })
				}
				sweep.Trace = test.trace
				if err := sweep.Store(t.Context(), 123); err != nil {
					t.Fatal(err)
				}
				stop := h.run()
				synctest.Wait()
				stop()
				if got := slices.Sorted(maps.Values(traces)); !slices.Equal(got, test.want) {
					t.Errorf("runs have the traces %q, want %q", got, test.want)
				}
			})
		})
	}
}
