package shipping

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// stalled is a SharedCache whose calls ignore their context. It counts those in progress.
type stalled struct {
	does      func()
	gets, put atomic.Int32
}

func (s *stalled) Get(context.Context, string) ([]byte, error) {
	s.gets.Add(1)
	defer s.gets.Add(-1)
	s.does()
	return nil, nil
}

func (s *stalled) Put(context.Context, string, []byte, time.Duration) error {
	s.put.Add(1)
	defer s.put.Add(-1)
	s.does()
	return nil
}

// A cache that ignores its context held each request for as long as it hung. Now it costs a request 200 ms, few of its
// calls hang, and each report names it.
func TestSharedCacheStalls(t *testing.T) {
	for name, v := range map[string]struct {
		does func(end chan struct{})
		took time.Duration
		says string
	}{
		"hangs":                {func(end chan struct{}) { <-end }, sharedGet, "did not return in time"},
		"panics":               {func(chan struct{}) { panic("no socket") }, 0, "panic: no socket"},
		"leaves its goroutine": {func(chan struct{}) { runtime.Goexit() }, 0, callback.ErrExit.Error()},
	} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			cache := &stalled{does: func() { v.does(end) }}
			p := newProbe(always(ship(t, "standard")), func(h *Handler) { h.Shared = cache })
			for n := range 200 {
				began := time.Now()
				p.want(t, with(t, "items.0.grams", n), 200, SourceCalled)
				if took := time.Since(began); took > v.took {
					t.Fatalf("%s: request %d was answered after %v, want %v", name, n, took, v.took)
				}
				time.Sleep(sharedPause)
			}
			if gets, puts := cache.gets.Load(), cache.put.Load(); gets > 64 || puts > 64 {
				t.Errorf("%s: %d reads and %d writes hang, want 64 at most", name, gets, puts)
			}
			failed := p.failures()
			for _, f := range failed {
				if !errors.Is(f, ErrShared) || !strings.Contains(f.Error(), "Handler.Shared") || f.StoreID != 123456 {
					t.Errorf("%s: reported %v", name, f)
				}
			}
			if len(failed) < 64 || !strings.Contains(failed[0].Error(), v.says) {
				t.Errorf("%s: %d reports, the first is %v, want …%s…", name, len(failed), failed[:1], v.says)
			}
			close(end)
			time.Sleep(time.Minute)
		})
	}
}

// Code of the app that hangs or panics next to the function holds no request, and is reported.
func TestHandlersGuardTheApp(t *testing.T) {
	const most = 200 * time.Millisecond // a twentieth of Budget
	for name, fails := range map[string]func(end chan struct{}){
		"hangs":  func(end chan struct{}) { <-end },
		"panics": func(chan struct{}) { panic("no list") },
	} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			var refused []client.Refused
			onRefused := func(_ context.Context, r client.Refused) { refused = append(refused, r) }
			allow := func(*http.Request) bool { fails(end); return true }
			report := func(context.Context, *Failure) {}

			rates := &Handler{Rates: always(ship(t, "standard")), Access: Access{Allow: allow}, OnRefused: onRefused, OnFailure: report}
			about := &LabelHandler{
				Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil },
				Cancel:   func(context.Context, []LabelRef) ([]LabelFailure, error) { return nil, nil },
				Access:   Access{Allow: allow}, OnRefused: onRefused, OnFailure: report,
			}
			began := time.Now()
			if w := post(rates, document(t, "rate_request")); w.Code != 503 || time.Since(began) > most {
				t.Errorf("Allow %s: rates were answered %d after %v", name, w.Code, time.Since(began))
			}
			began = time.Now()
			if w := postTo(about, "/cancel", refs(firstLabel)); w.Code != 503 || time.Since(began) > most {
				t.Errorf("Allow %s: labels were answered %d after %v", name, w.Code, time.Since(began))
			}
			if w := postTo(about, "/generate", labels(t)); w.Code != 0 {
				t.Errorf("Allow %s: labels to generate were answered %d, want none, so that they are requested again", name, w.Code)
			}
			if len(refused) != 3 || refused[0].Status != 503 || !strings.Contains(refused[0].Err.Error(), "Access.Allow: ") {
				t.Errorf("Allow %s: refused %v", name, refused)
			}

			var failed []error
			about = &LabelHandler{
				Generate: about.Generate, Access: Access{Guarded: true}, StoreOf: func(*http.Request) client.ID { fails(end); return 7 },
				OnFailure: func(_ context.Context, f *Failure) { failed = append(failed, f.Err) },
			}
			began = time.Now()
			if w := postTo(about, "/generate", labels(t)); w.Code != 202 || time.Since(began) > most {
				t.Errorf("StoreOf %s: answered %d after %v", name, w.Code, time.Since(began))
			}
			if len(failed) != 1 || !strings.Contains(failed[0].Error(), "StoreOf: ") {
				t.Errorf("StoreOf %s: reported %v", name, failed)
			}

			p := newProbe(failing(errDown), func(h *Handler) { h.OnHealthChanged = func(context.Context, Health) { fails(end) } })
			for n := range warnRequests {
				began = time.Now()
				post(p, of(1, "7", n))
				if took := time.Since(began); took > most {
					t.Errorf("OnHealthChanged %s: request %d was answered after %v", name, n, took)
				}
			}
			synctest.Wait()
			named := false
			for _, f := range p.failures() {
				named = named || strings.Contains(f.Error(), "OnHealthChanged: ")
			}
			if !named {
				t.Errorf("OnHealthChanged %s: it is not reported", name)
			}
			close(end)
		})
	}
}

