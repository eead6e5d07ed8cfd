package client

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// request is a call of a service, what it asks for, and what the platform says.
type request[S any] struct {
	want, answer string
	call         func(*S) error
}

// requests makes calls and fails the test unless each makes its one request.
func requests[S any](t *testing.T, v Version, service func(*engine.Service) *S, calls []request[S]) {
	t.Helper()
	for _, c := range calls {
		view, seen := answering(t, v, c.answer)
		if err := c.call(service(view)); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
		if len(*seen) != 1 || (*seen)[0].String() != c.want {
			t.Errorf("asked %v, want %s", *seen, c.want)
		}
	}
}

// refused makes calls and fails the test unless each is refused, with an error
// that starts as its key says, before anything is asked for.
func refused[S any](t *testing.T, v Version, service func(*engine.Service) *S, calls map[string]func(*S) error) {
	t.Helper()
	view, seen := answering(t, v, `{}`)
	for want, call := range calls {
		refusal(t, call(service(view)), want)
	}
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}
