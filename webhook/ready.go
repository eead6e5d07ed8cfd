package webhook

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultWait is how long servers continue to accept after the probe of [Ready] has failed. A load balancer probes
// every second or two, and takes the process out of service after two or three failures.
const DefaultWait = 5 * time.Second

// Ready answers the readiness probe of a load balancer, and shuts servers down without rejecting a request. Mount it at
// the path that the load balancer probes, such as /readyz. It works for servers of every package. The zero value is
// ready to use.
//
//	200  the process takes requests; the body lists the checks that warn
//	405  neither a GET nor a HEAD
//	503  Shutdown was called, or a check failed; the body lists the failed checks
//
// A server that stops accepting as soon as it gets SIGTERM rejects requests until the next probes of the load balancer
// have failed.
type Ready struct {
	// Wait is how long the servers continue to accept after Shutdown was called. It must be longer than the load
	// balancer takes to notice: the interval of its probe times the failures that it counts. Zero means DefaultWait;
	// below 0 means no wait.
	Wait time.Duration
	// Checks are run by the probe, at most once in CheckEvery and not while draining: see InboxAnswers and Backlog. A
	// check that fails takes the process out of service. So it must not fail in all processes at once for a condition
	// with which they can still work. By default there are no checks.
	Checks []ReadyCheck
	// OnFailure is called with each check that fails or warns, and the reason, each time the checks are run. If nil,
	// slog.Default logs it, at most once a minute.
	OnFailure func(ctx context.Context, check ReadyCheck, err error)

	draining atomic.Bool
	checked  checked
}

// ServeHTTP implements http.Handler.
func (y *Ready) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isProbe(w, r) {
		return
	}
	if y.draining.Load() {
		answer(w, http.StatusServiceUnavailable)
		return
	}
	failed, lines := y.check(r.Context())
	if failed {
		w.WriteHeader(http.StatusServiceUnavailable)
	} else {
		lines = "ready\n" + lines
	}
	_, _ = io.WriteString(w, lines)
}

// Shutdown makes the probe fail, waits for Wait while the servers continue to accept, and then shuts them down, so that
// they answer the requests in progress. It returns when they have, or with the error of ctx. Give ctx more time than
// Wait and [AnswerTime]. It may be called again; the second call does not wait again.
//
// Workers continue meanwhile. End their context afterwards.
func (y *Ready) Shutdown(ctx context.Context, servers ...*http.Server) error {
	if !y.draining.Swap(true) {
		pause := time.NewTimer(max(0, cmp.Or(y.Wait, DefaultWait)))
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
	}
	errs := make([]error, len(servers))
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() { errs[i] = s.Shutdown(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}
