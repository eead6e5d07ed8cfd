package engine

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// lostError is the end of an attempt that got no whole answer.
type lostError struct {
	sent   bool // the request may have reached the server
	status int  // of an answer that broke off
	left   bool // the caller's context ended
	err    error
}

func (e *lostError) Error() string { return wire.Line(e.err.Error(), wire.MaxText) }
func (e *lostError) Unwrap() error { return e.err }

// send performs one attempt and reads its answer whole, within the bounds of the
// configuration. The answer it returns has its body in memory.
func (k *call) send(req *http.Request) (*http.Response, error) {
	parent := req.Context()
	ctx, abort := context.WithCancelCause(parent)
	defer abort(nil)
	timer := time.AfterFunc(k.core.config.AttemptTimeout, func() { abort(ErrTimeout) })
	defer timer.Stop()
	var watched *progress // nil for reads, which are repeated whether they were sent or not
	if k.class == Read {
		req = req.WithContext(ctx)
	} else {
		watched = &progress{once: k.class.reactionTo(noAnswer) == never, abort: abort}
		watched.streams.Store(k.core.multiplexed.Load())
		req = req.WithContext(httptrace.WithClientTrace(ctx, watched.trace()))
		if watched.once && watched.streams.Load() {
			req.GetBody = nil // net/http then returns the reason instead of sending again: see unprocessed
		}
	}
	resp, err := k.core.config.Transport.RoundTrip(req)
	switch {
	case err != nil:
		why, left := reason(parent, ctx, err)
		return nil, &lostError{sent: watched == nil || watched.sent(err), left: left, err: why}
	case resp == nil:
		return nil, &lostError{sent: true, err: errNothing}
	case resp.Body == nil:
		return nil, &lostError{sent: true, status: resp.StatusCode, err: errNoBody}
	}
	defer func() { _ = resp.Body.Close() }()
	k.core.multiplexed.Store(resp.ProtoMajor == 2)
	k.hear(resp)
	if k.observer != nil {
		k.observer.answered(resp)
	}
	switch resp.StatusCode / 100 {
	case 1: // 101: what follows is no body, and reading it would end neither with ctx nor with a timeout
		return nil, &lostError{sent: true, status: resp.StatusCode, err: ErrSwitched}
	case 3:
		return nil, &lostError{sent: true, status: resp.StatusCode, err: redirected(resp)}
	}
	limit := int64(MaxErrorBody)
	if resp.StatusCode/100 == 2 {
		limit = k.core.config.MaxBody
	}
	body, err := k.core.bodies.read(resp, limit)
	if k.observer != nil {
		k.observer.read(len(body))
	}
	switch {
	case err == nil:
	case errors.Is(err, ErrTooLarge):
		return nil, &lostError{sent: true, status: resp.StatusCode, err: err}
	case ctx.Err() != nil:
		why, left := reason(parent, ctx, err)
		return nil, &lostError{sent: true, status: resp.StatusCode, left: left, err: why}
	case resp.StatusCode/100 != 2: // of a refusal a part will do
	default:
		return nil, &lostError{sent: true, status: resp.StatusCode, err: fmt.Errorf("%w after %d bytes", ErrTruncated, len(body))}
	}
	k.whole.data = withoutMark(body)
	k.whole.foreign = byIntermediary(resp, k.method, k.whole.data, err != nil || len(body) == MaxErrorBody)
	k.whole.Reset(k.whole.data)
	resp.Body = &k.whole
	return resp, nil
}

// progress watches how far a request got, and that it gets there once where it must. Otherwise net/http sends
// everything again after a PROTOCOL_ERROR of HTTP/2, although the server may have acted before. By HTTP/1 it does so
// if the caller's transport gave the request an idempotency key and a reused connection ends without an answer. A
// transport that retries sends everything again after an answer, too.
type progress struct {
	once                    bool
	abort                   context.CancelCauseFunc
	connecting, wrote, left atomic.Bool
	answered                atomic.Bool // the first byte of an answer arrived
	fresh                   atomic.Bool // the last connection was a new one
	streams                 atomic.Bool // the connection is one of HTTP/2
	keyed                   atomic.Bool // net/http takes the request, sent by HTTP/1, for one that it may repeat
}

