package otelcommerce

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/trace/noop"
	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// metered returns telemetry whose metrics are read by the function, as lines "name{attributes} count".
func metered(t testing.TB) (*Telemetry, func() []string) {
	reader := sdkmetric.NewManualReader()
	telemetry := &Telemetry{
		TracerProvider: noop.NewTracerProvider(), MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
	}
	return telemetry, func() []string {
		var all metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &all); err != nil {
			t.Fatal(err)
		}
		var lines []string
		add := func(name string, set attribute.Set, n any) {
			lines = append(lines, fmt.Sprintf("%s{%s} %v", name, set.Encoded(attribute.DefaultEncoder()), n))
		}
		for _, scope := range all.ScopeMetrics {
			for _, m := range scope.Metrics {
				switch data := m.Data.(type) {
				case metricdata.Histogram[float64]:
					for _, p := range data.DataPoints {
						add(m.Name, p.Attributes, p.Count)
					}
				case metricdata.Histogram[int64]:
					for _, p := range data.DataPoints {
						add(m.Name, p.Attributes, p.Count)
					}
				case metricdata.Sum[int64]:
					for _, p := range data.DataPoints {
						add(m.Name, p.Attributes, p.Value)
					}
				}
			}
		}
		slices.Sort(lines)
		return lines
	}
}

// The series of a call that is repeated, of one that an open circuit stops, and of larger plans.
func TestMeters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		telemetry, read := metered(t)
		large := []string{"X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "3999"}
		script := hostile.Answers(
			hostile.Status(503, `{}`, "X-Rate-Limit-Limit", "40", "X-Rate-Limit-Remaining", "7"),
			hostile.Status(200, `{"id":1}`, large...),
		)
		c := instrumented(t, telemetry, script, func(c *client.Config) { c.Retry.Attempts = 2 })
		if err := c.Do(t.Context(), client.Request{Path: "/products/{id}", Args: []any{42}}, nil); err != nil {
			t.Fatal(err)
		}
		const server = "server.address=api.example.com,server.port=443"
		const fine = "{http.request.method=GET,http.response.status_code=200," + server + ",url.template=/products/{id}} 1"
		const busy = "{error.type=503,http.request.method=GET,http.response.status_code=503," + server +
			",url.template=/products/{id}} 1"
		want := []string{
			"commerce.client.call.duration" + fine,
			"commerce.client.rate_limit.remaining{commerce.rate_limit.tier=large} 1",
			"commerce.client.rate_limit.remaining{commerce.rate_limit.tier=standard} 1",
			"commerce.client.rate_limit.wait{" + server + "} 1", // the repetition
			"commerce.client.resends" + busy,
			"http.client.request.duration" + fine,
			"http.client.request.duration" + busy,
		}
		slices.Sort(want)
		if got := read(); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		script.Repeat(hostile.Status(502, `{}`, large...))
		for range 30 {
			_ = c.Do(t.Context(), client.Request{Path: "/store"}, nil)
			time.Sleep(time.Millisecond)
		}
		stopped := slices.ContainsFunc(read(), func(line string) bool {
			const store = "{http.request.method=GET," + server + ",url.template=/store} "
			return strings.HasPrefix(line, "commerce.client.breaker.rejections"+store)
		})
		if !stopped {
			t.Errorf("no call was stopped:\n%s", strings.Join(read(), "\n"))
		}
	})
}

// Calls whose context ended are counted as others are.
func TestCancelledCallsAreCounted(t *testing.T) {
	telemetry, read := metered(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := instrumented(t, telemetry, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		cancel()
		return nil, r.Context().Err()
	}))
	_ = c.Do(ctx, client.Request{Path: "/store"}, nil)
	const of = "{error.type=canceled,http.request.method=GET,server.address=api.example.com,server.port=443," +
		"url.template=/store} 1"
	for _, name := range []string{"commerce.client.call.duration", "http.client.request.duration"} {
		if got := read(); !slices.Contains(got, name+of) {
			t.Errorf("%s has no such call:\n%s", name, strings.Join(got, "\n"))
		}
	}
}

// The number of series does not depend on stores or ids, also where the app writes ids into paths.
func TestCardinality(t *testing.T) {
	series := func(stores int) int {
		telemetry, read := metered(t)
		large := []string{"X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "3999"}
		fine := hostile.RoundTripper(hostile.Status(200, `{"id":1}`, large...))
		all := &client.Stores{
			Config: client.Config{
				BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)",
				HTTPClient: &http.Client{Transport: fine},
			},
			Tokens: func(context.Context, client.ID) (oauth2.TokenSource, error) { return client.StaticToken(secret), nil },
			Max:    10,
		}
		telemetry.InstrumentClient(&all.Config)
		for store := range client.ID(stores) {
			c, err := all.Client(t.Context(), store+1)
			if err != nil {
				t.Fatal(err)
			}
			requests := []client.Request{
				{Path: "/products/{id}", Args: []any{store}},
				{Path: fmt.Sprintf("/products/%d", store)},
				{Path: fmt.Sprintf("/products/sku/SKU %d", store)},
				{Path: fmt.Sprintf("/orders/%d/transactions/%08x-7e3a-4c0e-9d52-0e1d9b8f5a11", store, store), Method: "POST"},
				{Path: "/store", Method: fmt.Sprintf("X%d", store)},
			}
			if store%10 != 0 {
				requests = requests[:1+store%2] // those of all would take long under the race detector
			}
			for _, r := range requests {
				if err := c.Do(t.Context(), r, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		lines := read()
		for _, line := range lines {
			if strings.Contains(line, "SKU") || strings.Contains(line, secret) {
				t.Errorf("a series has a value: %s", line)
			}
		}
		return len(lines)
	}
	few, many := series(10), series(10_000)
	if few != many || few == 0 {
		t.Errorf("%d series of 10 stores, and %d of 10,000", few, many)
	}
	t.Logf("%d series", few)
}

// Paths that nothing can reduce are bounded.
func TestRoutesAreBounded(t *testing.T) {
	s := newRoutes(nil)
	templates := map[string]bool{}
	for i := range 3 * mostRoutes {
		word := strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i))
		templates[s.of("GET", "/handles/"+word).name] = true
	}
	if len(templates) > mostRoutes+1 || len(s.asked) > mostRoutes || len(s.known) > mostRoutes+1 {
		t.Errorf("%d templates, %d and %d kept", len(templates), len(s.asked), len(s.known))
	}
	if got := s.of("GET", "/new").name; got != "GET _OTHER" {
		t.Errorf("got %s", got)
	}
}

func TestTemplate(t *testing.T) {
	for path, want := range map[string]string{
		"/products/{product_id}/variants/{id}": "/products/{product_id}/variants/{id}", "/products/42": "/products/{value}",
		"/draft_orders": "/draft_orders", "/products/sku/A B": "/products/sku/{value}", "no path": "{value}",
		"/a{b}": "/{value}",
		"/{4}":  "/{value}", "": "", "/" + strings.Repeat("a", 65): "/{value}", "/x/": "/x/",
	} {
		if got := template(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
