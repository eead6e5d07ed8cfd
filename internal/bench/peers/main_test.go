package peers

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// canned answers everything with the same body, as a handler and as a transport.
type canned []byte

func (body canned) header() http.Header {
	return http.Header{
		"Content-Type": {"application/json; charset=utf-8"}, "Content-Length": {strconv.Itoa(len(body))},
		"X-Rate-Limit-Limit": {"1000000000"}, "X-Rate-Limit-Remaining": {"999999999"}, "X-Rate-Limit-Reset": {"1"},
	}
}

func (body canned) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, values := range body.header() {
		w.Header()[name] = values
	}
	_, _ = w.Write(body) // an error here is the connection's
}

func (body canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: body.header(), ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// ours returns the services of this module over a transport, or over the default one.
func ours(b *testing.B, base string, transport http.RoundTripper) *v202503.API {
	b.Helper()
	c, err := client.New(client.Config{
		BaseURL: base, StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Bench (bench@app.example)", HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		b.Fatal(err)
	}
	return v202503.New(c)
}
