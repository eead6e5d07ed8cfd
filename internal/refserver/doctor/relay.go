package doctor

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// shape is a way to send a genuine call that HTTP allows.
type shape int

const (
	plain      shape = iota
	chunked          // in chunks, without Content-Length
	expectings       // with Expect: 100-continue
	split            // in chunks of one byte
	doubled          // twice at once
	hungUp           // the connection is closed before the answer
	withheld         // not at all: the call is lost on its way
)

// expectWait is how long the body is held back for the answer 100 at most.
const expectWait = 150 * time.Millisecond

// exchange is a request to the endpoint and its answer.
type exchange struct {
	method, uri string
	host        string // that the platform named; empty is the one of the endpoint
	header      http.Header
	body        []byte
	shape       shape // of a call that is not the platform's

	status int
	back   http.Header // of the answer
	answer []byte
	proto  string
	reused bool // the connection was used before
	took   time.Duration
	err    error
}

// relay is where the platform's calls arrive. It sends them to the endpoint.
type relay struct {
	e         *exam
	server    *http.Server
	served    chan struct{}
	address   string
	transport *http.Transport

	mu    sync.Mutex
	shape shape
	seen  []exchange // the last calls, the last of all last
}

func newRelay(e *exam) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{e: e, served: make(chan struct{}), address: "http://" + l.Addr().String(), transport: newTransport(e.o)}
	r.server = &http.Server{
		Handler: http.HandlerFunc(r.serve), ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(r.served)
		_ = r.server.Serve(l) // returns when it is closed
	}()
	return r, nil
}

// newTransport makes calls as the platform's network does: no proxy, HTTP/1.1, certificates verified.
func newTransport(o Options) *http.Transport {
	return &http.Transport{
		Proxy: nil, DisableCompression: true, ExpectContinueTimeout: expectWait, MaxIdleConnsPerHost: burst,
		TLSClientConfig: &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
}

func (r *relay) close() {
	_ = r.server.Close()
	<-r.served
	r.transport.CloseIdleConnections()
}

// shaped has the calls that f causes sent in a shape.
func (r *relay) shaped(s shape, f func() (verdict, error)) (verdict, error) {
	set := func(s shape) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.shape = s
	}
	set(s)
	defer set(plain)
	return f()
}

// mostSeen bounds the calls that are remembered.
const mostSeen = 1000

func (r *relay) saw(x exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, x)
	r.seen = r.seen[max(0, len(r.seen)-mostSeen):]
}

// arrival is how long a call may take to arrive here. On a busy machine the platform may have given it up before.
const arrival = time.Second

// find returns the last call that an examination has caused.
func (r *relay) find(ctx context.Context, caused func(x exchange) bool) (exchange, bool) {
	for until := time.Now().Add(arrival); ; {
		r.mu.Lock()
		seen := slices.Clone(r.seen)
		r.mu.Unlock()
		for _, x := range slices.Backward(seen) {
			if caused(x) {
				return x, true
			}
		}
		if time.Now().After(until) || pause(ctx, arrival/50) != nil {
			return exchange{}, false
		}
	}
}

