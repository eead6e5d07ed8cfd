package deviate

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// deliver sends the response over a connection of its own, so that net/http reads it as it reads every response.
func (a *answer) deliver() (*http.Response, error) {
	u := *a.request.URL
	u.Scheme = "http" // the connection is in memory
	q := (&http.Request{Method: a.request.Method, URL: &u, Host: a.request.Host, Header: a.request.Header.Clone()}).WithContext(bare{a.request.Context()})
	var res *http.Response
	var err error
	if a.http2 {
		res, err = overHTTP2(a, q)
	} else {
		conn := &canned{r: bytes.NewReader(a.http1()), asked: make(chan struct{})}
		t := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil }}
		res, err = t.RoundTrip(q)
	}
	if err != nil {
		return nil, fmt.Errorf("deviate: %w", err)
	}
	res.Request = a.request
	return res, nil
}

// bare is a context without values. The request was sent before, over the connection to the server; a trace of the
// client must not see it being sent again.
type bare struct{ context.Context }

func (bare) Value(any) any { return nil }

// bodiless reports whether a response with the status has no body.
func bodiless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// encoded returns the body as it is sent, and marks in the header how it is encoded.
func (a *answer) encoded() []byte {
	body := a.payload()
	if !a.gzip || len(body) == 0 {
		return body
	}
	a.header.Set("Content-Encoding", "gzip")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body) // a bytes.Buffer does not fail
	_ = w.Close()
	return b.Bytes()
}

// http1 returns the response in HTTP/1.1.
func (a *answer) http1() []byte {
	body := a.encoded()
	reason := http.StatusText(a.status)
	if a.reason != nil {
		reason = *a.reason
	}
	var b bytes.Buffer
	b.WriteString(a.early)
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.status, reason)
	line := func(name, value string) {
		if a.headerCase != nil {
			name = a.headerCase(name)
		}
		fmt.Fprintf(&b, "%s: %s\r\n", name, value)
	}
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		for _, value := range a.header[name] {
			line(name, value)
		}
	}
	switch {
	case bodiless(a.status):
		b.WriteString("\r\n")
	case a.open:
		line("Connection", "close")
		b.WriteString("\r\n")
		b.Write(body)
	case a.chunk > 0:
		line("Transfer-Encoding", "chunked")
		b.WriteString("\r\n")
		for part := range slices.Chunk(body, a.chunk) {
			fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
		}
		b.WriteString("0\r\n\r\n")
	default:
		line("Content-Length", strconv.Itoa(len(body)))
		b.WriteString("\r\n")
		b.Write(body)
	}
	return b.Bytes()
}

// image returns all of the response that a client can notice.
func (a *answer) image() []byte {
	image := a.http1()
	if a.http2 {
		image = append(image, "over HTTP/2"...)
	}
	return image
}

// ServeHTTP answers every request with the response.
func (a *answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	body := a.encoded()
	for name, values := range a.header {
		w.Header()[name] = values
	}
	for _, name := range []string{"Date", "Content-Type"} {
		if _, ok := a.header[name]; !ok {
			w.Header()[name] = nil // net/http would add it
		}
	}
	w.WriteHeader(a.status)
	if !bodiless(a.status) {
		_, _ = w.Write(body) // fails if the client has gone
	}
}

// overHTTP2 sends the response over HTTP/2.
func overHTTP2(a *answer, q *http.Request) (*http.Response, error) {
	var http2 http.Protocols
	http2.SetUnencryptedHTTP2(true)
	ours, theirs := net.Pipe()
	server := &http.Server{Handler: a, Protocols: &http2}
	served := make(chan struct{})
	accepting := &single{conn: theirs, closed: make(chan struct{})}
	go func() {
		defer close(served)
		_ = server.Serve(accepting) // returns when the server is closed
	}()
	t := &http.Transport{Protocols: &http2, DialContext: func(context.Context, string, string) (net.Conn, error) { return ours, nil }}
	end := func() error {
		t.CloseIdleConnections()
		err := server.Close()
		<-served
		_ = ours.Close() // closed already, if the transport was idle
		return err
	}
	res, err := t.RoundTrip(q)
	if err != nil {
		return nil, errors.Join(err, end())
	}
	if res.Body == http.NoBody {
		return res, end()
	}
	res.Body = &ending{ReadCloser: res.Body, end: end}
	return res, nil
}

// ending is a body that ends its connection when it has been read or closed.
type ending struct {
	io.ReadCloser
	once sync.Once
	end  func() error
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if err != nil {
		e.once.Do(func() { _ = e.end() }) // the response is whole, or its own error says more
	}
	return n, err
}

func (e *ending) Close() (err error) {
	err = e.ReadCloser.Close()
	e.once.Do(func() { err = errors.Join(err, e.end()) })
	return err
}

// single is a listener with one connection.
type single struct {
	conn   net.Conn
	once   sync.Once
	closed chan struct{}
}

func (s *single) Accept() (net.Conn, error) {
	if conn := s.conn; conn != nil {
		s.conn = nil
		return conn, nil
	}
	<-s.closed
	return nil, net.ErrClosed
}

func (s *single) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *single) Addr() net.Addr { return address{} }

// canned is a connection whose other end has its response ready.
type canned struct {
	r     *bytes.Reader
	once  sync.Once
	asked chan struct{} // closed by the first write, and by Close
}

func (c *canned) Read(p []byte) (int, error) {
	<-c.asked // a response that comes first would be for nobody
	return c.r.Read(p)
}

func (c *canned) Write(p []byte) (int, error) {
	c.once.Do(func() { close(c.asked) })
	return len(p), nil
}

func (c *canned) Close() error {
	c.once.Do(func() { close(c.asked) })
	return nil
}

func (c *canned) LocalAddr() net.Addr              { return address{} }
func (c *canned) RemoteAddr() net.Addr             { return address{} }
func (c *canned) SetDeadline(time.Time) error      { return nil }
func (c *canned) SetReadDeadline(time.Time) error  { return nil }
func (c *canned) SetWriteDeadline(time.Time) error { return nil }

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "memory" }