// Failures of rates are logged once a minute for each store and kind, and those of labels always.
func TestFailuresInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		fails := errDown
		h := &Handler{
			Rates:  func(context.Context, Quote) ([]Rate, error) { return []Rate{ship(t, "standard")}, fails },
			Access: Access{Guarded: true}, Logger: logger,
		}
		about := &LabelHandler{
			Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil },
			Cancel:   func(context.Context, []LabelRef) ([]LabelFailure, error) { return nil, ErrDropped },
			Access:   Access{Guarded: true}, Logger: logger,
		}
		for n := range upstreamRequests {
			post(h, of(1, "7", n))
			post(h, of(2, "7", n))
		}
		fails = ErrPartial
		for n := range 3 {
			post(h, of(1, "8", n))
			postTo(about, "/cancel", refs(firstLabel))
		}
		synctest.Wait()
		for err, want := range map[error]int{errDown: 2, ErrUpstream: 2, ErrPartial: 1, ErrDropped: 3} {
			if n := strings.Count(log.String(), err.Error()); n != want {
				t.Errorf("%d lines with %v, want %d:\n%s", n, err, want, &log)
			}
		}
	})
}

// Requests that wait for the call of another hold nothing of their bodies. Their number was bounded once, because they
// did.
func TestWaitingRequestsHoldNoBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const requests, size = 100, 1 << 19
		p := newProbe(func(context.Context, Quote) ([]Rate, error) {
			time.Sleep(time.Second)
			return []Rate{ship(t, "standard")}, nil
		}, nil)
		heap := func() int64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		post(p, of(1, "7", 1))
		before := heap()
		var wg sync.WaitGroup
		for range requests {
			body := slices.Clone(with(t, "language", strings.Repeat("x", size)))
			wg.Go(func() {
				p.ServeHTTP(discard{}, httptest.NewRequest(http.MethodPost, "/rates", &forgetful{body}))
			})
		}
		synctest.Wait()
		took := heap() - before
		wg.Wait()
		t.Logf("%d requests of %d bytes hold %d bytes", requests, size, took)
		if took > 4*size {
			t.Errorf("%d requests hold %d bytes, want less than 4 bodies", requests, took)
		}
	})
}

// forgetful is a body that holds nothing after it was read, as that of a connection.
type forgetful struct{ rest []byte }

func (f *forgetful) Read(b []byte) (int, error) {
	if len(f.rest) == 0 {
		f.rest = nil
		return 0, io.EOF
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}
