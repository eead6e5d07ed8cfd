package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

const secret = "cnry_7f3a"

// traced returns a client whose spans are recorded.
func traced(
	t testing.TB, transport http.RoundTripper, change ...func(*client.Config),
) (*client.Client, *tracetest.SpanRecorder) {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	telemetry := &Telemetry{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)), MeterProvider: noop.NewMeterProvider(),
	}
	return instrumented(t, telemetry, transport, change...), spans
}

func instrumented(
	t testing.TB, telemetry *Telemetry, transport http.RoundTripper, change ...func(*client.Config),
) *client.Client {
	t.Helper()
	config := client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken(secret),
		UserAgent: "Test (t@example.com)", HTTPClient: &http.Client{Transport: transport},
	}
	for _, f := range change {
		f(&config)
	}
	telemetry.InstrumentClient(&config)
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told returns the attributes of a span as lines, sorted.
func told(s sdktrace.ReadOnlySpan) []string {
	var all []string
	for _, kv := range s.Attributes() {
		all = append(all, fmt.Sprintf("%s=%v", kv.Key, kv.Value.AsInterface()))
	}
	slices.Sort(all)
	return all
}

// The spans of a call that is repeated: parents, kinds, names and attributes.
func TestSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var within []trace.SpanContext
		answers := hostile.Answers(
			hostile.Status(503, `{"message":"ana@example.com is busy"}`, "X-Request-Id", "req-1"),
			hostile.Status(200, `{"id":42}`, "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "7"),
		)
		c, spans := traced(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			within = append(within, trace.SpanContextFromContext(r.Context()))
			if r.Header.Get("Traceparent") != "" {
				t.Error("the platform got the trace context")
			}
			return answers.RoundTrip(r)
		}))
		ctx, mine := sdktrace.NewTracerProvider().Tracer("app").Start(t.Context(), "job")
		if _, err := v202503.Products(c).Get(ctx, 42); err != nil {
			t.Fatal(err)
		}
		ended := spans.Ended()
		if len(ended) != 3 || len(within) != 2 {
			t.Fatalf("%d spans around %d requests, want 3 around 2", len(ended), len(within))
		}
		first, second, call := ended[0], ended[1], ended[2]
		if call.Name() != "call GET /products/{id}" || call.SpanKind() != trace.SpanKindInternal ||
			call.Parent().SpanID() != mine.SpanContext().SpanID() {
			t.Errorf("got %s, %v, below %v", call.Name(), call.SpanKind(), call.Parent().SpanID())
		}
		for i, s := range []sdktrace.ReadOnlySpan{first, second} {
			if s.Name() != "GET /products/{id}" || s.SpanKind() != trace.SpanKindClient ||
				s.Parent().SpanID() != call.SpanContext().SpanID() || within[i].SpanID() != s.SpanContext().SpanID() ||
				s.SpanContext().TraceID() != mine.SpanContext().TraceID() {
				t.Errorf("request %d: got %s, %v, below %v", i+1, s.Name(), s.SpanKind(), s.Parent().SpanID())
			}
		}
		wait := ""
		for _, line := range told(first) {
			if strings.HasPrefix(line, "commerce.retry.wait=") {
				wait = line
			}
		}
		common := []string{"http.request.method=GET", "url.template=/products/{id}"}
		for _, test := range []struct {
			span   sdktrace.ReadOnlySpan
			status sdktrace.Status
			own    []string
		}{
			{first, sdktrace.Status{Code: codes.Error}, []string{
				"error.type=503", "http.response.status_code=503", "commerce.request.id=req-1", wait, "commerce.response.size=37",
				"server.address=api.example.com", "server.port=443",
			}},
			{second, sdktrace.Status{}, []string{
				"commerce.attempt=2", "http.request.resend_count=1", "http.response.status_code=200",
				"commerce.rate_limit.limit=40", "commerce.rate_limit.remaining=7", "commerce.response.size=9",
				"server.address=api.example.com", "server.port=443",
			}},
			{call, sdktrace.Status{}, []string{
				"commerce.requests=2", "http.response.status_code=200", "commerce.api.version=2025-03", "commerce.store.id=123",
			}},
		} {
			want := append(test.own, common...)
			slices.Sort(want)
			if got := told(test.span); !slices.Equal(got, want) || test.span.Status() != test.status {
				t.Errorf("%s: %v\ngot  %q\nwant %q", test.span.Name(), test.span.Status(), got, want)
			}
		}
	})
}

