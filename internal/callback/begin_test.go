package callback

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Begin sees each request, so that OnAnswered has its path also if it is rejected or the configuration is wrong.
func TestBegin(t *testing.T) {
	var paths []string
	kind := Kind[string]{
		Method: http.MethodPost, Limits: Limits{Budget: time.Second, MaxReceiving: 1 << 10, MaxBody: 1, MaxRuns: 1}, Misconfigured: http.StatusServiceUnavailable,
		Begin:    func(c *string, r *http.Request) { *c = r.URL.Path },
		Failed:   func(context.Context, *string, Failed) {},
		Answered: func(_ context.Context, c *string, _ Answer) { paths = append(paths, *c) },
	}
	for _, wrong := range []error{nil, ErrMisconfigured} {
		NewServer(kind, wrong).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/labels", nil))
	}
	if len(paths) != 2 || paths[0] != "/labels" || paths[1] != "/labels" {
		t.Errorf("got %v", paths)
	}
}

// Each hook that fails is reported once a minute, also if failures are throttled.
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
