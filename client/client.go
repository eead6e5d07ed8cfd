package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Client is one app acting on one store. It has the rate limiter, the circuit breaker and the retry quota of that pair.
// It is immutable and safe for concurrent use. The packages v1, v202503 and unstable have its services. The zero Client
// is not usable; call New.
type Client engine.Core

// New returns a client, or an error that names the invalid field of the configuration, its value and the rule. It does
// no I/O.
func New(config Config) (*Client, error) {
	base, err := config.check()
	if err != nil {
		return nil, err
	}
	return (*Client)(engine.New(config.engine(base))), nil
}

func (c *Client) core() *engine.Core { return (*engine.Core)(c) }

// Format prints the address, the store and the user agent only, whatever the verb, because the transport may hold
// secrets.
func (c *Client) Format(f fmt.State, verb rune) { codecOf(c.core()).config.Format(f, verb) }

// StoreID returns the store of the client.
func (c *Client) StoreID() ID { return ID(c.core().Config().Store) }

// CloseIdleConnections closes idle connections of the transport, if the transport has a method CloseIdleConnections.
// The client remains usable.
func (c *Client) CloseIdleConnections() {
	(&http.Client{Transport: c.core().Config().Transport}).CloseIdleConnections()
}

// Probe reads the id of the store. AccessOf interprets its error.
func (c *Client) Probe(ctx context.Context) error {
	return c.Do(ctx, Request{Path: "/store", Query: map[string][]string{"fields": {"id"}}}, nil)
}

// Do sends a request to an endpoint without a method and decodes the response into out. If out is nil, the response is
// discarded. Requests without a version use Version202503.
//
// Status 204 leaves out unchanged. In any other response, a record of this module must have an id, and so must a struct
// of the caller's with a field Extra of type [Extra]. Other types are not checked. Their zero value may mean that the
// response held something else.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	return c.core().Do(ctx, r.engine(), out)
}
