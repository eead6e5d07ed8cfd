package webhooktest

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
)

// loadSenders is how many connections Load has, and loadRecords how many records its deliveries are about.
const (
	loadSenders = 64
	loadRecords = 10_000
)

// Load delivers b.N events order/updated of 200 bytes to a handler over loopback, with 64
// connections, and reports the deliveries per second (req/s) and the time within which
// 99 of 100 were answered (p99-ms). Answers other than 2xx fail the benchmark.
//
// The sender works on the same machine: compare with [BareLoad] in the same run.
func Load(b *testing.B, h http.Handler, secret client.Secret) {
	b.Helper()
	bodies := make([][]byte, loadRecords)
	signatures := make([]string, loadRecords)
	for i := range bodies {
		bodies[i] = fmt.Appendf(nil, `{"store_id":123,"event":"order/updated","id":%d,"padding":%q}`, i+1, strings.Repeat("x", 130))
		signatures[i] = webhook.Sign(secret, bodies[i])
	}
	server := httptest.NewServer(h)
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: loadSenders, MaxConnsPerHost: loadSenders}
	defer transport.CloseIdleConnections()
	took := make([][]time.Duration, loadSenders)
	jobs := make(chan int, loadSenders)
	var group sync.WaitGroup
	b.ResetTimer()
	for s := range loadSenders {
		group.Go(func() {
			for i := range jobs {
				began := time.Now()
				if err := post(b.Context(), transport, server.URL, bodies[i%loadRecords], signatures[i%loadRecords]); err != nil {
					b.Error(err)
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

// BareLoad is Load of a handler that reads the body and does nothing: the floor.
func BareLoad(b *testing.B) {
	b.Helper()
	Load(b, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }), "none")
}

func post(ctx context.Context, via http.RoundTripper, url string, body []byte, signature string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set(webhook.SignatureHeader, signature)
	answer, err := via.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("status %d, want 2xx", answer.StatusCode)
	}
	return nil
}
