package otelcommerce

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// table is what doc.go lists: the attributes of each "name (kind)" of a span, and of each "name (unit)" of a metric.
type table struct {
	spans, metrics map[string][]string
	glossary       []string
}

func documented(t *testing.T) table {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	all := table{map[string][]string{}, map[string][]string{}, nil}
	item, entry := regexp.MustCompile(`^//\t(\S.*? \(\S+\)): `), regexp.MustCompile(`^//\t(commerce\.\S+)  `)
	var section map[string][]string
	last := ""
	for line := range strings.Lines(string(text)) {
		if heading, ok := strings.CutPrefix(line, "// # "); ok {
			section = map[string]map[string][]string{"Spans\n": all.spans, "Metrics\n": all.metrics}[heading]
		}
		attributes, continues := strings.CutPrefix(line, "//\t    ")
		if m := entry.FindStringSubmatch(line); m != nil {
			all.glossary = append(all.glossary, m[1])
		}
		switch m := item.FindStringSubmatch(line); {
		case section == nil:
		case m != nil:
			last = m[1]
			section[last] = nil
		case continues:
			for name := range strings.SplitSeq(strings.TrimSpace(attributes), ",") {
				if name = strings.TrimSpace(name); name != "" {
					section[last] = append(section[last], name)
				}
			}
		}
	}
	for _, lists := range []map[string][]string{all.spans, all.metrics} {
		for _, list := range lists {
			slices.Sort(list)
		}
	}
	return all
}

// The tables of doc.go list each span and metric that is emitted, with each of its attributes, and no others.
func TestTables(t *testing.T) {
	o := observe(t)
	emitEverything(t, o)
	want := documented(t)
	got := table{map[string][]string{}, map[string][]string{}, nil}
	var used []string
	add := func(to map[string][]string, name string, attributes []string) {
		for _, a := range attributes {
			if !slices.Contains(to[name], a) {
				to[name] = append(to[name], a)
			}
			if strings.HasPrefix(a, "commerce.") && !slices.Contains(used, a) {
				used = append(used, a)
			}
		}
		to[name] = append([]string{}, to[name]...)
		slices.Sort(to[name])
	}
	for _, s := range o.spans.Ended() {
		add(got.spans, fmt.Sprintf("%s (%s)", pattern(s), s.SpanKind()), slices.Collect(maps.Keys(attributes(s))))
	}
	for _, p := range o.points() {
		var names []string
		for _, kv := range p.set.ToSlice() {
			names = append(names, string(kv.Key))
		}
		add(got.metrics, fmt.Sprintf("%s (%s)", p.metric, p.unit), names)
	}
	agree(t, "span", want.spans, got.spans)
	agree(t, "metric", want.metrics, got.metrics)
	if slices.Sort(used); !slices.Equal(used, want.glossary) {
		t.Errorf("attributes are\n%q, and doc.go explains\n%q", used, want.glossary)
	}
	if len(want.spans) < 10 || len(want.metrics) < 20 {
		t.Errorf("doc.go lists %d spans and %d metrics", len(want.spans), len(want.metrics))
	}
}

func agree(t *testing.T, what string, want, got map[string][]string) {
	t.Helper()
	for name, attributes := range want {
		if has, ok := got[name]; !ok {
			t.Errorf("%s %q is documented and not emitted", what, name)
		} else if !slices.Equal(has, attributes) {
			t.Errorf("%s %q has\n%q, documented are\n%q", what, name, has, attributes)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s %q is emitted and not documented", what, name)
		}
	}
}

// pattern is the name of a span as doc.go has it.
func pattern(s sdktrace.ReadOnlySpan) string {
	name := s.Name()
	for word, is := range map[string]string{
		"GET /products/{id}": "METHOD PATH", "order/paid": "EVENT", "line_item": "TIER", "cart": "DOMAIN", "generate": "ACTION",
		"refund": "CALL",
	} {
		name = strings.Replace(name, word, is, 1)
	}
	return name
}

