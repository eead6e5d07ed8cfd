package webhook

import (
	"context"
	"net/http"
	"time"
)

// Live answers the liveness probe of a process manager, which restarts the process when it fails. Mount it at another
// path than [Ready], whose probe fails on purpose while the process drains. The zero value answers 200 as long as the
// process can answer at all.
//
//	200  the process lives
//	405  neither a GET nor a HEAD
//	503  Check returned an error
type Live struct {
	// Check returns an error if the process cannot do its work and a restart repairs that, such as sqlite.ErrBroken. It
	// must return nil for what a restart does not repair, such as a database that is away: otherwise all processes are
	// restarted, again and again, until it is back. It has CheckTime; one that takes longer does not fail the probe.
	// Nil means that there is nothing to check. It may be called by several goroutines.
	Check func(ctx context.Context) error
}

// CheckTime is how long a check of Live or Ready may take.
const CheckTime = time.Second

// ServeHTTP implements http.Handler.
func (v *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isProbe(w, r) {
		return
	}
	if v.Check != nil {
		ctx, cancel := context.WithTimeout(r.Context(), CheckTime)
		defer cancel()
		if err := v.Check(ctx); err != nil && ctx.Err() == nil {
			answer(w, http.StatusServiceUnavailable)
			return
		}
	}
	_, _ = w.Write([]byte("live\n"))
}

// isProbe answers what is not the request of a probe.
func isProbe(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	answer(w, http.StatusMethodNotAllowed)
	return false
}
