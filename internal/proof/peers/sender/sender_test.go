package sender_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proof/peers/sender"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestMain(m *testing.M) {
	sender.Main()
	goleak.VerifyTestMain(m)
}

// Each delivery arrives once and signed, at the rate if there is one, and the report has the times of all of them.
func TestSend(t *testing.T) {
	var mu sync.Mutex
	var got []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		var order struct{ ID int }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal(body, &order); err != nil {
			t.Error(err)
		}
		if r.Header.Get(webhook.SignatureHeader) != webhook.Sign(bench.Secret, body) {
			t.Errorf("order %d is not signed", order.ID)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, order.ID)
	}))
	defer server.Close()
	began := time.Now()
	for _, job := range []sender.Job{{First: 0, Count: 300}, {First: 300, Count: 20, Rate: 1000, Connections: 1}} {
		job.URL = server.URL
		r, err := sender.Send(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if r.Sent() != job.Count || slices.Min(r.Waits()) <= 0 {
			t.Errorf("%d were sent and the shortest wait was %v, want %d", r.Sent(), slices.Min(r.Waits()), job.Count)
		}
		if least := time.Duration(job.Count-1) * time.Millisecond; job.Rate > 0 && r.Took() < least {
			t.Errorf("they took %v, want %v or more", r.Took(), least)
		}
		if r.Began() < began.UnixNano() || r.Began() > time.Now().UnixNano() {
			t.Errorf("they began at %d, before %d or after now", r.Began(), began.UnixNano())
		}
	}
	slices.Sort(got)
	for i, order := range got {
		if order != i+1 {
			t.Fatalf("order %d came where %d was to come", order, i+1)
		}
	}
	if len(got) != 320 {
		t.Errorf("%d came, want 320", len(got))
	}
}

// A sender stops at its limit, and fails if a delivery is not answered with 200.
func TestSendEnds(t *testing.T) {
	var status atomic.Int64
	status.Store(http.StatusOK)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
	}))
	defer server.Close()
	job := sender.Job{URL: server.URL, Count: 1_000_000, Rate: 100, Limit: 50 * time.Millisecond}
	if r, err := sender.Send(t.Context(), job); err != nil || r.Sent() == 0 || r.Sent() > 100 {
		t.Errorf("got %v, %v, want a few deliveries", r, err)
	}
	status.Store(http.StatusServiceUnavailable)
	if _, err := sender.Send(t.Context(), sender.Job{URL: server.URL, Count: 3}); err == nil {
		t.Error("no error of deliveries that were answered 503")
	}
}
