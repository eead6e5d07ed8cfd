package otelcommerce_test

import (
	"context"
	"crypto/rsa"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

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

// Calls of the API in the functions of discounts, rates, labels and payments are in the trace of the request that they
// answer.
func TestOneTrace(t *testing.T) {
	type call = func(ctx context.Context) error
	type ask = func(srv *clienttest.Server, t *otelcommerce.Telemetry, call call) error
	direct := func(h http.Handler, path, body string, header ...string) error {
		post(h, path, body, header...)
		return nil
	}
	paying := func(srv *clienttest.Server, telemetry *otelcommerce.Telemetry) (common payments.Callback, err error) {
		key, err := srv.PaymentKey()
		common = payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example", Now: srv.Clock().Now}
		telemetry.InstrumentPayments(&common)
		return common, err
	}
	for name, one := range map[string]ask{
		"answer discounts line_item": func(_ *clienttest.Server, telemetry *otelcommerce.Telemetry, call call) error {
			none := func(context.Context, client.ID) ([]promotions.Promotion, error) { return nil, nil }
			h := &discounts.Handler{
				Plans:   discounts.Plans{LineItems: func(ctx context.Context, _ *discounts.LinePlan) error { return call(ctx) }},
				Secrets: []client.Secret{secret}, Promotions: &discounts.PromotionCache{Load: none},
			}
			defer h.Promotions.Close()
			telemetry.InstrumentDiscounts(h)
			return direct(h, "/", cartBody, discounts.SignatureHeader, discounts.Sign(secret, []byte(cartBody)))
		},
		"answer shipping rates": func(_ *clienttest.Server, telemetry *otelcommerce.Telemetry, call call) error {
			h := &shipping.Handler{
				Access: shipping.Access{Guarded: true},
				Rates:  func(ctx context.Context, _ shipping.Quote) ([]shipping.Rate, error) { return nil, call(ctx) },
			}
			telemetry.InstrumentRates(h)
			return direct(h, "/", ratesBody)
		},
		"answer shipping labels generate": func(_ *clienttest.Server, telemetry *otelcommerce.Telemetry, call call) error {
			h := &shipping.LabelHandler{
				Access: shipping.Access{Guarded: true},
				Generate: func(ctx context.Context, _ []shipping.Label) ([]shipping.LabelFailure, error) {
					return nil, call(ctx)
				},
			}
			telemetry.InstrumentLabels(h)
			return direct(h, "/generate", labelsBody)
		},
		"answer payment refund": func(srv *clienttest.Server, telemetry *otelcommerce.Telemetry, call call) error {
			common, err := paying(srv, telemetry)
			if err != nil {
				return err
			}
			err = srv.Partner("https://pay.example", &payments.RefundHandler{
				Callback: common, Refund: func(ctx context.Context, _ payments.RefundRequest) error { return call(ctx) },
			})
			if err != nil {
				return err
			}
			charge, err := srv.Charge(client.Cents(2550))
			if err != nil {
				return err
			}
			_, err = srv.Refund(context.Background(), charge.TransactionID, client.Cents(1000))
			return err
		},
		"answer payment refresh": func(_ *clienttest.Server, telemetry *otelcommerce.Telemetry, call call) error {
			h := &payments.RefreshHandler{
				Refresh: func(ctx context.Context, _ payments.RefreshRequest) (payments.Tokens, error) {
					return payments.Tokens{AccessToken: "a", RefreshToken: "b", ExpiresIn: time.Hour}, call(ctx)
				},
			}
			telemetry.InstrumentRefresh(h)
			return direct(h, "/", `{"grant_type":"refresh_token","client_id":"1","client_secret":"s","refresh_token":"c"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv, spans := clienttest.New(t), tracetest.NewSpanRecorder()
			token, err := srv.Install()
			if err != nil {
				t.Fatal(err)
			}
			config := client.Config{
				BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token),
				UserAgent: "Test (t@app.example)", HTTPClient: &http.Client{Transport: srv.Transport()},
			}
			telemetry := &otelcommerce.Telemetry{TracerProvider: trace.NewTracerProvider(trace.WithSpanProcessor(spans))}
			telemetry.InstrumentClient(&config)
			c, err := client.New(config)
			if err != nil {
				t.Fatal(err)
			}
			err = one(srv, telemetry, func(ctx context.Context) error {
				return c.Do(ctx, client.Request{Path: "/store"}, nil)
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			ended := spans.Ended() // the innermost first
			for i, s := range ended {
				got = append(got, fmt.Sprint(s.SpanKind(), " ", s.Name()))
				if i+1 < len(ended) && s.Parent().SpanID() != ended[i+1].SpanContext().SpanID() {
					t.Errorf("%s is not below %s", s.Name(), ended[i+1].Name())
				}
			}
			want := []string{"client GET /store", "internal call GET /store", "server " + name}
			if !slices.Equal(got, want) || len(spans.Started()) != len(ended) {
				t.Errorf("%d spans were started, and ended %q; want %q", len(spans.Started()), got, want)
			}
		})
	}
}
