package client

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A refusal whose body broke off counted as an answer of 2xx that broke off: a PUT answered 500 was then read again and
// gave the record from before it, a DELETE answered 403 was a success, and a create answered 422 was of unknown
// outcome.
func TestBrokenRefusalIsARefusal(t *testing.T) {
	for _, test := range []struct {
		method, path string
		status, sent int // 0: several times, until Config.MaxWait is over
		want         error
		unknown      bool
	}{
		{"PUT", "/products/{id}", 500, 3, ErrServer, true},
		{"PUT", "/products/{id}", 422, 1, ErrValidation, false},
		{"DELETE", "/products/{id}", 403, 1, ErrForbidden, false},
		{"DELETE", "/products/{id}", 500, 3, ErrServer, true},
		{"POST", "/products/{id}/variants", 422, 1, ErrValidation, false},
		{"POST", "/products/{id}/variants", 429, 0, ErrRateLimited, false},
		{"GET", "/products/{id}", 404, 1, ErrNotFound, false},
	} {
		t.Run(fmt.Sprint(test.method, " ", test.status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := hostile.Answers(func(r *http.Request) (*http.Response, error) {
					if r.Method != test.method {
						return hostile.Status(200, `{"id":7}`)(r) // the record as it was
					}
					return hostile.Truncated(test.status)(r)
				})
				r := Request{Method: test.method, Path: test.path, Args: []any{7}, Retry: map[string]RetryClass{"POST": RetryClassCreate}[test.method]}
				err := newTest(t, s).Do(t.Context(), r, nil)
				var failure *Error
				if !errors.As(err, &failure) || failure.Status != test.status || !errors.Is(err, test.want) || errors.Is(err, ErrOutcomeUnknown) != test.unknown {
					t.Errorf("got %v, want it to match %v, and an unknown outcome: %v", err, test.want, test.unknown)
				}
				if len(s.Seen) != test.sent && !(test.sent == 0 && len(s.Seen) > 1) {
					t.Errorf("sent %d times, want %d", len(s.Seen), test.sent)
				}
			})
		})
	}
}
