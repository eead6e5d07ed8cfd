package engine

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/commerceplatform/commerce-go/internal/condition"
)

// A circuit opens when at least breakerRequests attempts were made in the last
// minute and half of them failed, and tries again after ten seconds.
const (
	breakerWindow   = time.Minute
	breakerBucket   = 10 * time.Second
	breakerRequests = 20
	breakerRest     = 10 * time.Second
	breakerProbes   = 3
)

const (
	// breakerSpread is how many endpoints must fail within breakerWindow for their failures to be the origin's.
	breakerSpread = 3
	// breakerEndpoints bounds the circuits of endpoints that are kept.
	breakerEndpoints = 64
)

// endpoint is a method and the template of a path.
type endpoint struct{ method, route string }

// breaker stops calls to what fails. Failures of the way to the platform are the origin's: no answer, and the statuses
// of gateways. Other 5xx and the refusals of an intermediary are an endpoint's, and stop only calls of that endpoint,
// unless several endpoints fail. The platform's own refusals such as 404 or 429, the caller's own cancellation and
// answers that are only too large for the caller count for neither.
type breaker struct {
	origin circuit

	mu      sync.Mutex
	failing map[endpoint]*failing // endpoints that have failed within the last window; nil if there are none
}

// failing is an endpoint that has failed.
type failing struct {
	circuit circuit
	last    time.Time
}

// circuit is a *gobreaker.CircuitBreaker[*http.Response]. A field of that type would have its methods compiled again in
// every package that sees a Client.
type circuit any

// execute runs f in a circuit, unless that is open. If circuit were an interface with a method for it, f would escape
// to the heap.
func execute(c circuit, f func() (*http.Response, error)) (*http.Response, error) {
	return c.(*gobreaker.CircuitBreaker[*http.Response]).Execute(f)
}

// Errors that mark an answer that is passed on but counts as a failure.
var (
	errGateway  = errors.New("gateway error")       // of the origin
	errEndpoint = errors.New("server error")        // of the endpoint
	errSpread   = errors.New("server error of all") // of the endpoint, and of the origin
)

func newBreaker() *breaker {
	return &breaker{origin: newCircuit(func(err error) bool {
		var lost *lostError // which is on the heap
		return errors.As(err, &lost) && lost.left || errors.As(err, new(*fileError)) ||
			errors.Is(err, ErrTooLarge) || errors.Is(err, errEndpoint)
	})}
}

func newCircuit(excluded func(error) bool) circuit {
	return gobreaker.NewCircuitBreaker[*http.Response](gobreaker.Settings{
		Interval:     breakerWindow,
		BucketPeriod: breakerBucket,
		Timeout:      breakerRest,
		MaxRequests:  breakerProbes,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			ended := n.TotalSuccesses + n.TotalFailures // Requests also counts the excluded ones
			return ended >= breakerRequests && 2*n.TotalFailures >= ended
		},
		IsExcluded: func(err error) bool { return err != nil && excluded(err) },
	})
}

// do runs attempt unless the circuit of the endpoint or of the origin is open.
func (b *breaker) do(req *http.Request, e endpoint, attempt func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	whole := func() (*http.Response, error) {
		return execute(b.origin, func() (*http.Response, error) {
			resp, err := attempt(req)
			if err == nil && (resp.StatusCode >= http.StatusInternalServerError || foreign(resp)) {
				err = b.fail(e, resp.StatusCode)
			}
			return resp, err
		})
	}
	var resp *http.Response
	var err error
	if own := b.circuit(e); own != nil {
		resp, err = execute(own, whole)
	} else {
		resp, err = whole()
	}
	switch {
	case errors.Is(err, errGateway), errors.Is(err, errEndpoint), errors.Is(err, errSpread):
		return resp, nil
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return nil, condition.ErrCircuitOpen
	}
	return resp, err
}

// circuit returns the circuit of an endpoint; nil if it has not failed recently.
func (b *breaker) circuit(e endpoint) circuit {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, ok := b.failing[e]
	if !ok {
		return nil
	}
	if time.Since(f.last) > breakerWindow {
		delete(b.failing, e)
		return nil
	}
	return f.circuit
}

// fail returns the mark of an answer that failed, and remembers an endpoint that failed.
func (b *breaker) fail(e endpoint, status int) error {
	switch {
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout, status >= gatewayStatus:
		return errGateway
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	f, ok := b.failing[e]
	if !ok {
		f = b.remember(e, now)
	}
	f.last = now
	recent := 0
	for _, f := range b.failing {
		if now.Sub(f.last) <= breakerWindow {
			recent++
		}
	}
	if recent < breakerSpread {
		return errEndpoint
	}
	return errSpread
}

// remember makes the circuit of an endpoint that failed for the first time. If there are too many, the one that failed
// least recently is forgotten.
func (b *breaker) remember(e endpoint, now time.Time) *failing {
	oldest, at := e, now
	for other, f := range b.failing {
		if now.Sub(f.last) > breakerWindow {
			delete(b.failing, other)
		} else if !f.last.After(at) {
			oldest, at = other, f.last
		}
	}
	if len(b.failing) >= breakerEndpoints {
		delete(b.failing, oldest)
	}
	if b.failing == nil {
		b.failing = map[endpoint]*failing{}
	}
	f := &failing{circuit: newCircuit(func(err error) bool {
		return !errors.Is(err, errEndpoint) && !errors.Is(err, errSpread)
	})}
	justFailed := func() (*http.Response, error) { return nil, errEndpoint }
	_, _ = execute(f.circuit, justFailed)
	b.failing[e] = f
	return f
}
