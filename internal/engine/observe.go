package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Attempt describes a call, or one request of it, before it begins.
type Attempt struct {
	Method, Route string
	Version       string
	Store         int64 // 0 for an app that acts in no store
	Class         Class
	Number        int           // of the attempt, from 1; 0 for the whole call
	Sent          int           // requests that were sent before this one
	Waited        time.Duration // for the rate limit, before this request
}

// AttemptEnd describes the end of what an Attempt describes.
type AttemptEnd struct {
	Status    int   // of the last answer; 0 if there was none
	Err       error // that the caller gets, or would get if no other request followed
	Duration  time.Duration
	Waited    time.Duration // for the rate limit; of a call, before all of its requests
	Bytes     int64         // of the bodies of answers, decompressed
	Rate      Rate          // of the last answer
	RequestID string        // of the last answer
	Requests  int           // that a call has sent; 1 for a single request
	Again     bool          // another request is due
	Wait      time.Duration // before that
}

// errLeft is the end of a call, or of a request, that neither returned nor failed.
var errLeft = errors.New("the call ended by a panic or by runtime.Goexit")

// observer passes what happens in one call to Config.OnAttempt. A Core without that hook has none.
type observer struct {
	core    *Core
	ctx     context.Context // of the call
	version string
	since   time.Time // the start of the call
	call    AttemptEnd
	end     func(AttemptEnd) // of the call; nil if the hook returned none
	sent    time.Time        // the start of the request under way
	one     AttemptEnd       // of it
	endOne  func(AttemptEnd) // of it; nil if none is under way, or the hook returned none
}

// observe makes a call, with an observer if there is a hook. The hook's context is that of all that the call does.
func (c *Core) observe(ctx context.Context, r Request, call func(context.Context, *observer) error) error {
	o := &observer{core: c, version: cmp.Or(r.Version, c.config.Version), since: time.Now()}
	o.ctx, o.end = o.begin(ctx, Attempt{Method: r.method(), Route: r.Path, Class: r.class()})
	err := errLeft
	defer func() { o.finish(err) }()
	err = call(o.ctx, o)
	return err
}

// begin calls the hook. A hook that panics costs the call nothing.
func (o *observer) begin(ctx context.Context, a Attempt) (observed context.Context, end func(AttemptEnd)) {
	a.Version, a.Store = o.version, o.core.config.Store
	o.guard(ctx, func() { observed, end = o.core.config.OnAttempt(ctx, a) })
	if observed == nil {
		observed = ctx
	}
	return observed, end
}

// guard calls what the app gave, and logs its panic. A logger that panics leaves nothing to report to.
func (o *observer) guard(ctx context.Context, f func()) {
	defer func() { _ = recover() }()
	defer func() {
		if value := recover(); value != nil {
			said := wire.Line(fmt.Sprint(value), wire.MaxText)
			o.core.config.Logger.LogAttrs(ctx, slog.LevelError, "client: hook OnAttempt panicked", slog.String("panic", said))
		}
	}()
	f()
}

// wait waits for the rate limit, and counts the time, even if the request is not sent then.
func (o *observer) wait(ctx context.Context, k *call) (pass, error) {
	since := time.Now()
	p, err := k.await(ctx)
	if err != nil {
		p.waited = time.Since(since)
	}
	o.call.Waited += p.waited
	return p, err
}

// attempt begins a request of the call, and returns it with the context of the hook.
func (o *observer) attempt(k *call, req *http.Request) *http.Request {
	a := Attempt{
		Method: k.method, Route: k.route, Class: k.class, Number: k.attempts + 1, Sent: k.sent, Waited: k.pass.waited,
	}
	o.call.Requests++
	o.call.Status, o.call.Rate, o.call.RequestID = 0, Rate{}, ""
	o.one = AttemptEnd{Waited: a.Waited, Requests: 1}
	ctx, end := o.begin(req.Context(), a)
	if o.endOne = end; ctx != req.Context() {
		req = req.WithContext(ctx)
	}
	o.sent = time.Now()
	return req
}

// answered notes what the headers of an answer say.
func (o *observer) answered(resp *http.Response) {
	o.one.Status, o.one.Rate, o.one.RequestID = resp.StatusCode, RateOf(resp.Header), RequestID(resp.Header)
	o.call.Status, o.call.Rate, o.call.RequestID = o.one.Status, o.one.Rate, o.one.RequestID
}

// read notes how much of a body was read.
func (o *observer) read(n int) {
	o.one.Bytes = int64(n)
	o.call.Bytes += o.one.Bytes
}

// over notes that the request under way is over.
func (o *observer) over() { o.one.Duration = time.Since(o.sent) }

// decided ends the request under way, if there is one, once it is known whether another one follows.
func (o *observer) decided(ctx context.Context, k *call, resp *http.Response, err error, again bool) {
	if o.endOne == nil {
		return
	}
	if err != nil || resp.StatusCode/100 != 2 {
		o.one.Err = k.core.config.Codec.Fail(k.failure(ctx, resp, err))
	}
	if o.one.Again = again; again {
		o.one.Wait = k.wait
	}
	o.ended()
}

// ended calls the end of the request under way, once.
func (o *observer) ended() {
	end := o.endOne
	o.endOne = nil
	o.guard(o.ctx, func() { end(o.one) })
}

// finish ends the call, and a request of it that was left.
func (o *observer) finish(err error) {
	if o.endOne != nil {
		o.one.Err = err
		o.over()
		o.ended()
	}
	if o.end != nil {
		o.call.Err, o.call.Duration = err, time.Since(o.since)
		o.guard(o.ctx, func() { o.end(o.call) })
	}
}
