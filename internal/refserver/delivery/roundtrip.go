package delivery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// answerKept is how much of an answer an attempt remembers.
const answerKept = 4 << 10

// usualSource is where requests to a handler in this process come from. It belongs to
// an address block for documentation.
const usualSource = "192.0.2.1"

// overNetwork gives of the answer what is kept of it.
func overNetwork(c *http.Client, req *http.Request, kept int) answer {
	resp, err := c.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, and reading that would not end with the context
		return answer{status: resp.StatusCode, header: resp.Header}
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, int64(kept)))
	return answer{resp.StatusCode, resp.Header, string(b), err}
}

// inProcess calls the handler on a goroutine of its own, and does not wait for it after ctx has ended. The handler sees
// that in its request's context.
func inProcess(ctx context.Context, h http.Handler, req *http.Request, kept int) answer {
	req = req.WithContext(ctx)
	req.RequestURI = req.URL.RequestURI()
	if req.RemoteAddr == "" {
		req.RemoteAddr = net.JoinHostPort(usualSource, "443")
	}
	rec := &recorder{header: http.Header{}}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("the handler panicked: %v", p)
			}
		}()
		h.ServeHTTP(rec, req)
		done <- nil
	}()
	select {
	case err := <-done:
		if err != nil {
			return answer{err: err}
		}
		// A handler that charged more time than there was answered too late.
		if err := ctx.Err(); err != nil {
			return answer{err: err}
		}
		return rec.result(kept)
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
}

// recorder is the ResponseWriter of a handler in the same process.
type recorder struct {
	mu     sync.Mutex
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 && status >= 200 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.Write(p)
}

func (r *recorder) result(kept int) answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return answer{status: r.status, header: r.header.Clone(), body: string(r.body.Bytes()[:min(r.body.Len(), kept)])}
}

// charge is the time an in-process handler says it took on a virtual clock.
type charge struct {
	mu     sync.Mutex
	left   time.Duration
	spent  time.Duration
	cancel context.CancelCauseFunc
}

type chargeKey struct{}

// taken is what was charged; nothing without a charge.
func (c *charge) taken() time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent
}

// errSpent is why the context of an attempt ends when its time has been charged.
var errSpent = errors.New("charged time ran out")

// Spend lets d pass for a handler that is being called by a delivery. On a
// virtual clock the time is charged to the attempt, which then has timed out if
// it was too much, and nobody sleeps; otherwise it is slept. It returns the error
// of ctx if that has ended, even if a busy machine notices both at once.
func Spend(ctx context.Context, d time.Duration) error {
	if c, ok := ctx.Value(chargeKey{}).(*charge); ok {
		c.mu.Lock()
		c.spent += d
		late := c.spent >= c.left
		c.mu.Unlock()
		if late {
			c.cancel(errSpent)
		}
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	if limit, limited := ctx.Deadline(); limited && !time.Now().Before(limit) {
		<-ctx.Done() // the timer of the context runs in a goroutine of its own
	}
	return ctx.Err()
}
