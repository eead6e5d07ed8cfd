package bench

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// Canned answers everything with the same body, as a handler and as a transport, from a bucket that is never full.
type Canned []byte

func (body Canned) header() http.Header {
	return http.Header{
		"Content-Type": {"application/json; charset=utf-8"}, "Content-Length": {strconv.Itoa(len(body))}, "X-Total-Count": {"200"},
		"X-Rate-Limit-Limit": {"1000000000"}, "X-Rate-Limit-Remaining": {"999999999"}, "X-Rate-Limit-Reset": {"1"},
	}
}

// ServeHTTP implements http.Handler.
func (body Canned) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, values := range body.header() {
		w.Header()[name] = values
	}
	_, _ = w.Write(body) // an error here is the connection's
}

// RoundTrip implements http.RoundTripper.
func (body Canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: body.header(), ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}