// serve sends a call of the platform to the endpoint.
func (r *relay) serve(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	s := r.shape
	r.mu.Unlock()
	header := in.Header.Clone()
	for _, name := range []string{"Connection", "Content-Length", "Accept-Encoding"} {
		header.Del(name)
	}
	call := exchange{method: in.Method, uri: in.URL.RequestURI(), host: in.Host, header: header, body: body}
	var x exchange
	if k, ok := r.e.kind.(answering); ok {
		if answer, own := k.own(in.URL); own {
			_, _ = w.Write(answer) // the platform may have hung up
			return
		}
	}
	if k, ok := r.e.kind.(selective); ok && k.foreign(r.e, in.URL) {
		x = r.transmit(in.Context(), call, plain, r.e.to)
	} else {
		r.saw(call) // a late answer may reach the platform first
		if s == withheld {
			panic(http.ErrAbortHandler)
		}
		x = r.send(in.Context(), call, s, r.e.to)
		r.saw(x)
	}
	if x.err != nil {
		panic(http.ErrAbortHandler) // the platform sees that nothing was answered
	}
	for _, name := range []string{"Content-Type", "Location"} {
		if v := x.back.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	w.WriteHeader(x.status)
	_, _ = w.Write(x.answer) // the platform may have hung up
}

// selective is a kind whose origin also gets calls that are not examined.
type selective interface {
	foreign(e *exam, at *url.URL) bool
}

// answering is a kind for which the doctor plays another app.
type answering interface {
	own(at *url.URL) (answer []byte, ok bool)
}

// send makes a call that is examined, and returns it with its answer.
func (r *relay) send(ctx context.Context, x exchange, s shape, to *url.URL) exchange {
	begun := time.Now()
	var other sync.WaitGroup
	if s == doubled {
		other.Go(func() { r.transmit(ctx, x, plain, to) })
	}
	answered := r.transmit(ctx, x, s, to)
	other.Wait()
	x = answered
	x.took = time.Since(begun)
	r.e.remember(x)
	return x
}

// errHungUp is why a call has no answer that nobody waited for.
var errHungUp = errors.New("the caller hung up")

// transmit makes a call and returns it with its answer.
func (r *relay) transmit(ctx context.Context, x exchange, s shape, to *url.URL) exchange {
	if s == hungUp {
		if x.err = r.e.leave(ctx, x); x.err == nil {
			x.err = errHungUp
		}
		return x
	}
	target := url.URL{Scheme: to.Scheme, Host: to.Host}
	trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { x.reused = c.Reused }}
	var body io.Reader = bytes.NewReader(x.body)
	switch s {
	case chunked:
		body = io.MultiReader(body) // whose length net/http does not know
	case split:
		body = bytewise{body}
	}
	out, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), x.method, target.String()+x.uri, body)
	if err != nil {
		x.err = err
		return x
	}
	out.Header, out.Host = x.header.Clone(), r.e.host(x.host)
	if s == expectings {
		out.Header.Set("Expect", "100-continue")
	}
	response, err := r.transport.RoundTrip(out)
	if err != nil && x.reused && !late(err) && ctx.Err() == nil { // a program may close a connection that is idle
		r.transport.CloseIdleConnections()
		x.reused = false
		return r.transmit(ctx, x, s, to)
	}
	if err != nil {
		x.err = err
		return x
	}
	defer response.Body.Close()
	x.status, x.proto, x.back = response.StatusCode, response.Proto, response.Header
	if response.Close && response.ProtoMinor > 0 {
		x.proto += " with Connection: close"
	}
	x.answer, x.err = io.ReadAll(io.LimitReader(response.Body, delivery.MaxReply+1))
	return x
}

// bytewise reads one byte at a time, each of which becomes a chunk.
type bytewise struct{ io.Reader }

func (b bytewise) Read(p []byte) (int, error) { return b.Reader.Read(p[:min(1, len(p))]) }

// mostLate is how many answers must be late, one after the other, before a check fails, because a busy machine is
// seldom slow each time.
const mostLate = 3

// direct makes a call that is not the platform's. A call whose answer is late is made up to mostLate times, because
// this machine may have been slow. Only a check of the time limit has the same limit each time; others wait longer.
func (e *exam) direct(ctx context.Context, x exchange) exchange {
	answer, wait := e.once(ctx, x), e.kind.limit()
	if !e.timed {
		wait += patience
	}
	for n := 1; n < mostLate && late(answer.err) && ctx.Err() == nil; n++ {
		answer = e.within(ctx, x, wait)
	}
	return answer
}

// once waits for an answer as long as the platform does.
func (e *exam) once(ctx context.Context, x exchange) exchange {
	return e.within(ctx, x, e.kind.limit())
}

func (e *exam) within(ctx context.Context, x exchange, wait time.Duration) exchange {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return e.relay.send(ctx, x, x.shape, e.to)
}

// sent sends a body of the doctor's own, signed where the doctor can sign.
func (e *exam) sent(ctx context.Context, body []byte) exchange {
	x, _ := e.made(body)
	return e.direct(ctx, x)
}

// host is the name in the header Host of a call. With https it is the endpoint's own name. On this machine it is the
// name that the platform sent, which is usually that of the origin.
func (e *exam) host(named string) string {
	if e.to.Scheme == "https" {
		return e.to.Host
	}
	return cmp.Or(named, strings.TrimPrefix(e.o.Origin, "https://"))
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
