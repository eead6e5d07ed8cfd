package otelcommerce_test

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// An app that has set the providers of package otel uses the zero Telemetry. Here the spans are printed.
func ExampleTelemetry_InstrumentClient() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	token, err := srv.Install()
	if err != nil {
		fmt.Println(err)
		return
	}
	spans := tracetest.NewSpanRecorder()
	telemetry := otelcommerce.Telemetry{TracerProvider: trace.NewTracerProvider(trace.WithSpanProcessor(spans))}
	config := client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "My App (dev@my.app)",
		HTTPClient: &http.Client{Transport: srv.Transport()},
	}
	telemetry.InstrumentClient(&config)
	c, err := client.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := v202503.Products(c).Get(ctx, 42); err != nil {
		fmt.Println(err)
	}
	for _, span := range spans.Ended() {
		fmt.Println(span.SpanKind(), span.Name(), span.Status().Code)
	}
	// Output:
	// GET /products/{id}: 404 Not Found: Product with such id does not exist (request 1)
	// client GET /products/{id} Error
	// internal call GET /products/{id} Error
}
