package callback

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// steps are what a Server asked a kind for one call.
type steps struct{ asked []string }

func (s *steps) note(step string) { s.asked = append(s.asked, step) }

// stepping is a kind whose calls write down their steps. The first letters of a body say which step rejects it.
func stepping(s *steps) Kind[steps] {
	refuse := func(step string, is bool) *client.Refused {
		if s.note(step); is {
			return &client.Refused{Reason: client.RefusedSignature, Status: http.StatusForbidden,
				Err: fmt.Errorf("not by %s", step)}
		}
		return nil
	}
	return Kind[steps]{
		Name: "steps", Logger: slog.New(slog.DiscardHandler), Method: http.MethodPost, Misconfigured: 503, Full: 429,
		Malformed: 400,
		Limits: Bounds{Default: Limits{Budget: time.Second, MaxBody: 100, MaxReceiving: 1 << 20,
			MaxRuns: 2}}.Of(Limits{}),
		Admit: func(c *steps, r *http.Request) *client.Refused { return refuse("admit", r.Header.Get("X") == "admit") },
		Verify: func(c *steps, r *http.Request, raw []byte) *client.Refused {
			return refuse("verify "+string(raw), r.Header.Get("X") == "verify")
		},
		Decode: func(c *steps, r *http.Request, raw []byte) error {
			s.note("decode")
			switch r.Header.Get("X") {
			case "malformed":
				return fmt.Errorf("no number")
			case "ignored":
				return Ignored(fmt.Errorf("no name"))
			case "rejected":
				return Rejected(&client.Refused{Reason: client.RefusedFunction, Status: http.StatusNotFound,
					Err: ErrExit})
			}
			return nil
		},
		Run: func(ctx context.Context, c *steps, due time.Time) Reply {
			s.note("run")
			return Reply{Status: http.StatusOK, Body: []byte(`{}`), RetryAfter: 1500 * time.Millisecond}
		},
		OnRefused: func(_ context.Context, r client.Refused) {
			s.note(fmt.Sprint("refused ", r.Status, " ", r.Handler))
		},
		Answered: func(_ context.Context, c *steps, a Answer) { s.note(fmt.Sprint("answered ", a.Status, " ", a.Err)) },
		Failed:   func(_ context.Context, c *steps, f Failed) { s.note(fmt.Sprint("failed ", f.Status, " ", f.Err)) },
	}
}

// Each step is asked once, in this order, and none after one that rejected the call.
func TestSteps(t *testing.T) {
	for name, want := range map[string][]string{
		"":       {"admit", "verify body", "decode", "run", "answered 200 <nil>"},
		"admit":  {"admit", "refused 403 steps", "answered 403 not by admit"},
		"verify": {"admit", "verify body", "refused 403 steps", "answered 403 not by verify body"},
		"malformed": {"admit", "verify body", "decode", "failed 400 malformed call: no number",
			"answered 400 malformed call: no number"},
		"ignored":  {"admit", "verify body", "decode", "run", "failed 0 no name", "answered 200 <nil>"},
		"rejected": {"admit", "verify body", "decode", "refused 404 steps", "answered 404 " + ErrExit.Error()},
	} {
		var s steps
		r, w := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("body")), httptest.NewRecorder()
		r.Header.Set("X", name)
		NewServer(stepping(&s), nil).ServeHTTP(w, r)
		if !slices.Equal(s.asked, want) {
			t.Errorf("%q: got %q, want %q", name, s.asked, want)
		}
		if name == "" && (w.Body.String() != "{}" || w.Header().Get("Retry-After") != "2" ||
			w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("got %s and %v", w.Body, w.Header())
		}
	}
}

// A wrong configuration is reported once, with the first call, and no step is asked.
func TestWrongConfiguration(t *testing.T) {
	var s steps
	h := NewServer(stepping(&s), fmt.Errorf("steps: no plan"))
	for range 2 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader("body")))
	}
	answered := "answered 503 " + ErrMisconfigured.Error()
	if want := []string{"failed 0 steps: no plan", answered, answered}; !slices.Equal(s.asked, want) {
		t.Errorf("got %q, want %q", s.asked, want)
	}
}

