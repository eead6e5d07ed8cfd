package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// deploy shuts a server down beside a load balancer that asks its probe every second, takes it out of service after two
// failures, and sends it a request every 10 ms until then. It returns how many requests were answered, and how many
// were not.
func deploy(t *testing.T, wait time.Duration) (answered, lost int) {
	ready := &Ready{Wait: wait}
	mux := http.NewServeMux()
	mux.Handle("/readyz", ready)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(50 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	})
	s := Server("", mux)
	connect := serve(t, s)
	get := func(path string) int {
		c := connect()
		defer c.Close()
		if _, err := c.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")); err != nil {
			return 0
		}
		code, _ := status(c)
		return code
	}
	results := make(chan int)
	sent := 0
	ended := make(chan struct{})
	time.AfterFunc(3*time.Second, func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := ready.Shutdown(ctx, s); err != nil {
			t.Error(err)
		}
	})
	for failures, tick := 0, 0; failures < 2; tick++ {
		if tick%100 == 0 {
			if failures++; get("/readyz") == http.StatusOK {
				failures = 0
			}
		}
		sent++
		go func() { results <- get("/") }()
		time.Sleep(10 * time.Millisecond)
	}
	for range sent {
		if <-results == http.StatusNoContent {
			answered++
		} else {
			lost++
		}
	}
	<-ended // before the context of the test is cancelled
	return answered, lost
}

// A rolling deployment loses no request, because the server accepts until the load balancer has noticed. Without the
// wait it refuses what comes meanwhile.
func TestShutdownLosesNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answered, lost := deploy(t, 0)
		if lost > 0 || answered < 300 {
			t.Errorf("%d requests answered and %d lost, want none lost", answered, lost)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if _, lost := deploy(t, -1); lost < 50 {
			t.Errorf("without a wait %d requests are lost: the test sees nothing", lost)
		}
	})
}

// What is in progress is answered, ctx bounds the wait and what comes after it, and a second call does not wait again.
func TestShutdownEnds(t *testing.T) {
	for _, tt := range []struct {
		name      string
		wait      time.Duration
		allowed   time.Duration
		wantAfter time.Duration
		wantErr   error
	}{
		{"in progress for 7 s more", 0, time.Minute, 12 * time.Second, nil},
		{"ctx ends in the wait", time.Minute, 4 * time.Second, 4 * time.Second, context.DeadlineExceeded},
		{"ctx ends while a request is in progress", 0, 8 * time.Second, 8 * time.Second, context.DeadlineExceeded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ready := &Ready{Wait: tt.wait}
				s := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
					time.Sleep(12 * time.Second)
				})}
				c := serve(t, s)()
				if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n")); err != nil {
					t.Fatal(err)
				}
				answer := make(chan int, 1)
				go func() { code, _ := status(c); answer <- code }()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), tt.allowed)
				defer cancel()
				began := time.Now()
				err := ready.Shutdown(ctx, s)
				if after := time.Since(began).Round(time.Second); after != tt.wantAfter || !errors.Is(err, tt.wantErr) {
					t.Errorf("returned %v after %v, want %v after %v", err, after, tt.wantErr, tt.wantAfter)
				}
				if code := <-answer; code != http.StatusOK {
					t.Errorf("the request in progress got status %d", code)
				}
				began = time.Now()
				if err := ready.Shutdown(t.Context(), s); err != nil || time.Since(began) > time.Second {
					t.Errorf("once more: %v after %v", err, time.Since(began))
				}
			})
		})
	}
}

// The probe is not cached, and says nothing but its status.
func TestReady(t *testing.T) {
	var ready Ready
	probe := func(method string) string {
		w := httptest.NewRecorder()
		ready.ServeHTTP(w, httptest.NewRequest(method, "/readyz", nil))
		return fmt.Sprint(w.Code, " ", w.Header().Get("Cache-Control"), " ", w.Body)
	}
	for method, want := range map[string]string{"GET": "200 no-store ready\n",
		"POST": "405 no-store Method Not Allowed\n"} {
		if got := probe(method); got != want {
			t.Errorf("%s: got %q, want %q", method, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ready.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if got, want := probe("GET"), "503 no-store Service Unavailable\n"; got != want {
		t.Errorf("after Shutdown: got %q, want %q", got, want)
	}
}