// emitEverything has each span and metric emitted with each attribute that it may have, by calling the hooks.
func emitEverything(t *testing.T, o *observed) {
	ctx := t.Context()
	config := client.Config{BaseURL: "https://api.example.com"}
	o.InstrumentClient(&config)
	retried := client.AttemptEnd{Status: 503, Err: &client.Error{Status: 503}, Again: true, Wait: 1, Waited: 1, Bytes: 1,
		RequestID: "r", Rate: client.Rate{Limit: 40}}
	around, end := config.OnAttempt(ctx, client.Attempt{Method: "GET", Route: "/products/{id}", StoreID: 1, Version: "v1"})
	_, endOne := config.OnAttempt(around, client.Attempt{Method: "GET", Route: "/products/{id}", Number: 2, Sent: 1})
	endOne(retried)
	end(client.AttemptEnd{Status: 503, Err: client.ErrCircuitOpen, Waited: 1, Requests: 2})

	failure := errors.New("failed")
	refused := client.Refused{Reason: client.RefusedSignature, Err: failure}
	request := httptest.NewRequest(http.MethodPost, "/", nil)

	hooks := &webhook.Handler{}
	o.InstrumentWebhooks(hooks)
	answered := webhook.Answer{StoreID: 1, Event: "order/paid", Key: "k", Status: 503, Bytes: 1, Err: failure}
	for _, a := range []webhook.Answer{answered, {Event: "order/paid", Outcome: webhook.OutcomeShelved}} {
		ctx := hooks.OnStarted(ctx, request)
		hooks.OnRefused(ctx, refused)
		hooks.OnAnswered(ctx, a)
	}

	worker := &webhook.Worker{}
	o.InstrumentWorker(worker)
	l := webhook.Lease{Entry: webhook.Entry{Key: "k", Event: "order/paid", StoreID: 1}, Attempt: 1, Count: 1}
	for _, r := range []webhook.Result{{Err: failure, Retry: 1, Dropped: 1, Purged: 1}, {Err: failure, Dead: true}} {
		worker.OnFinished(worker.OnStarted(ctx, l), l, r)
	}

	sweep := &webhook.Sweep{}
	o.InstrumentSweep(sweep)
	swept := sweep.OnStarted(ctx, 1, "order/paid")
	sweep.Trace(swept)
	sweep.OnFinished(swept, webhook.Swept{StoreID: 1, Event: "order/paid", Entries: 1, Err: failure})

	carts := &discounts.Handler{}
	o.InstrumentDiscounts(carts)
	ctx = carts.OnStarted(t.Context(), request)
	carts.OnRefused(ctx, refused)
	carts.OnAnswered(ctx, discounts.Answer{
		StoreID: 1, CartID: "c", Tier: promotions.TierLineItems, Status: 204, Err: failure, Commands: 1,
	})

	rule := &rules.Handler{}
	o.InstrumentRules(rule)
	ctx = rule.OnStarted(t.Context(), request)
	rule.OnRefused(ctx, refused)
	rule.OnAnswered(ctx, rules.Answer{
		StoreID: 1, CartID: "c", Domain: client.RuleDomainCart, Status: 204, Err: failure, Command: "block_checkout",
	})

	rates := &shipping.Handler{}
	o.InstrumentRates(rates)
	ctx = rates.OnStarted(t.Context(), request)
	rates.OnRefused(ctx, refused)
	rates.OnHealthChanged(ctx, shipping.Health{State: shipping.HealthStateOpen})
	rates.OnAnswered(ctx, shipping.Answer{StoreID: 1, CarrierID: "c", Status: 503, Rates: 1, Err: failure})

	labels := &shipping.LabelHandler{}
	o.InstrumentLabels(labels)
	ctx = labels.OnStarted(t.Context(), request)
	labels.OnRefused(ctx, refused)
	labels.OnAnswered(ctx, shipping.LabelAnswer{
		StoreID: 1, Action: "generate", Labels: make([]shipping.LabelRef, 2), Status: 503, Failed: 1, Err: failure,
	})

	pay := &payments.Callback{}
	o.InstrumentPayments(pay)
	ctx = pay.OnStarted(t.Context(), request)
	pay.OnRefused(ctx, refused)
	about := payments.About{StoreID: 1, OrderID: 1, PaymentAttemptID: "a", TransactionID: [16]byte{1}}
	pay.OnAnswered(ctx, payments.Answer{Call: payments.CallRefund, About: about, Status: 503, Err: failure})

	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.InstrumentInbox(inbox))
	t.Cleanup(o.InstrumentJudge(new(client.Judge)))
	t.Cleanup(o.InstrumentVisits("sweep", func() map[client.ID]client.Visited {
		return map[client.ID]client.Visited{1: {Good: time.Now()}}
	}))
	t.Cleanup(o.InstrumentJobs("labels", func(context.Context) (n client.JobItems, err error) { return n, err }))
}