// Withheld requests have no answer, and are reported before the wait. If there is no place, a request is answered. A
// client that disconnects gives its place back.
func TestWithheld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var answered []string
		began := time.Now()
		k := stepping(&steps{})
		k.Withhold = func(_ *steps, arrived time.Time, _ int) time.Time { return arrived.Add(time.Minute) }
		k.Answered = func(_ context.Context, _ *steps, a Answer) {
			mu.Lock()
			defer mu.Unlock()
			answered = append(answered, fmt.Sprint(a.Status, " after ", time.Since(began)))
		}
		h := NewServer(k, nil)
		ended := make(chan string, 4)
		ask := func(ctx context.Context) {
			w := httptest.NewRecorder()
			defer func() {
				if recover() == http.ErrAbortHandler {
					w.Code = 0
				}
				ended <- fmt.Sprint(w.Code, " after ", time.Since(began))
			}()
			h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/", http.NoBody))
		}
		for _, stays := range []time.Duration{30 * time.Second, time.Hour, time.Hour} {
			ctx, leave := context.WithTimeout(t.Context(), stays)
			defer leave()
			go ask(ctx)
			synctest.Wait()
		}
		time.Sleep(31 * time.Second)
		go ask(t.Context())
		time.Sleep(time.Hour)
		synctest.Wait()
		close(ended)
		var got []string
		for end := range ended {
			got = append(got, end)
		}
		if want := []string{"200 after 0s", "0 after 30s", "0 after 1m0s", "0 after 1m31s"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if want := []string{"0 after 0s", "0 after 0s", "200 after 0s", "0 after 31s"}; !slices.Equal(answered, want) {
			t.Errorf("OnAnswered got %q, want %q", answered, want)
		}
	})
}

func TestLimits(t *testing.T) {
	b := Bounds{
		MinBudget: time.Second, MaxBudget: 5 * time.Second, MaxLinger: time.Minute,
		Default: Limits{Budget: 4 * time.Second, ReadTime: 2 * time.Second, Linger: time.Second, MaxBody: 100,
			MaxReceiving: 1000, MaxRuns: 7},
	}
	for _, test := range []struct {
		chosen, want Limits
		wrong        string
	}{
		{Limits{}, b.Default, ""},
		{Limits{Budget: time.Second}, Limits{time.Second, time.Second, time.Second, 100, 1000, 7}, ""},
		{Limits{MaxBody: 5000}, Limits{4 * time.Second, 2 * time.Second, time.Second, 5000, 10_000, 7}, ""},
		{Limits{2 * time.Second, time.Second, time.Minute, 10, 20, 1},
			Limits{2 * time.Second, time.Second, time.Minute, 10, 20, 1}, ""},
		{Limits{Budget: 1}, Limits{}, "Budget is 1ns: must be 0 or 1s to 5s"},
		{Limits{Budget: 6 * time.Second}, Limits{}, "Budget is 6s: must be 0 or 1s to 5s"},
		{Limits{Budget: time.Second, ReadTime: 2 * time.Second}, Limits{}, "ReadTime is 2s: must be 0 to Budget"},
		{Limits{Linger: time.Hour}, Limits{}, "Linger is 1h0m0s: must be 0 to 1m0s"},
		{Limits{MaxBody: -1}, Limits{}, "MaxBody is -1: must be 0 or more"},
		{Limits{MaxReceiving: 199}, Limits{}, "MaxReceiving is 199: must be 0 or at least twice MaxBody, which is 100"},
		{Limits{MaxRuns: -1}, Limits{}, "MaxRuns is -1: must be 0 or more"},
	} {
		var wrong Check
		wrong.CheckLimits(test.chosen, b)
		if err := wrong.Err("x"); (err == nil) != (test.wrong == "") || err != nil && err.Error() != "x: "+test.wrong {
			t.Errorf("%+v: got %v, want %s", test.chosen, err, test.wrong)
		}
		if got := b.Of(test.chosen); test.wrong == "" && got != test.want {
			t.Errorf("%+v: got %+v, want %+v", test.chosen, got, test.want)
		}
	}
}

