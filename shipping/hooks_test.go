package shipping

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
)

// hookCase is a request to a handler of rates or labels.
type hookCase struct {
	name    string
	do      func() error // of the function
	change  func(r *http.Request, a *Access)
	rates   int // status of the answer
	source  Source
	labels  int // the same for labels to generate; 0: left without an answer
	refused bool
	seen    []string
}

func hookCases() []hookCase {
	fails := errors.New("fails")
	ran, failed, refused := []string{"function"}, []string{"function", "OnFailure"}, []string{"OnRefused"}
	gone := func(r *http.Request, _ *Access) {
		ctx, cancel := context.WithCancel(r.Context())
		time.AfterFunc(time.Millisecond, cancel)
		*r = *r.WithContext(ctx)
	}
	return []hookCase{
		{"answered", func() error { return nil }, nil, 200, SourceCalled, 202, false, ran},
		{"fails", func() error { return fails }, nil, 503, SourceNobody, 0, false, failed},
		{"panics", func() error { panic("no") }, nil, 500, SourceNobody, 0, false, failed},
		{"leaves its goroutine", func() error { runtime.Goexit(); return nil }, nil,
			503, SourceNobody, 0, false, failed},
		{"late, and fails later", func() error { time.Sleep(time.Minute); return fails }, nil,
			503, SourceNobody, 0, false,
			append([]string{"OnFailure"}, failed...)},
		{"the platform has gone", func() error { time.Sleep(100 * time.Millisecond); return nil }, gone,
			503, SourceNobody, 202, false, ran},
		{"malformed", nil, func(r *http.Request, _ *Access) { r.Body = http.NoBody },
			400, SourceNobody, 400, false, []string{"OnFailure"}},
		{"broken off", nil, func(r *http.Request, _ *Access) { r.Body = io.NopCloser(iotest.ErrReader(fails)) },
			400, SourceNobody, 400, false,
			[]string{"OnFailure"}},
		{"another method", nil, func(r *http.Request, _ *Access) { r.Method = http.MethodGet },
			405, SourceNobody, 405, true, refused},
		{"a stranger", nil, func(_ *http.Request, a *Access) { *a = Access{Tokens: []client.Secret{"4fQ0zT7sVb2nXk91"}} },
			403, SourceNobody, 403,
			true, refused},
		{"no token in force", nil, func(_ *http.Request, a *Access) { *a = Access{TokenSet: &TokenSet{}} },
			503, SourceNobody, 0, true, refused},
		{"misconfigured", nil, func(_ *http.Request, a *Access) { *a = Access{} },
			503, SourceNobody, 503, false, []string{"OnFailure"}},
	}
}

// Each request for rates has one OnStarted and one OnAnswered, whose contexts have the same values, whatever becomes of
// it.
func TestHooksOfRates(t *testing.T) {
	for _, test := range hookCases() {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, rate := &hooktest.Spans{T: t}, ship(t, "standard")
				var answers []Answer
				h := &Handler{
					Rates: func(ctx context.Context, _ Quote) ([]Rate, error) {
						s.See(ctx, "function")
						return []Rate{rate}, test.do()
					},
					Access: Access{Guarded: true}, OnStarted: s.Started,
					OnAnswered: func(ctx context.Context, a Answer) { s.End(ctx); answers = append(answers, a) },
					OnFailure:  func(ctx context.Context, _ *Failure) { s.See(ctx, "OnFailure") },
					OnRefused:  func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") },
				}
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodPost, "/rates", bytes.NewReader(document(t, "rate_request")))
				if test.change != nil {
					test.change(r, &h.Access)
				}
				h.ServeHTTP(w, r)
				time.Sleep(time.Hour)
				synctest.Wait()
				s.Check(1, test.seen...)
				a := answers[0]
				if w.Code != test.rates || a.Status != test.rates || a.Source != test.source || a.Refused != test.refused ||
					(a.Err == nil) != (w.Code == 200) {
					t.Errorf("got %d and %+v, want %d", w.Code, a, test.rates)
				}
				if test.do != nil && (a.StoreID == 0 || a.CarrierID == "") {
					t.Errorf("which carrier? %+v", a)
				}
			})
		})
	}
}

