package traces

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const secret client.Secret = "5f2b1c9a7d3e4f60"

// printing is an exporter that prints a line for each span.
type printing struct{}

func (printing) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, s := range spans {
		stub := tracetest.SpanStubFromReadOnlySpan(s)
		_, err := fmt.Printf("span\t%s\t%s\t%s\t%s\t%s\n", s.Name(), s.SpanContext().TraceID(), s.Parent().SpanID(),
			attribute(stub, "commerce.attempt"), attribute(stub, "commerce.outcome"))
		if err != nil {
			return err
		}
	}
	return nil
}

func (printing) Shutdown(context.Context) error { return nil }

// replica is a process with a worker, which ends as an app should: at SIGTERM the worker is drained, and then the
// provider is shut down. With HANG the handler does not return before its context ends.
func replica() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	at := place{os.Getenv("ENGINE"), os.Getenv("ADDRESS"), os.Getenv("QUEUE")}
	in, end, err := at.open(ctx)
	if err != nil {
		return err
	}
	defer end()
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(printing{}, sdktrace.WithBatchTimeout(time.Hour)))
	telemetry := otelcommerce.Telemetry{TracerProvider: provider}
	config := client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("t"), UserAgent: "Test (t@app.example)",
		HTTPClient: &http.Client{Transport: hostile.Answers(hostile.Status(http.StatusOK, `{"id":7}`))},
	}
	telemetry.InstrumentClient(&config)
	api, err := client.New(config)
	if err != nil {
		return err
	}
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Println("handler")
		if os.Getenv("HANG") != "" {
			<-ctx.Done()
			return ctx.Err()
		}
		err := api.Do(ctx, client.Request{Path: "/orders/{id}", Args: []any{d.Payload.ID}}, nil)
		stop() // as if SIGTERM came right then
		return err
	})
	worker := &webhook.Worker{
		Inbox: in, Registry: &events, Lease: time.Second, Grace: 10 * time.Millisecond, Poll: 50 * time.Millisecond,
	}
	telemetry.InstrumentWorker(worker)
	if err := worker.Run(ctx); err != nil {
		return err
	}
	return provider.Shutdown(context.Background()) // which exports the spans that it still has
}

// One trace has the request to one process and the runs of others, of which one is killed and one is stopped. The
// process that is stopped exports all spans before it ends.
func TestReplicas(t *testing.T) {
	for _, at := range places(t)[1:] {
		t.Run(at.engine, func(t *testing.T) {
			in, spans := at.opened(t), tracetest.NewInMemoryExporter()
			telemetry := otelcommerce.Telemetry{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))}
			var events webhook.Registry
			webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
			hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: in}
			telemetry.InstrumentWebhooks(hooks)
			sender := webhooktest.Sender{Handler: hooks, Secret: secret}
			if _, err := sender.Deliver(t.Context(), []byte(`{"store_id":123,"event":"order/paid","id":7}`)); err != nil {
				t.Fatal(err)
			}
			receipt := spans.GetSpans()[0].SpanContext
			begin := func(more ...string) *proctest.Process {
				t.Helper()
				c := proctest.Start(t, "worker",
					append(more, "ENGINE="+at.engine, "ADDRESS="+at.address, "QUEUE="+at.queue)...)
				if line := c.Line(t); line != "handler" {
					t.Fatalf("the child printed %q", line)
				}
				return c
			}
			run := func(c *proctest.Process, attempt, outcome string) {
				t.Helper()
				want := strings.Join([]string{
					"span", "process order/paid", receipt.TraceID().String(), receipt.SpanID().String(), attempt, outcome,
				}, "\t")
				if got := c.Line(t); got != want {
					t.Errorf("a run is %q, want %q", got, want)
				}
			}
			begin("HANG=1").Kill(t) // its span is lost

			stopped := begin("HANG=1")
			stopped.Terminate(t)
			run(stopped, "1", "unsettled")

			last := begin()
			for _, name := range []string{"GET /orders/{id}", "call GET /orders/{id}"} {
				if line := last.Line(t); !strings.HasPrefix(line, "span\t"+name+"\t"+receipt.TraceID().String()+"\t") {
					t.Errorf("a call is %q, want one of the trace %s", line, receipt.TraceID())
				}
			}
			run(last, "1", "done") // a run that was left unfinished or given back is no attempt
			if s, err := in.Stats(t.Context()); err != nil || s.Pending != 0 || s.Dead != 0 {
				t.Errorf("%+v, %v; want nothing pending", s, err)
			}
			for _, c := range []*proctest.Process{stopped, last} {
				<-c.Ended()
			}
		})
	}
}