// Each way for a call to fail has its error.type, and every span that began has ended.
func TestEveryEnd(t *testing.T) {
	reset := hostile.Fails(syscall.ECONNRESET)
	for _, test := range []struct {
		name   string
		answer hostile.Answer
		change func(*client.Config)
		call   func(context.Context, *client.Client) error
		errors string // error.type of the call
		spans  int
	}{
		{"fine", hostile.Status(200, `{"id":1}`), nil, nil, "", 2},
		{"404", hostile.Refuses(404), nil, nil, "404", 2},
		{"no answer", reset, nil, nil, "no_answer", 4},
		{"redirect", hostile.Status(302, ``), nil, nil, "302", 2},
		{"unreadable", hostile.Status(200, `[`), nil, nil, "decode", 2},
		{"a status that HTTP does not have", hostile.Status(999, `{}`), func(c *client.Config) {
			c.Retry.Attempts = 1
		}, nil, "_OTHER", 2},
		{"token source", nil, func(c *client.Config) { c.Token = failing{} }, nil, "_OTHER", 1},
		{"not built", nil, nil, func(ctx context.Context, c *client.Client) error {
			return c.Do(ctx, client.Request{Path: "/products/{id}", Args: []any{".."}}, nil)
		}, "invalid_request", 1},
		{"cancelled before", nil, nil, func(ctx context.Context, c *client.Client) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return c.Do(ctx, client.Request{Path: "/store"}, nil)
		}, "canceled", 1},
		{"deadline", func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, nil, func(ctx context.Context, c *client.Client) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return c.Do(ctx, client.Request{Path: "/store"}, nil)
		}, "deadline_exceeded", 2},
		{"panic", func(*http.Request) (*http.Response, error) { panic("mine") }, nil, nil, "_OTHER", 2},
		{"exit", func(*http.Request) (*http.Response, error) { runtime.Goexit(); return nil, nil }, nil, nil, "_OTHER", 2},
		{"hook of the app panics", hostile.Status(200, `{"id":1}`), func(c *client.Config) {
			c.OnAttempt = func(context.Context, client.Attempt) (context.Context, func(client.AttemptEnd)) { panic("mine") }
		}, nil, "_OTHER", 2},
		{"end of the hook of the app panics", hostile.Status(200, `{"id":1}`), func(c *client.Config) {
			c.OnAttempt = func(context.Context, client.Attempt) (context.Context, func(client.AttemptEnd)) {
				return nil, func(client.AttemptEnd) { panic("mine") }
			}
		}, nil, "", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var changes []func(*client.Config)
				if test.change != nil {
					changes = append(changes, test.change)
				}
				c, spans := traced(t, hostile.RoundTripper(test.answer), changes...)
				call := test.call
				if call == nil {
					call = func(ctx context.Context, c *client.Client) error {
						_, err := v202503.Products(c).Get(ctx, 1)
						return err
					}
				}
				over := make(chan struct{})
				go func() {
					defer close(over)
					defer func() { _ = recover() }()
					_ = call(t.Context(), c)
				}()
				<-over
				ended := spans.Ended()
				if len(spans.Started()) != test.spans || len(ended) != test.spans {
					t.Fatalf("%d spans began and %d ended, want %d", len(spans.Started()), len(ended), test.spans)
				}
				got := ""
				for _, s := range ended {
					if s.SpanKind() == trace.SpanKindInternal {
						got = strings.Join(slices.DeleteFunc(told(s), func(line string) bool {
							return !strings.HasPrefix(line, "error.type=")
						}), "")
					}
					if text := fmt.Sprint(s.Status(), told(s)); strings.Contains(text, secret) {
						t.Errorf("a span shows a secret: %s", text)
					}
				}
				if got = strings.TrimPrefix(got, "error.type="); got != test.errors {
					t.Errorf("error.type is %q, want %q", got, test.errors)
				}
			})
		})
	}
}

// The hook of the app is called within the span, and its context reaches the transport.
func TestHookOfTheApp(t *testing.T) {
	type key struct{}
	var order []string
	c, _ := traced(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Context().Value(key{}) == nil || !trace.SpanContextFromContext(r.Context()).IsValid() {
			t.Error("the transport lacks the context of the hook, or the span")
		}
		return hostile.Status(200, `{"id":1}`)(r)
	}), func(c *client.Config) {
		c.OnAttempt = func(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
			span := trace.SpanFromContext(ctx)
			return context.WithValue(ctx, key{}, true), func(client.AttemptEnd) {
				order = append(order, fmt.Sprint(a.Number, span.IsRecording()))
			}
		}
	})
	err := c.Do(t.Context(), client.Request{Path: "/store"}, nil)
	if err != nil || !slices.Equal(order, []string{"1 true", "0 true"}) {
		t.Errorf("got %q, %v", order, err)
	}
}

// What ended before the provider is shut down is exported.
func TestShutdownLosesNone(t *testing.T) {
	exporter := &keeping{tracetest.NewInMemoryExporter()}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	telemetry := &Telemetry{TracerProvider: provider, MeterProvider: noop.NewMeterProvider()}
	large := hostile.Status(200, `{"id":1}`, "X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "4000")
	c := instrumented(t, telemetry, hostile.RoundTripper(large))
	const calls = 100
	for range calls {
		if err := c.Do(t.Context(), client.Request{Path: "/store"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(exporter.GetSpans()); got != 2*calls {
		t.Errorf("%d spans were exported, want %d", got, 2*calls)
	}
	if err := c.Do(t.Context(), client.Request{Path: "/store"}, nil); err != nil { // a call after it works as before
		t.Error(err)
	}
}

// keeping is an exporter in memory that is not emptied by its shutdown.
type keeping struct{ *tracetest.InMemoryExporter }

func (keeping) Shutdown(context.Context) error { return nil }

type failing struct{}

func (failing) Token() (*oauth2.Token, error) { return nil, errors.New("dsn with " + secret) }

func TestServer(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.example.com/x": "api.example.com 443", "http://127.0.0.1:8080": "127.0.0.1 8080",
		"http://localhost": "localhost 80",
		"https://[::1]:1":  "::1 1", "": "", "::": "",
	} {
		got := ""
		if server := serverOf(base); server != nil {
			got = fmt.Sprint(server[0].Value.AsString(), " ", server[1].Value.AsInt64())
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", base, got, want)
		}
	}
}
