package otelcommerce

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// Each part gets its hooks, and what is none is named without loss of the others.
func TestInstrument(t *testing.T) {
	o := observe(t)
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	config, hooks, worker, sweep := new(client.Config), new(webhook.Handler), new(webhook.Worker), new(webhook.Sweep)
	carts, rule, rates, labels := new(discounts.Handler), new(rules.Handler), new(shipping.Handler), new(shipping.LabelHandler)
	common, refresh, review := new(payments.Callback), new(payments.RefreshHandler), new(payments.ReviewHandler)
	stop, err := o.Instrument(config, hooks, worker, "a name", sweep, carts, nil, rates, labels, common, refresh,
		review, rule, inbox, new(client.Judge))
	defer stop()
	for _, want := range []string{"part 4 of 15 has type string", "part 7 of 15 has type <nil>"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	for name, instrumented := range map[string]bool{
		"client": config.OnAttempt != nil, "webhooks": hooks.OnStarted != nil, "worker": worker.OnStarted != nil, "sweep": sweep.OnStarted != nil,
		"discounts": carts.OnAnswered != nil, "rates": rates.OnAnswered != nil, "labels": labels.OnAnswered != nil,
		"payments": common.OnAnswered != nil, "refresh": refresh.OnAnswered != nil, "review": review.OnAnswered != nil, "rules": rule.OnAnswered != nil,
	} {
		if !instrumented {
			t.Errorf("%s has no hook", name)
		}
	}
	hooks.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if got := strings.Join(o.names(), ", "); got != "receive" {
		t.Errorf("spans %q, want one of receive", got)
	}
	for _, name := range []string{"commerce.inbox.entries", "commerce.installation.refused"} {
		if metrics := strings.Join(o.lines(), "\n"); !strings.Contains(metrics, name) {
			t.Errorf("no metric %s: %s", name, metrics)
		}
	}
}
