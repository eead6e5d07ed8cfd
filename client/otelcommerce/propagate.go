package otelcommerce

import (
	"net/http"

	"go.opentelemetry.io/otel/propagation"

	"github.com/commerceplatform/commerce-go/client"
)

// transportOf returns the transport that a client of the configuration would use.
func transportOf(c *http.Client) http.RoundTripper {
	if c != nil && c.Transport != nil {
		return c.Transport
	}
	return client.NewTransport()
}

// propagating adds the trace context of a request to its headers.
type propagating struct {
	transport  http.RoundTripper
	propagator propagation.TextMapPropagator
}

// RoundTrip implements http.RoundTripper. A transport may not change a request, and retries share their headers.
func (p *propagating) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	p.propagator.Inject(req.Context(), propagation.HeaderCarrier(req.Header))
	return p.transport.RoundTrip(req)
}

// CloseIdleConnections closes the idle connections of the transport, if it has a method for that.
func (p *propagating) CloseIdleConnections() {
	(&http.Client{Transport: p.transport}).CloseIdleConnections()
}
