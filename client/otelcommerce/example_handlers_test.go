package otelcommerce_test

import (
	"context"
	"crypto/rsa"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// recorded returns telemetry, and a function that prints its spans. An app uses the zero Telemetry and an exporter.
func recorded() (*otelcommerce.Telemetry, func()) {
	spans := tracetest.NewSpanRecorder()
	telemetry := &otelcommerce.Telemetry{TracerProvider: trace.NewTracerProvider(trace.WithSpanProcessor(spans))}
	return telemetry, func() {
		for _, s := range spans.Ended() {
			all := attribute.NewSet(s.Attributes()...)
			outcome, _ := all.Value("commerce.outcome")
			fmt.Println(s.SpanKind(), strings.TrimSuffix(s.Name()+": "+outcome.AsString(), ": "))
		}
	}
}

// Bodies of requests of the platform.
const (
	cartBody = `{"cart_id":"7","store_id":"123","execution_tier":"line_item","currency":"ARS",
		"products":[{"id":101,"price":"10.00","product_id":1,"variant_id":11,"quantity":3}],
		"totals":{"subtotal":"30.00"},"promotions":[]}`
	ratesBody = `{"store_id":123,"currency":"ARS","language":"es",
		"origin":{"postal_code":"1602","country":"AR"},"destination":{"postal_code":"2000","country":"AR"},
		"items":[{"id":1,"quantity":3,"grams":400,"dimensions":{"width":12.0,"height":10.0,"depth":10.0}}],
		"carrier":{"id":"5","name":"Courier","options":[{"id":"9","name":"Standard","code":"standard"}]}}`
	labelsBody = `[{"id":"01JEXAMP1E0000000000000AB1","status":"STARTED",
		"fulfillment_order_info":{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}}]`
)

// post sends a body to a handler.
func post(h http.Handler, path, body string, header ...string) {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(httptest.NewRecorder(), r)
}

func ExampleTelemetry_InstrumentDiscounts() {
	telemetry, show := recorded()
	nothing := func(context.Context, *discounts.LinePlan) error { return nil }
	none := func(context.Context, client.ID) ([]promotions.Promotion, error) { return nil, nil }
	carts := &discounts.Handler{
		Plans: discounts.Plans{LineItems: nothing}, Secrets: []client.Secret{secret},
		Promotions: &discounts.PromotionCache{Load: none},
	}
	defer carts.Promotions.Close()
	telemetry.InstrumentDiscounts(carts)

	post(carts, "/carts", cartBody, discounts.SignatureHeader, discounts.Sign(secret, []byte(cartBody)))
	post(carts, "/carts", cartBody) // of a stranger
	show()
	// Output:
	// server answer discounts line_item: ran
	// server answer discounts: refused
}

func ExampleTelemetry_InstrumentRates() {
	telemetry, show := recorded()
	rates := &shipping.Handler{
		Access: shipping.Access{Guarded: true},
		Rates: func(context.Context, shipping.Quote) ([]shipping.Rate, error) {
			return nil, shipping.ErrNoCoverage
		},
	}
	telemetry.InstrumentRates(rates)

	post(rates, "/rates", ratesBody)
	show()
	// Output:
	// server answer shipping rates: declined
}

func ExampleTelemetry_InstrumentLabels() {
	telemetry, show := recorded()
	labels := &shipping.LabelHandler{
		Access: shipping.Access{Guarded: true},
		Generate: func(context.Context, []shipping.Label) ([]shipping.LabelFailure, error) {
			return nil, nil // they are made later
		},
	}
	telemetry.InstrumentLabels(labels)

	post(labels, "/labels/generate", labelsBody)
	show()
	// Output:
	// server answer shipping labels generate: ran
}

// The handlers of an app share a Callback, so that one call suffices.
func ExampleTelemetry_InstrumentPayments() {
	telemetry, show := recorded()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	key, err := srv.PaymentKey()
	if err != nil {
		fmt.Println(err)
		return
	}
	common := payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example", Now: srv.Clock().Now}
	telemetry.InstrumentPayments(&common)

	mux := http.NewServeMux()
	mux.Handle("/process", &payments.ProcessHandler{
		Callback: common, Process: func(context.Context, payments.ProcessRequest) (any, error) { return nil, nil },
	})
	mux.Handle("/", &payments.RefundHandler{
		Callback: common, Refund: func(context.Context, payments.RefundRequest) error { return payments.RefundRefusalTooOld },
	})
	if err := srv.Partner("https://pay.example", mux); err != nil {
		fmt.Println(err)
		return
	}
	charge, err := srv.Charge(client.Cents(2550)) // paid, with a refund_url at https://pay.example
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := srv.Refund(context.Background(), charge.TransactionID, client.Cents(1000)); err != nil {
		fmt.Println(err)
	}
	show()
	// Output:
	// server answer payment refund: declined
}

func ExampleTelemetry_InstrumentRefresh() {
	telemetry, show := recorded()
	refresh := &payments.RefreshHandler{
		Refresh: func(_ context.Context, r payments.RefreshRequest) (payments.Tokens, error) {
			if !r.Proves("the secret") {
				return payments.Tokens{}, payments.ErrInvalidClient
			}
			return payments.Tokens{AccessToken: "a", RefreshToken: "b", ExpiresIn: time.Hour}, nil
		},
	}
	telemetry.InstrumentRefresh(refresh)

	for _, given := range []string{"the secret", "a guess"} {
		post(refresh, "/refresh", fmt.Sprintf(
			`{"grant_type":"refresh_token","client_id":"1","client_secret":%q,"refresh_token":"c"}`, given))
	}
	show()
	// Output:
	// server answer payment refresh: ran
	// server answer payment refresh: declined
}
