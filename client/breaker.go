package client

import (
	"errors"
	"net/http"
	"time"

	"github.com/sony/gobreaker/v2"
)

// The breaker opens when at least breakerRequests attempts were made in the last
// minute and half of them failed, and tries again after ten seconds.
const (
	breakerWindow   = time.Minute
	breakerBucket   = 10 * time.Second
	breakerRequests = 20
	breakerRest     = 10 * time.Second
	breakerProbes   = 3
)

// breaker stops calls to an origin that fails. Only 5xx and transport failures
// count; refusals such as 404 or 429, the caller's own cancellation and answers that are
// only too large for the caller do not.
type breaker struct {
	circuit *gobreaker.CircuitBreaker[*http.Response]
}

// errCounted marks an answer that is passed on but counts as a failure.
var errCounted = errors.New("server error")

func newBreaker() *breaker {
	return &breaker{gobreaker.NewCircuitBreaker[*http.Response](gobreaker.Settings{
		Interval:     breakerWindow,
		BucketPeriod: breakerBucket,
		Timeout:      breakerRest,
		MaxRequests:  breakerProbes,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			ended := n.TotalSuccesses + n.TotalFailures // Requests has those that are left out, too
			return ended >= breakerRequests && 2*n.TotalFailures >= ended
		},
		IsExcluded: func(err error) bool {
			if err == nil {
				return false
			}
			var lost *lostError // which is on the heap
			return errors.As(err, &lost) && lost.left || errors.Is(err, errTooLarge)
		},
	})}
}

// do runs attempt unless the circuit is open.
func (b *breaker) do(req *http.Request, attempt func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	resp, err := b.circuit.Execute(func() (*http.Response, error) {
		resp, err := attempt(req)
		if err == nil && resp.StatusCode >= http.StatusInternalServerError {
			return resp, errCounted
		}
		return resp, err
	})
	switch {
	case errors.Is(err, errCounted):
		return resp, nil
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return nil, ErrCircuitOpen
	}
	return resp, err
}
