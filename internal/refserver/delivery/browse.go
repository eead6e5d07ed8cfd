package delivery

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// mostPage is how much of a page a browser reads.
const mostPage = 16 << 20

// Browse makes the request of a person's browser: to the partner of its host, or to an address of this machine. A
// redirect is returned as it is.
func (w *Worker) Browse(r *http.Request) (*http.Response, error) {
	req, ctx := r.Clone(r.Context()), r.Context()
	if req.Body == nil {
		req.Body = http.NoBody
	}
	_, routed := w.Routes.find(req.URL.Hostname())
	ip := net.ParseIP(req.URL.Hostname())
	var a answer
	if !routed && ip.IsLoopback() {
		req.RequestURI = ""
		a = overNetwork(w.local, req, mostPage)
	} else {
		a = w.aim(ctx, req, mostPage)(ctx)
	}
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{
		Status: fmt.Sprint(a.status, " ", http.StatusText(a.status)), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(strings.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
	}, nil
}
