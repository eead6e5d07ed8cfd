package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// observed has a handler observed while it refuses a request of a stranger.
func observed() error {
	events := new(webhook.Registry)
	webhook.OnStore(events, webhook.AppUninstalled, func(context.Context, client.ID) error { return nil })
	hooks := &webhook.Handler{Secrets: []client.Secret{"cnry_7f3a"}, Registry: events}
	stop, err := observe(context.Background(), hooks)
	if err != nil {
		return err
	}
	hooks.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader("{}")))
	return stop()
}

// With the exporter "console", spans and metrics are printed.
func TestTelemetryOnStandardOutput(t *testing.T) {
	p := proctest.Start(t, "observed", "OTEL_TRACES_EXPORTER=console", "OTEL_METRICS_EXPORTER=console")
	for _, want := range []string{`"Name":"receive"`, `commerce.callback.refusals`} {
		if line := p.Line(t); !strings.Contains(line, want) || strings.Contains(line, "cnry_7f3a") {
			t.Errorf("got %s, want %s and no secret", line, want)
		}
	}
	p.Wait(t)
}

// With an address, spans and metrics are sent to a collector.
func TestTelemetryToCollector(t *testing.T) {
	var mu sync.Mutex
	var paths []string
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		defer mu.Unlock()
		paths = append(paths, r.URL.Path)
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	if err := observed(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"/v1/traces", "/v1/metrics"} {
		if !slices.Contains(paths, want) {
			t.Errorf("nothing was sent to %s: %q", want, paths)
		}
	}
}

// Without the variables, nothing is exported and no part gets a hook.
func TestNoTelemetry(t *testing.T) {
	t.Setenv("OTEL_TRACES_EXPORTER", "")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	hooks := new(webhook.Handler)
	stop, err := observe(context.Background(), hooks, "no part")
	if err != nil || hooks.OnStarted != nil || stop() != nil {
		t.Errorf("got %v, a hook: %v", err, hooks.OnStarted != nil)
	}
}