// So has each request about labels, also if it is left without an answer.
func TestHooksOfLabels(t *testing.T) {
	for _, test := range hookCases() {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &hooktest.Spans{T: t}
				var answers []LabelAnswer
				h := &LabelHandler{
					Generate: func(ctx context.Context, _ []Label) ([]LabelFailure, error) {
						s.See(ctx, "function")
						return nil, test.do()
					},
					Access: Access{Guarded: true}, OnStarted: s.Started,
					OnAnswered: func(ctx context.Context, a LabelAnswer) { s.End(ctx); answers = append(answers, a) },
					OnFailure:  func(ctx context.Context, _ *Failure) { s.See(ctx, "OnFailure") },
					OnRefused:  func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") },
				}
				r, w := httptest.NewRequest(http.MethodPost, "/generate", bytes.NewReader(labels(t))), httptest.NewRecorder()
				if test.change != nil {
					test.change(r, &h.Access)
				}
				func() {
					defer func() { _ = recover() }() // left without an answer
					h.ServeHTTP(w, r)
				}()
				time.Sleep(time.Hour)
				synctest.Wait()
				s.Check(1, test.seen...)
				a := answers[0]
				if a.Status != test.labels || a.Status != 0 && w.Code != a.Status || a.Refused != test.refused ||
					a.Ran != (test.do != nil) || a.Action != "generate" || len(a.Labels) > 0 != a.Ran {
					t.Errorf("got %d and %+v, want %d", w.Code, a, test.labels)
				}
			})
		})
	}
}

// A body that panics as it is read aborts the request, and OnAnswered still ends the span. Hooks that panic lose no
// answer.
func TestHooksAndPanics(t *testing.T) {
	s := &hooktest.Spans{T: t}
	answered := func(ctx context.Context, status int) {
		s.End(ctx)
		if status != 0 {
			t.Errorf("got status %d, want 0", status)
		}
	}
	rates := &Handler{
		Rates: always(ship(t, "standard")), Access: Access{Guarded: true}, OnStarted: s.Started,
		OnAnswered: func(ctx context.Context, a Answer) { answered(ctx, a.Status) },
	}
	about := &LabelHandler{
		Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, nil },
		Access:   Access{Guarded: true}, OnStarted: s.Started,
		OnAnswered: func(ctx context.Context, a LabelAnswer) { answered(ctx, a.Status) },
	}
	for _, h := range []http.Handler{rates, about} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is lost")
				}
			}()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/generate", panics{}))
		}()
	}
	s.Check(2)

	started := func(context.Context, *http.Request) context.Context { panic("no tracer") }
	var mu sync.Mutex
	failed := map[string]int{}
	report := func(_ context.Context, f *Failure) {
		mu.Lock()
		defer mu.Unlock()
		failed[f.Err.Error()]++
	}
	rates = &Handler{
		Rates: rates.Rates, Access: rates.Access, OnStarted: started, OnFailure: report,
		OnAnswered: func(context.Context, Answer) { panic("no meter") },
	}
	about = &LabelHandler{
		Generate: about.Generate, Access: about.Access, OnStarted: started, OnFailure: report,
		OnAnswered: func(context.Context, LabelAnswer) { panic("no meter") },
	}
	for body, want := range map[string]int{string(document(t, "rate_request")): 200, string(labels(t)): 202} {
		h := http.Handler(rates)
		if want == 202 {
			h = about
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/generate", strings.NewReader(body)))
		if w.Code != want {
			t.Errorf("got %d, want %d", w.Code, want)
		}
	}
	if failed["OnStarted: panic: no tracer"] != 2 || failed["OnAnswered: panic: no meter"] != 2 {
		t.Errorf("reported %v, want each hook of each handler", failed)
	}
}

// More requests than are left without an answer are answered, and reported with what they were answered.
func TestLabelsThatCannotBeHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		statuses := map[int]int{}
		h := &LabelHandler{
			Generate: func(context.Context, []Label) ([]LabelFailure, error) { return nil, errors.New("down") },
			Access:   Access{Guarded: true}, MaxRuns: 1, OnFailure: func(context.Context, *Failure) {},
			OnAnswered: func(_ context.Context, a LabelAnswer) {
				mu.Lock()
				defer mu.Unlock()
				statuses[a.Status]++
			},
		}
		send := func() {
			defer func() { _ = recover() }() // left without an answer
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/generate", bytes.NewReader(labels(t))))
		}
		go send()
		synctest.Wait()
		send()
		time.Sleep(time.Hour)
		if statuses[0] != 1 || statuses[503] != 1 {
			t.Errorf("got %v, want one left without an answer and one 503", statuses)
		}
	})
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic(http.ErrAbortHandler) }
