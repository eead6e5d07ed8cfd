package webhook_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const secret client.Secret = "5f2b1c9a7d3e4f60"

// house is a receiver with its inbox and a worker.
type house struct {
	webhooktest.Sender
	t      *testing.T
	inbox  *inboxmem.Inbox
	events *webhook.Registry
	hooks  *webhook.Handler
	worker *webhook.Worker

	spans    *spans
	mu       sync.Mutex
	failures []*webhook.Failure
	results  []webhook.Result
	met      []webhook.Outcome
}

func newHouse(t *testing.T) *house {
	t.Helper()
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, inbox: inbox, events: &webhook.Registry{}}
	silent := slog.New(slog.NewTextHandler(io.Discard, nil))
	h.hooks = &webhook.Handler{
		Secrets: []client.Secret{secret}, Registry: h.events, Inbox: inbox, Logger: silent, OnFailure: h.report,
		OnAccepted: func(_ context.Context, _ webhook.Entry, met webhook.Outcome) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.met = append(h.met, met)
		},
	}
	h.worker = &webhook.Worker{
		Inbox: inbox, Registry: h.events, Logger: silent, OnFailure: h.report,
		Poll: time.Hour, // the inbox wakes it in time
		OnFinished: func(_ context.Context, _ webhook.Lease, r webhook.Result) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.results = append(h.results, r)
		},
	}
	h.Sender = webhooktest.Sender{Handler: h.hooks, Secret: secret}
	return h
}

func (h *house) see(ctx context.Context, who string) {
	if h.spans != nil {
		h.spans.See(ctx, who)
	}
}

func (h *house) report(_ context.Context, f *webhook.Failure) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures = append(h.failures, f)
}

// told returns the failures so far.
func (h *house) told() []*webhook.Failure {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.failures)
}

func (h *house) ended() []webhook.Result {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.results)
}

// start begins a worker and returns what stops it and returns its error.
func (h *house) start() func() error {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan error, 1)
	go func() { done <- h.worker.Run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

// runFor lets another worker of the inbox run for some time.
func (h *house) runFor(w *webhook.Worker, d time.Duration) error {
	ctx, cancel := context.WithTimeout(h.t.Context(), d)
	defer cancel()
	return w.Run(ctx)
}

// run begins a worker and returns what stops it, and wants it to end well.
func (h *house) run() (stop func()) {
	h.t.Helper()
	end := h.start()
	return func() {
		h.t.Helper()
		if err := end(); err != nil {
			h.t.Error(err)
		}
	}
}

// deliver sends a delivery and wants it accepted.
func (h *house) deliver(body string) {
	h.t.Helper()
	status, err := h.Deliver(h.t.Context(), []byte(body))
	if err != nil || status != http.StatusOK {
		h.t.Fatalf("%s: got status %d, %v; want 200", body, status, err)
	}
}

func (h *house) stats() webhook.Stats {
	h.t.Helper()
	s, err := h.inbox.Stats(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// orderPaid has fn handle order/paid.
func (h *house) orderPaid(fn func(ctx context.Context) error) {
	webhook.On(h.events, webhook.OrderPaid, func(ctx context.Context, _ webhook.Delivery[webhook.Entity]) error {
		return fn(ctx)
	})
}
