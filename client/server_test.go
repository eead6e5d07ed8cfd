package client_test

import (
	"flag"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/deviate"
)

var deviation = flag.Uint64("deviate", 0, "the seed of deviations between the tests' clients and the reference server; 0 is none")

// newServer starts the server of a test; the test ends it.
func newServer(t testing.TB, options ...clienttest.Options) *clienttest.Server {
	t.Helper()
	var o clienttest.Options
	if len(options) > 0 {
		o = options[0]
	}
	return clienttest.New(t, deviating(o))
}

// startServer starts a server that the test closes. Tests in a bubble use it: the server must end before the bubble.
func startServer(o clienttest.Options) (*clienttest.Server, error) {
	return clienttest.Start(deviating(o))
}

// deviating returns the options of the server of a test, whose clients meet the deviations around the test's own
// wrapper.
func deviating(o clienttest.Options) clienttest.Options {
	if own := o.Wrap; own != nil {
		o.Wrap = func(server http.RoundTripper) http.RoundTripper { return wrapped(own(server)) }
	} else {
		o.Wrap = wrapped
	}
	return o
}

// wrapped returns the transport that the clients of all tests use to reach a server.
func wrapped(server http.RoundTripper) http.RoundTripper {
	if *deviation == 0 {
		return server
	}
	return deviate.Mixed(*deviation, 3).Wrap(server)
}
