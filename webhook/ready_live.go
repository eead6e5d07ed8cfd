package webhook

import (
	"context"
	"net/http"
	"time"
)

// Live answers the liveness probe of a process manager, which restarts the process if the probe fails. Mount it at
// another path than [Ready], whose probe fails on purpose while the process drains. The zero value answers 200 as long
// as the process can answer.
//
//	200  the process lives
//	405  neither a GET nor a HEAD
//	503  Check returned an error
type Live struct {
	// Check returns an error if the process cannot do its work and a restart fixes that, such as sqlite.ErrBroken. It
	// must return nil for failures that a restart does not fix, such as an unreachable database. Otherwise all
	// processes are restarted repeatedly until it is back. It must return within CheckTime; a slower check does not
	// fail the probe. If nil, nothing is checked. It may be called by several goroutines.
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

// isProbe rejects requests that are neither GET nor HEAD.
func isProbe(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	answer(w, http.StatusMethodNotAllowed)
	return false
}

// answer writes the text of a status.
func answer(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }
