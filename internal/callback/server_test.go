package callback

import (
	"context"
	"net/http"
	"net/http/httptest"
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
