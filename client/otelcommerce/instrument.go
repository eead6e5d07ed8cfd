package otelcommerce

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Instrument instruments the parts of an app, each by the method for its type: *client.Config, *webhook.Handler,
// *webhook.Worker, *webhook.Sweep, *discounts.Handler, *rules.Handler, *shipping.Handler, *shipping.LabelHandler,
// *payments.Callback, *payments.RefreshHandler, *payments.ReviewHandler, *client.Judge and [webhook.Inbox]. If a part
// has another type or is nil, it returns an error that names it; the other parts are instrumented anyway. Stop ends the
// reports of [Telemetry.InstrumentInbox] and [Telemetry.InstrumentJudge]. Call it before an inbox is closed.
func (t *Telemetry) Instrument(parts ...any) (stop func(), err error) {
	var stops []func()
	for i, part := range parts {
		switch p := part.(type) {
		case *client.Config:
			t.InstrumentClient(p)
		case *webhook.Handler:
			t.InstrumentWebhooks(p)
		case *webhook.Worker:
			t.InstrumentWorker(p)
		case *webhook.Sweep:
			t.InstrumentSweep(p)
		case *discounts.Handler:
			t.InstrumentDiscounts(p)
		case *rules.Handler:
			t.InstrumentRules(p)
		case *shipping.Handler:
			t.InstrumentRates(p)
		case *shipping.LabelHandler:
			t.InstrumentLabels(p)
		case *payments.Callback:
			t.InstrumentPayments(p)
		case *payments.RefreshHandler:
			t.InstrumentRefresh(p)
		case *payments.ReviewHandler:
			t.InstrumentReview(p)
		case *client.Judge:
			stops = append(stops, t.InstrumentJudge(p))
		case webhook.Inbox:
			stops = append(stops, t.InstrumentInbox(p))
		default:
			err = errors.Join(err, fmt.Errorf("otelcommerce: part %d of %d has type %T: must be a type that Instrument documents", i+1, len(parts), part))
		}
	}
	return func() {
		for _, end := range stops {
			end()
		}
	}, err
}
