package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The number of series of handlers, workers and sweeps does not depend on stores, ids or what strangers write. Other
// stores add none.
func TestProofCardinality(t *testing.T) {
	stores := tier.Size(1_000, 10_000, 1_000_000)
	o := observe(t)
	o.TracerProvider = tracenoop.NewTracerProvider()
	serve := manyStores(&o.Telemetry)
	for i := range stores {
		serve(i)
	}
	few := o.lines()
	for i := range stores {
		serve(7_000_000_000 + i)
	}
	many := o.lines()
	for _, line := range many {
		name, _, _ := strings.Cut(line, "}")
		if strings.Contains(name, "7000") || strings.Contains(name, "shadow") {
			t.Errorf("a series has a value: %s", line)
		}
	}
	if len(few) != len(many) || len(few) < 50 {
		t.Errorf("%d series of %d stores, and %d of twice as many", len(few), stores, len(many))
	}
	t.Logf("%d series of %d stores", len(many), 2*stores)
}

// manyStores returns a function that answers one request of each kind, runs an entry and reads a list for a store, with
// ids of it in all that others can write.
func manyStores(telemetry *Telemetry) func(i int) {
	hooks, worker, sweep := &webhook.Handler{}, &webhook.Worker{}, &webhook.Sweep{}
	carts, rates, labels, pay := &discounts.Handler{}, &shipping.Handler{}, &shipping.LabelHandler{}, &payments.Callback{}
	telemetry.InstrumentWebhooks(hooks)
	telemetry.InstrumentWorker(worker)
	telemetry.InstrumentSweep(sweep)
	telemetry.InstrumentDiscounts(carts)
	telemetry.InstrumentRates(rates)
	telemetry.InstrumentLabels(labels)
	telemetry.InstrumentPayments(pay)
	events := append(slices.Clone(events[:5]), "") // the last one is another for each store
	outcomes := []webhook.Outcome{webhook.OutcomeStored, webhook.OutcomeFailed, webhook.OutcomeRefused, ""}
	return func(i int) {
		ctx, store := context.Background(), client.ID(i+1)
		text := fmt.Sprint("shadow-", i)
		errs := []error{nil, errors.New(text), &client.Error{Status: 400 + i%7*20}, webhook.ErrTimeout, client.ErrNoAnswer}
		err, event := errs[i%len(errs)], events[i%len(events)]
		if event == "" {
			event = webhook.Name("order/" + text)
		}
		outcomes[len(outcomes)-1] = webhook.Outcome(text)
		r := httptest.NewRequest("SPAM"+fmt.Sprint(i), "/"+text, http.NoBody)

		ctx = hooks.OnStarted(ctx, r)
		hooks.OnRefused(ctx, client.Refused{Reason: client.RefusedSignature, Err: errors.New(text)})
		hooks.OnAnswered(ctx, webhook.Answer{
			StoreID: store, Event: event, Key: text, Status: 200, Outcome: outcomes[i%len(outcomes)], Err: err,
		})
		l := webhook.Lease{
			Entry: webhook.Entry{Key: text, Lane: text, Event: event, StoreID: store}, Attempt: 1 + i%9, Count: 1,
			Age: time.Duration(i),
		}
		worker.OnFinished(worker.OnStarted(ctx, l), l, webhook.Result{Err: err, Dead: err != nil && i%2 == 0, Retry: 1})
		swept := sweep.OnStarted(ctx, store, event)
		sweep.OnFinished(swept, webhook.Swept{StoreID: store, Event: event, Entries: i, Err: err})

		carts.OnAnswered(carts.OnStarted(ctx, r), discounts.Answer{
			StoreID: store, CartID: client.Code(text), Tier: promotions.Tier(text), Status: 204, Err: err,
		})
		rates.OnHealthChanged(ctx, shipping.Health{StoreID: store, State: shipping.HealthState(i % 4)})
		rates.OnAnswered(rates.OnStarted(ctx, r), shipping.Answer{
			StoreID: store, CarrierID: client.Code(text), Status: 200, Source: shipping.Source(text), Err: err,
		})
		labels.OnAnswered(labels.OnStarted(ctx, r), shipping.LabelAnswer{StoreID: store, Action: text, Status: 404, Err: err})
		pay.OnAnswered(pay.OnStarted(ctx, r), payments.Answer{
			Call: payments.CallProcess, Status: 201, Err: err, About: payments.About{StoreID: store, OrderID: store},
		})
	}
}
