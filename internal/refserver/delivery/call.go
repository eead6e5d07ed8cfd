package delivery

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Call is one request to a partner whose answer is read. It is made once.
type Call struct {
	// Method is empty for POST.
	Method string
	URL    string
	Header http.Header
	Body   []byte
	// Timeout is how long the answer may take.
	Timeout time.Duration
	// Delay is added to what the partner takes, as a slow network would.
	Delay time.Duration
	// Source is the address that a handler in this process sees the call come from;
	// empty is one of a block for documentation.
	Source string
	// Replica is which of the targets of a route is called, from 1; 0 is the one whose turn it is.
	Replica int
}

// Reply is what became of a call.
type Reply struct {
	Status int
	// Body is the answer up to MaxReply, and one byte more of an answer beyond it.
	Body []byte
	// Header are the headers of the answer as they came; those of Wire are masked.
	Header http.Header
	// Late is set if there was no answer in time; Err then says so.
	Late bool
	// Err is why there is no answer.
	Err      error
	Duration time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	// To is the origin that a route led to, empty for a handler in this process and for the address itself.
	To   string
	Wire Wire
}

// Caller makes calls: Worker.Call, of which the packages that call partners need no more.
type Caller func(ctx context.Context, c Call) Reply

// MaxReply is how much of an answer is read.
const MaxReply = 1 << 20

// patience bounds the real time of a handler in this process when the virtual clock
// decides what is late, so that one that hangs does not hang its caller.
const patience = 30 * time.Second

// Call makes the call wherever the address leads. For a handler in this process, time passes by the server's clock. On
// a virtual one it is late if the Delay and the time of its calls of Spend reach the timeout, however long the machine
// took.
func (w *Worker) Call(ctx context.Context, c Call) Reply {
	real := time.Now()
	own, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(w.work.Context(), stop)()
	limited, ch, cancel := w.limitCall(own, c)
	defer cancel()
	r := Reply{DecidedBy: "real", Wire: Wire{Limit: c.Timeout, From: w.mark()}}
	if ch != nil {
		r.DecidedBy = "virtual"
	}
	begun := w.options.Clock.Now()
	w.exchange(limited, c, &r)
	r.Wire.To = w.mark()
	r.Duration = w.options.Clock.Now().Sub(begun) + ch.taken()
	if ch == nil { // a clock that stands still says nothing about an answer that real time decides about
		r.Duration = time.Since(real)
	}
	if r.Err != nil && own.Err() == nil && limited.Err() != nil {
		r.Late, r.Err = true, fmt.Errorf("no answer within %s", c.Timeout)
	}
	return r
}

// exchange makes the request of a call.
func (w *Worker) exchange(ctx context.Context, c Call, r *Reply) {
	req, err := http.NewRequestWithContext(ctx, cmp.Or(c.Method, http.MethodPost), c.URL, bytes.NewReader(c.Body))
	if err != nil {
		r.Err = err
		return
	}
	if c.Header != nil {
		req.Header = c.Header.Clone()
	}
	if c.Source != "" {
		req.RemoteAddr = net.JoinHostPort(c.Source, "443")
	}
	r.Wire.Sent = work.Masked(c.Header)
	got, later := w.wait(withReplica(ctx, c.Replica), req, MaxReply+1)
	r.Wire.Later, r.To = later, reached(req)
	if r.Err = got.err; r.Err == nil && c.Delay > 0 {
		r.Err = Spend(ctx, c.Delay)
	}
	if r.Err == nil {
		r.Status, r.Body, r.Header, r.Wire.Got = got.status, []byte(got.body), got.header, work.Masked(got.header)
	}
}

// reached is the origin that a route led the request to, empty if none led elsewhere.
func reached(req *http.Request) string {
	if req.URL.Host == req.Host {
		return ""
	}
	return req.URL.Scheme + "://" + req.URL.Host
}

// inProcess reports whether the address leads to a handler in this process.
func (w *Worker) inProcess(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	t, ok := w.Routes.find(u.Hostname())
	return ok && t.handler != nil
}

// limitCall gives a call its time; the charge is nil if it is real time.
func (w *Worker) limitCall(ctx context.Context, c Call) (context.Context, *charge, context.CancelFunc) {
	if _, virtual := w.options.Clock.(*clock.Virtual); !virtual || !w.inProcess(c.URL) {
		ctx, cancel := context.WithTimeout(ctx, c.Timeout)
		return ctx, nil, cancel
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	ctx, cause := context.WithCancelCause(ctx)
	ch := &charge{left: c.Timeout, cancel: cause}
	return context.WithValue(ctx, chargeKey{}, ch), ch, func() { cause(nil); cancel() }
}
