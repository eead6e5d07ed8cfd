package engine

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// The 500s of one endpoint once stopped all calls of a store, also the reads.
func TestEndpointOpensOnlyItself(t *testing.T) {
	ends := func(code int) func(*http.Request) (*http.Response, error) {
		return hostile.Status(code, `{}`, "X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "4000")
	}
	fine := ends(200)
	down := hostile.Fails(&net.OpError{Op: "dial", Err: errors.New("connection refused")})
	for _, test := range []struct {
		name    string
		answer  func(*http.Request) (*http.Response, error)
		failing int  // endpoints
		stopped bool // what works
	}{
		{"500 of one", ends(500), 1, false},
		{"500 of two", ends(500), 2, false},
		{"500 of three", ends(500), 3, true},
		{"501 of one", ends(501), 1, false},
		{"502 of one", ends(502), 1, true},
		{"503 of one", ends(503), 1, true},
		{"504 of one", ends(504), 1, true},
		{"524 of one", ends(524), 1, true},
		{"no connection for one", down, 1, true},
		{"429 of one", ends(429), 1, false},
		{"404 of all", hostile.Refuses(404), 4, false},
		{"404 of a gateway for two", ends(404), 2, false},
		{"404 of a gateway for three", ends(404), 3, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bad func(*http.Request) (*http.Response, error)
				sent := 0
				c := newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
					sent++
					if r.Method == http.MethodPut {
						return bad(r)
					}
					return fine(r)
				}), func(c *Config) { c.Attempts, c.MaxWait = 1, time.Hour })
				put := func(i int) error {
					return c.Do(t.Context(), Request{Method: "PUT", Path: fmt.Sprintf("/kind%d/{id}", i%test.failing), Args: []any{i}, Retry: TokenExchange}, nil)
				}
				bad = test.answer
				for i := range 22 * test.failing {
					_ = put(i)
				}
				err := c.Do(t.Context(), Request{Path: "/store"}, nil)
				if errors.Is(err, condition.ErrCircuitOpen) != test.stopped || err == nil == test.stopped {
					t.Errorf("the other endpoint: %v, want an open circuit: %v", err, test.stopped)
				}
				opens := test.stopped || test.name[:2] == "50" || strings.Contains(test.name, "gateway")
				before := sent
				if err := put(0); errors.Is(err, condition.ErrCircuitOpen) != opens || (sent == before) != opens {
					t.Errorf("the endpoint: %v, sent: %v; want an open circuit: %v", err, sent > before, opens)
				}
				time.Sleep(breakerRest + time.Second)
				bad = fine
				for i := range breakerProbes + 1 {
					if err := put(i); err != nil {
						t.Errorf("after the rest: %v", err)
					}
				}
			})
		})
	}
}

// A method and another one of the same path are different endpoints.
func TestMethodsOpenApart(t *testing.T) {
	c := newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		code := map[string]int{"PATCH": 500, "GET": 200}[r.Method]
		return hostile.Status(code, `{}`, "X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "4000")(r)
	}), func(c *Config) { c.Attempts = 1 })
	path := "/products/{product_id}/variants"
	for range 30 {
		_ = c.Do(t.Context(), Request{Method: "PATCH", Path: path, Args: []any{1}, Body: 1}, nil)
	}
	if err := c.Do(t.Context(), Request{Method: "PATCH", Path: path, Args: []any{2}, Body: 1}, nil); !errors.Is(err, condition.ErrCircuitOpen) {
		t.Errorf("PATCH: %v, want an open circuit", err)
	}
	if err := c.Do(t.Context(), Request{Path: path, Args: []any{1}}, nil); err != nil {
		t.Errorf("GET: %v", err)
	}
}

// However many paths fail, few circuits are kept, and none of an endpoint that has not failed for a minute.
func TestCircuitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreaker()
		fail := func(i int) {
			_, _ = b.do(nil, endpoint{"PUT", fmt.Sprint("/things/", i)}, func(*http.Request) (*http.Response, error) {
				if i%2 == 0 {
					return &http.Response{StatusCode: 200}, nil // or the circuit of all would open
				}
				return &http.Response{StatusCode: 500}, nil
			})
		}
		for i := range 10_000 {
			fail(i)
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
			}
			_, _ = b.do(nil, endpoint{"GET", "/store"}, func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil })
		}
		if n := len(b.failing); n != breakerEndpoints {
			t.Errorf("%d circuits, want %d", n, breakerEndpoints)
		}
		if _, ok := b.failing[endpoint{"PUT", "/things/9999"}]; !ok {
			t.Error("the newest was forgotten")
		}
		time.Sleep(breakerWindow + time.Second)
		fail(1)
		if n := len(b.failing); n != 1 {
			t.Errorf("%d circuits a minute later, want the newest", n)
		}
	})
}
