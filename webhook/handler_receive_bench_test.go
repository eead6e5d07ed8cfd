package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// modes are the ways to receive that need no disk.
func modes(b *testing.B) map[string]http.Handler {
	b.Helper()
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error {
		return nil
	})
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		b.Fatal(err)
	}
	return map[string]http.Handler{
		"direct": &webhook.Handler{Secrets: []client.Secret{bench.Secret}, Registry: &events},
		"memory": &webhook.Handler{Secrets: []client.Secret{bench.Secret}, Registry: &events, Inbox: inbox},
	}
}

// BenchmarkReceive compares receiving with the floor, bare net/http.
func BenchmarkReceive(b *testing.B) {
	bodies := bench.Deliveries(10_000)
	bare := bench.Target{Handler: http.HandlerFunc(bench.Bare), Body: bodies}
	for name, h := range modes(b) {
		b.Run(name, func(b *testing.B) { bench.Throughput(b, bench.Target{Handler: h, Body: bodies}, bare) })
		b.Run(name+"/p99", func(b *testing.B) { bench.Latency(b, 2000, bench.Target{Handler: h, Body: bodies}, bare) })
	}
}

// BenchmarkLog compares the least that is durable with receiving in memory.
func BenchmarkLog(b *testing.B) {
	h := &webhook.Handler{Secrets: []client.Secret{bench.Secret}, Sink: bench.NewLog(b)}
	bench.Throughput(b, bench.Target{Handler: h, Body: bench.Updates},
		bench.Target{Handler: modes(b)["memory"], Body: bench.Updates})
}

// BenchmarkServe measures the handlers alone, with a body of 200 bytes.
func BenchmarkServe(b *testing.B) {
	bodies := bench.Deliveries(10_000)
	all := modes(b)
	all["bare"] = http.HandlerFunc(bench.Bare)
	for name, h := range all {
		b.Run(name, func(b *testing.B) {
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil)
			var body []byte
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				body, r.Header = bodies(n)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				if h.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// BenchmarkStores measures a delivery to each of so many stores, which are in one inbox.
func BenchmarkStores(b *testing.B) {
	for _, stores := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(stores), func(b *testing.B) {
			h := modes(b)["memory"]
			bodies, headers := make([][]byte, stores), make([]http.Header, stores)
			for i := range bodies {
				bodies[i] = fmt.Appendf(nil, `{"store_id":%d,"event":"order/updated","id":5}`, i+1)
				headers[i] = http.Header{}
				headers[i].Set(webhook.SignatureHeader, webhook.Sign(bench.Secret, bodies[i]))
			}
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil)
			bench.Cost(b, func() {
				for i, body := range bodies {
					r.Header, r.Body, r.ContentLength = headers[i], io.NopCloser(bytes.NewReader(body)),
						int64(len(body))
					if h.ServeHTTP(w, r); w.Code != http.StatusOK {
						b.Fatal(w.Code)
					}
				}
			})
		})
	}
}
