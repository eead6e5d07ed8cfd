package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// BenchmarkReceive delivers over loopback with 64 connections. "bare" is the floor: a
// handler that reads the body and answers. p99-ms is of the answers.
func BenchmarkReceive(b *testing.B) {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true, HighWater: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	for _, mode := range []struct {
		name    string
		handler http.Handler
	}{
		{"bare", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })},
		{"direct", &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}},
		{"memory", &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}},
	} {
		b.Run(mode.name, func(b *testing.B) { receive(b, mode.handler) })
	}
}

// receive posts b.N deliveries of different orders.
func receive(b *testing.B, h http.Handler) {
	server := httptest.NewServer(h)
	defer server.Close()
	const senders = 64
	transport := &http.Transport{MaxIdleConnsPerHost: senders, MaxConnsPerHost: senders}
	defer transport.CloseIdleConnections()
	bodies := make([][]byte, 1000)
	signatures := make([]string, len(bodies))
	for i := range bodies {
		bodies[i] = fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"padding":%q}`, i+1, strings.Repeat("x", 130))
		signatures[i] = webhook.Sign(secret, bodies[i])
	}
	took := make([][]time.Duration, senders)
	jobs := make(chan int, senders)
	var group sync.WaitGroup
	b.ResetTimer()
	for s := range senders {
		group.Go(func() {
			for i := range jobs {
				began := time.Now()
				r, _ := http.NewRequest(http.MethodPost, server.URL, bytes.NewReader(bodies[i%len(bodies)]))
				r.Header.Set(webhook.SignatureHeader, signatures[i%len(bodies)])
				answer, err := transport.RoundTrip(r)
				if err != nil {
					b.Error(err)
					continue
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					b.Errorf("got status %d", answer.StatusCode)
				}
				took[s] = append(took[s], time.Since(began))
			}
		})
	}
	for i := range b.N {
		jobs <- i
	}
	close(jobs)
	group.Wait()
	b.StopTimer()
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "req/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}
