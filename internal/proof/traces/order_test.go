package traces

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The trace of an order goes from the platform's request through the inbox to the call of the API, whose figures the
// metrics of the inbox have.
func TestOrder(t *testing.T) {
	for _, at := range places(t) {
		t.Run(at.engine, func(t *testing.T) {
			srv, in, spans := clienttest.New(t), at.opened(t), tracetest.NewInMemoryExporter()
			provider, reader := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)), sdkmetric.NewManualReader()
			telemetry := otelcommerce.Telemetry{
				TracerProvider: provider, MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
			}
			c := observedAPI(t, &telemetry, srv)
			ctx, stop := context.WithCancel(t.Context())
			var events webhook.Registry
			webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
				defer stop()
				_, err := v202503.Orders(c).Get(ctx, d.Payload.ID)
				return err
			})
			hooks := &webhook.Handler{Secrets: []client.Secret{srv.App().Secret}, Registry: &events, Inbox: in}
			worker := &webhook.Worker{Registry: &events, Inbox: in}
			telemetry.InstrumentWebhooks(hooks)
			telemetry.InstrumentWorker(worker)
			defer telemetry.InstrumentInbox(in)()

			order := ordered(t, srv, hooks)
			pending(t, reader, 1)
			if err := worker.Run(ctx); err != nil {
				t.Fatal(err)
			}
			pending(t, reader, 0)
			got := spans.GetSpans()
			want := []string{
				"server receive order/paid", "consumer process order/paid", "internal call GET /orders/{id}",
				"client GET /orders/{id}",
			}
			checkChain(t, got, want)
			if key := attribute(got[0], "messaging.message.id"); !strings.Contains(key, order.String()) {
				t.Errorf("the key of the receipt is %q, want that of order %d", key, order)
			}
		})
	}
}

// observedAPI returns the services of a store whose calls are observed.
func observedAPI(t *testing.T, telemetry *otelcommerce.Telemetry, srv *clienttest.Server) *client.Client {
	t.Helper()
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	config := client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token),
		UserAgent: "Test (t@app.example)", HTTPClient: &http.Client{Transport: srv.Transport()},
	}
	telemetry.InstrumentClient(&config)
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ordered has the platform deliver that a new order was paid, and returns its id.
func ordered(t *testing.T, srv *clienttest.Server, hooks http.Handler) client.ID {
	t.Helper()
	if err := srv.Partner("https://app.example", hooks); err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	_, err := v202503.Webhooks(c).Create(t.Context(), client.WebhookInput{
		Event: webhook.OrderPaid.Name, URL: "https://app.example/hooks",
	})
	if err != nil {
		t.Fatal(err)
	}
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	return charge.OrderID
}

// checkChain checks that spans are of one trace, each below the one before, and that runs link to their receipts.
func checkChain(t *testing.T, spans tracetest.SpanStubs, want []string) {
	t.Helper()
	slices.SortFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	var got []string
	for i, s := range spans {
		got = append(got, fmt.Sprint(s.SpanKind, " ", s.Name))
		var parent trace.SpanID
		if i > 0 {
			parent = spans[i-1].SpanContext.SpanID()
		}
		if s.Parent.SpanID() != parent || s.SpanContext.TraceID() != spans[0].SpanContext.TraceID() || s.EndTime.IsZero() {
			t.Errorf("%s is below %v in trace %v", s.Name, s.Parent.SpanID(), s.SpanContext.TraceID())
		}
		linked := len(s.Links) == 1 && s.Links[0].SpanContext.SpanID() == parent
		if linked != strings.HasPrefix(s.Name, "process") {
			t.Errorf("%s has the links %v", s.Name, s.Links)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the trace has %q, want %q", got, want)
	}
}

func attribute(s tracetest.SpanStub, name string) string {
	for _, kv := range s.Attributes {
		if string(kv.Key) == name {
			return kv.Value.String()
		}
	}
	return ""
}

// pending checks what the metrics of the inbox say.
func pending(t *testing.T, reader sdkmetric.Reader, want int64) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if gauge, ok := m.Data.(metricdata.Gauge[int64]); ok && m.Name == "commerce.inbox.entries" {
			for _, p := range gauge.DataPoints {
				if state, _ := p.Attributes.Value("commerce.inbox.state"); state.AsString() == "pending" {
					if p.Value != want {
						t.Errorf("%d entries are pending, want %d", p.Value, want)
					}
					return
				}
			}
		}
	}
	t.Error("no figures of the inbox")
}

// What a sweep has found, and no delivery brought, has a trace too.
func TestFoundBySweep(t *testing.T) {
	for _, at := range places(t) {
		t.Run(at.engine, func(t *testing.T) {
			srv, in, spans := clienttest.New(t), at.opened(t), tracetest.NewInMemoryExporter()
			telemetry := otelcommerce.Telemetry{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
			c := observedAPI(t, &telemetry, srv)
			product, err := v202503.Products(srv.Client()).Create(t.Context(), client.ProductInput{
				Name: client.Text{"en": "Mug"},
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			var events webhook.Registry
			webhook.On(&events, webhook.ProductUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
				defer stop()
				_, err := v202503.Products(c).Get(ctx, d.Payload.ID)
				return err
			})
			sweep := &webhook.Sweep{
				Inbox: in, Marks: in, Registry: &events, Reach: -1,
				Stores: func(context.Context) ([]client.ID, error) { return []client.ID{srv.StoreID()}, nil },
				Sources: []webhook.Source{webhook.Changed(webhook.ProductUpdated.Name,
					func(_ context.Context, _ client.ID, mark time.Time) (*client.Sync[client.Product], error) {
						return v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(mark), nil
					}, func(p *client.Product) string { return p.ID.String() })},
			}
			worker := &webhook.Worker{Registry: &events, Inbox: in}
			telemetry.InstrumentSweep(sweep)
			telemetry.InstrumentWorker(worker)
			if err := sweep.Store(ctx, srv.StoreID()); err != nil {
				t.Fatal(err)
			}
			if err := worker.Run(ctx); err != nil {
				t.Fatal(err)
			}
			var found tracetest.SpanStubs
			for _, s := range spans.GetSpans() {
				if s.Name == "found product/updated" {
					found = append(found, s)
				}
			}
			if len(found) != 1 || len(found[0].Links) != 1 {
				t.Fatalf("%d entries of product %d were found", len(found), product.ID)
			}
			listed := map[string]bool{}
			var own tracetest.SpanStubs
			for _, s := range spans.GetSpans() {
				switch s.SpanContext.TraceID() {
				case found[0].SpanContext.TraceID():
					own = append(own, s)
				case found[0].Links[0].SpanContext.TraceID():
					listed[s.Name] = true
				default:
					t.Errorf("%s is in a trace of its own", s.Name)
				}
			}
			if !listed["sweep product/updated"] || !listed["call GET /products"] || !listed["GET /products"] {
				t.Errorf("the trace of the sweep has %v", listed)
			}
			own[0].Links = nil // to the sweep
			checkChain(t, own, []string{
				"producer found product/updated", "consumer process product/updated", "internal call GET /products/{id}",
				"client GET /products/{id}",
			})
		})
	}
}