// The bytes of a body no longer count after it was read or rejected. Otherwise strangers could fill MaxReceiving
// permanently.
func TestBodiesOfStrangersAreFreed(t *testing.T) {
	var s steps
	k := stepping(&s)
	k.Limits.MaxReceiving = 2 * k.Limits.MaxBody
	h := NewServer(k, nil)
	for _, step := range []string{"admit", "verify", "malformed", "rejected", ""} {
		for range 100 {
			r := httptest.NewRequest(http.MethodPost, "/",
				strings.NewReader(strings.Repeat("b", int(k.Limits.MaxBody))))
			r.Header.Set("X", step)
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code == k.Full {
				t.Fatalf("%q: bodies that were read still count", step)
			}
		}
	}
	if held := h.bodies.held.Load(); held != 0 {
		t.Errorf("%d bytes are counted at the end", held)
	}
}

// A log that hangs, and a hook, hold no refusal.
func TestRefusalsAreGuarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := stepping(&steps{})
		k.Logger = slog.New(hanging{slog.DiscardHandler})
		k.OnRefused, k.Answered = nil, nil
		h := NewServer(k, nil)
		began := time.Now()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
		if w.Code != http.StatusMethodNotAllowed || time.Since(began) > k.Limits.Budget/5 {
			t.Errorf("got %d after %v", w.Code, time.Since(began))
		}
		time.Sleep(time.Hour)
	})
}

// hanging is a log whose lines take half an hour.
type hanging struct{ slog.Handler }

func (hanging) Enabled(context.Context, slog.Level) bool { return true }
func (hanging) Handle(context.Context, slog.Record) error {
	time.Sleep(30 * time.Minute)
	return nil
}

// Begin sees each request, so that OnAnswered has its path even if it is rejected or the configuration is wrong.
func TestBegin(t *testing.T) {
	var paths []string
	kind := Kind[string]{
		Method: http.MethodPost, Limits: Limits{Budget: time.Second, MaxReceiving: 1 << 10, MaxBody: 1, MaxRuns: 1},
		Misconfigured: http.StatusServiceUnavailable,
		Begin:         func(c *string, r *http.Request) { *c = r.URL.Path },
		Failed:        func(context.Context, *string, Failed) {},
		Answered:      func(_ context.Context, c *string, _ Answer) { paths = append(paths, *c) },
	}
	for _, wrong := range []error{nil, ErrMisconfigured} {
		NewServer(kind, wrong).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/labels", nil))
	}
	if len(paths) != 2 || paths[0] != "/labels" || paths[1] != "/labels" {
		t.Errorf("got %v", paths)
	}
}

// Each hook that fails is reported once a minute, even if failures are throttled.
func TestHooksThatFailAreReported(t *testing.T) {
	var failed []string
	kind := Kind[string]{
		Method: http.MethodPost, Limits: Limits{Budget: time.Second, MaxReceiving: 1 << 10, MaxBody: 1, MaxRuns: 1},
		Throttle:  func(*string) string { return "" },
		Failed:    func(_ context.Context, _ *string, f Failed) { failed = append(failed, f.Err.Error()) },
		OnStarted: func(context.Context, *http.Request) context.Context { panic("no tracer") },
		Answered:  func(context.Context, *string, Answer) { panic("no meter") },
	}
	s := NewServer(kind, nil)
	for range 2 {
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}
	if got := strings.Join(failed, "; "); got != "OnStarted: panic: no tracer; OnAnswered: panic: no meter" {
		t.Errorf("got %s", got)
	}
}