func (p *progress) trace() *httptrace.ClientTrace {
	t := &httptrace.ClientTrace{
		GetConn: func(string) {
			p.connecting.Store(true)
			if p.again() { // or a failed dial would mean that nothing was sent
				p.abort(ErrAgain)
			}
		},
		GotConn:              p.gotConn,
		GotFirstResponseByte: func() { p.answered.Store(true) },
		WroteHeaders:         func() { p.wrote.Store(true) },
		WroteRequest:         func(info httptrace.WroteRequestInfo) { p.left.Store(info.Err == nil) },
	}
	if p.once {
		t.WroteHeaderField = func(name string, _ []string) {
			if name == "Idempotency-Key" || name == "X-Idempotency-Key" { // in lower case by HTTP/2, where it changes nothing
				p.keyed.Store(true)
			}
		}
	}
	return t
}

func (p *progress) gotConn(info httptrace.GotConnInfo) {
	streams := isHTTP2(info.Conn)
	if p.again() {
		p.abort(ErrAgain)
		if p.keyed.Load() && !streams && info.Conn != nil {
			_ = info.Conn.SetWriteDeadline(time.Unix(1, 0)) // HTTP/1 writes before it looks whether the request was aborted
		}
	}
	if streams {
		p.streams.Store(true)
	}
	p.fresh.Store(!info.Reused)
}

// again reports whether a request that is about to be sent may have been processed before. By HTTP/1 it is given
// another connection, if it has no key, only if nothing of it was written. Written means only that it was put into a
// buffer. So a request with a key also counts as sent if its connection turned out to be dead. After an answer, or if a
// new connection took the request, net/http sends nothing again, and only a transport around it does.
func (p *progress) again() bool {
	return p.once && (p.answered.Load() || p.left.Load() && (p.streams.Load() || p.fresh.Load()) || p.wrote.Load() && p.keyed.Load())
}

func isHTTP2(c net.Conn) bool {
	secured, ok := c.(*tls.Conn)
	return ok && secured.ConnectionState().NegotiatedProtocol == "h2"
}

// sent reports whether the request may have reached the server. A transport that
// does not trace gets the benefit of no doubt.
func (p *progress) sent(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || unprocessed(err) {
		return false
	}
	return p.wrote.Load() || !p.connecting.Load()
}

// unprocessed reports whether HTTP/2 says that the server did nothing with a request. The errors of net/http for that
// have no names; if their words change, a create that meets one has an unknown outcome, and is not sent again.
func unprocessed(err error) bool {
	text := err.Error()
	return strings.HasPrefix(text, "http2: Transport: cannot retry err [") &&
		(strings.Contains(text, "; REFUSED_STREAM;") || strings.Contains(text, "graceful shutdown GOAWAY"))
}

// reason returns the error of a context that ended, or else what was observed, and whether the context is the
// caller's. That a dial took too long is a context.DeadlineExceeded to errors.Is, too.
func reason(parent, attempt context.Context, observed error) (why error, left bool) {
	switch {
	case parent.Err() != nil:
		return parent.Err(), true
	case errors.Is(context.Cause(attempt), ErrTimeout):
		return ErrTimeout, false
	case errors.Is(context.Cause(attempt), ErrAgain):
		return ErrAgain, false
	}
	return withoutURL(observed), false
}

// whole is a body in memory.
type whole struct {
	bytes.Reader
	data    []byte
	foreign bool // an intermediary sent it
}

func (*whole) Close() error { return nil }

// foreign reports whether an intermediary sent an answer that send returned.
func foreign(resp *http.Response) bool {
	if resp == nil {
		return false
	}
	w, ok := resp.Body.(*whole)
	return ok && w.foreign
}

// bodyOf returns the body of an answer that send returned.
func bodyOf(resp *http.Response) []byte {
	if w, ok := resp.Body.(*whole); ok {
		return w.data
	}
	return nil
}
