package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

const strange = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" // the trace of whoever sends a request

// The span of a request is that of a server, below nothing that a sender chose; below a span of the app it is internal.
func TestCallbackParent(t *testing.T) {
	for _, test := range []struct {
		name     string
		within   bool // a span of the app, as that of otelhttp
		incoming propagation.TextMapPropagator
		kind     trace.SpanKind
		parent   string // id of the span; "app" is the app's
	}{
		{"none", false, nil, trace.SpanKindServer, "0000000000000000"},
		{"of the app", true, nil, trace.SpanKindInternal, "app"},
		{"of a proxy", false, propagation.TraceContext{}, trace.SpanKindServer, "00f067aa0ba902b7"},
		{"of the app and a proxy", true, propagation.TraceContext{}, trace.SpanKindInternal, "app"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := observe(t)
			o.Incoming = test.incoming
			h := &webhook.Handler{}
			o.InstrumentWebhooks(h)
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			r.Header.Set("Traceparent", strange)
			ctx, mine := o.TracerProvider.Tracer("app").Start(t.Context(), "app")
			if !test.within {
				ctx = t.Context()
			}
			ctx = h.OnStarted(ctx, r)
			h.OnAnswered(ctx, webhook.Answer{Status: 503, Outcome: webhook.OutcomeFailed, Err: errors.New("x")})
			mine.End()
			span, want := o.span("receive"), test.parent
			if want == "app" {
				want = mine.SpanContext().SpanID().String()
			}
			if got := span.Parent().SpanID().String(); got != want || span.SpanKind() != test.kind {
				t.Errorf("%v below %s, want %v below %s", span.SpanKind(), got, test.kind, want)
			}
			if sent := h.Trace(ctx); sent != traceparent(ctx, trace.SpanFromContext(ctx)) || len(sent) != 55 {
				t.Errorf("the entry has the trace %q", sent)
			}
		})
	}
}

// hooked is a handler by its hooks.
type hooked struct {
	started  *func(context.Context, *http.Request) context.Context
	refused  *func(context.Context, client.Refused)
	answered func(context.Context) // calls OnAnswered
	set      func(func(context.Context))
}

// handlers are those of all kinds, each instrumented by the function.
func handlers(o *observed) map[string]func(before func(h *hooked)) *hooked {
	type ctx = context.Context
	return map[string]func(func(*hooked)) *hooked{
		"receive": func(before func(*hooked)) *hooked {
			h := &webhook.Handler{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, webhook.Answer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ webhook.Answer) { f(c) } }}
			before(is)
			o.InstrumentWebhooks(h)
			return is
		},
		"answer discounts": func(before func(*hooked)) *hooked {
			h := &discounts.Handler{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, discounts.Answer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ discounts.Answer) { f(c) } }}
			before(is)
			o.InstrumentDiscounts(h)
			return is
		},
		"answer rules": func(before func(*hooked)) *hooked {
			h := &rules.Handler{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, rules.Answer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ rules.Answer) { f(c) } }}
			before(is)
			o.InstrumentRules(h)
			return is
		},
		"answer shipping rates": func(before func(*hooked)) *hooked {
			h := &shipping.Handler{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, shipping.Answer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ shipping.Answer) { f(c) } }}
			before(is)
			o.InstrumentRates(h)
			return is
		},
		"answer shipping labels": func(before func(*hooked)) *hooked {
			h := &shipping.LabelHandler{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, shipping.LabelAnswer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ shipping.LabelAnswer) { f(c) } }}
			before(is)
			o.InstrumentLabels(h)
			return is
		},
		"answer payment": func(before func(*hooked)) *hooked {
			h := &payments.Callback{}
			is := &hooked{&h.OnStarted, &h.OnRefused, func(c ctx) { h.OnAnswered(c, payments.Answer{Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ payments.Answer) { f(c) } }}
			before(is)
			o.InstrumentPayments(h)
			return is
		},
		"answer payment refresh": func(before func(*hooked)) *hooked {
			h := &payments.RefreshHandler{}
			is := &hooked{&h.OnStarted, &h.OnRefused,
				func(c ctx) { h.OnAnswered(c, payments.Answer{Call: payments.CallRefresh, Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ payments.Answer) { f(c) } }}
			before(is)
			o.InstrumentRefresh(h)
			return is
		},
		"answer payment review": func(before func(*hooked)) *hooked {
			h := &payments.ReviewHandler{}
			is := &hooked{&h.OnStarted, &h.OnRefused,
				func(c ctx) { h.OnAnswered(c, payments.Answer{Call: payments.CallReview, Status: 200}) },
				func(f func(ctx)) { h.OnAnswered = func(c ctx, _ payments.Answer) { f(c) } }}
			before(is)
			o.InstrumentReview(h)
			return is
		},
	}
}

// Hooks of the app are called within the span, which they do not take out of the context, and end before it does. Those
// that panic, or return nothing, leave the span as it is.
func TestCallbackHooksOfTheApp(t *testing.T) {
	type key struct{}
	type started = func(context.Context, *http.Request) context.Context
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	for name := range handlers(observe(t)) {
		for what, start := range map[string]started{
			"none": nil,
			"a value": func(ctx context.Context, _ *http.Request) context.Context {
				return context.WithValue(ctx, key{}, 1)
			},
			"another span": func(ctx context.Context, _ *http.Request) context.Context {
				return trace.ContextWithSpan(ctx, nil)
			},
			"another root": func(context.Context, *http.Request) context.Context { return context.Background() },
			"nil":          func(context.Context, *http.Request) context.Context { return nil },
			"a panic":      func(context.Context, *http.Request) context.Context { panic("no tracer") },
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				o := observe(t)
				var calls []string
				h := handlers(o)[name](func(h *hooked) {
					*h.started = start
					*h.refused = func(ctx context.Context, _ client.Refused) {
						calls = append(calls, fmt.Sprint("refused ", ctx.Value(key{})))
					}
					h.set(func(ctx context.Context) {
						calls = append(calls, fmt.Sprint("answered ", ctx.Value(key{})))
						if len(o.spans.Ended()) > 0 {
							t.Error("the span has ended before")
						}
						if what == "a panic" {
							panic("no meter")
						}
					})
				})
				ctx := (*h.started)(t.Context(), request)
				(*h.refused)(ctx, client.Refused{Reason: client.RefusedSignature})
				func() {
					defer func() { _ = recover() }() // as the handlers do
					h.answered(ctx)
				}()
				want := []string{"refused <nil>", "answered <nil>"}
				if what == "a value" {
					want = []string{"refused 1", "answered 1"}
				}
				if !slices.Equal(calls, want) {
					t.Errorf("called %q, want %q", calls, want)
				}
				o.has(o.span(name), "commerce.refused.reason=signature")
			})
		}
	}
}

// A handler without hooks of the app, and without a tracer, works as before.
func TestCallbackWithoutTracer(t *testing.T) {
	o := observe(t)
	o.TracerProvider, o.MeterProvider = tracenoop.NewTracerProvider(), noop.NewMeterProvider()
	for name, instrument := range handlers(o) {
		h := instrument(func(*hooked) {})
		ctx := (*h.started)(t.Context(), httptest.NewRequest(http.MethodPost, "/", nil))
		(*h.refused)(ctx, client.Refused{})
		h.answered(ctx)
		h.answered(t.Context()) // as for a context that is not the one of OnStarted
		if trace.SpanContextFromContext(ctx).IsValid() {
			t.Errorf("%s: a span without a tracer", name)
		}
	}
}
