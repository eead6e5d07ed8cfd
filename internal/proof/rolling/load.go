package rolling

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
)

// load sends deliveries to all replicas until the function that it returns is called.
func (w *world) load(t *testing.T) (stop func()) {
	t.Helper()
	stopped := make(chan struct{})
	transport := &http.Transport{MaxIdleConnsPerHost: senders}
	platform := &http.Client{Transport: transport, Timeout: hung}
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for {
				select {
				case <-stopped:
					return
				case <-time.After(pause):
				}
				if err := w.deliver(platform); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	stop = sync.OnceFunc(func() {
		close(stopped)
		all.Wait()
		transport.CloseIdleConnections()
	})
	t.Cleanup(stop)
	return stop
}

// deliver sends a delivery about a product or an order to one of the replicas.
func (w *world) deliver(platform *http.Client) error {
	w.mu.Lock()
	if len(w.replicas) == 0 {
		w.mu.Unlock()
		return nil
	}
	to := w.replicas[rand.IntN(len(w.replicas))]
	body := replica.Body{StoreID: store, Number: w.numbers.Add(1)}
	w.sent[body.Number] = to.release
	w.mu.Unlock()

	var version int64
	switch n := rand.IntN(10); {
	case n < 3:
		body.Event, body.ID = webhook.OrderCreated.Name, w.orders.Add(1)
	case n == 3: // a delivery that the platform repeats, maybe to a replica of the other release
		body.Event, body.ID = webhook.OrderCreated.Name, max(1, w.orders.Load()-rand.Int64N(20))
	default:
		body.Event, body.ID = webhook.ProductUpdated.Name, 1+rand.Int64N(products)
		if n > 7 {
			w.products[body.ID].Add(1)
		}
		version = w.products[body.ID].Load()
	}
	status, err := post(platform, to.url, body)

	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil:
		w.lost++
	case status != http.StatusOK:
		w.refused[status]++
		to.refused.Add(1)
	case body.Event == webhook.OrderCreated.Name:
		w.created[body.ID] = true
	default:
		w.heard[body.ID] = max(w.heard[body.ID], version)
	}
	if err == nil && status == http.StatusOK {
		w.acks++
		to.acks.Add(1)
	}
	return nil
}

// post sends a delivery as the platform does, through a proxy that begins a trace.
func post(platform *http.Client, url string, body replica.Body) (status int, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		return 0, err
	}
	r.Header.Set(webhook.SignatureHeader, webhook.Sign(replica.Secret, raw))
	r.Header.Set("Traceparent", trace(body.Number))
	answer, err := platform.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

// trace is the trace of the delivery with a number.
func trace(number int64) string { return fmt.Sprintf("00-%032x-%016x-01", number, number) }
