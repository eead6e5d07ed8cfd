package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Client is one app acting on one store. It owns the rate limit, the breaker and
// the retry quota of that pair, and is immutable and safe for concurrent use. Its
// services are reached through the packages v1, v202503 and unstable. The zero Client is of no use: New makes one.
type Client engine.Core

// New returns a client, or an error that names the field of the configuration,
// its value and the rule it breaks. It does no I/O.
func New(config Config) (*Client, error) {
	base, err := config.check()
	if err != nil {
		return nil, err
	}
	return (*Client)(engine.New(config.engine(base))), nil
}

func (c *Client) core() *engine.Core { return (*engine.Core)(c) }

// Format prints the address, the store and the app, whatever the verb: what lies
// below, such as the caller's transport, may hold secrets.
func (c *Client) Format(f fmt.State, verb rune) { codecOf(c.core()).config.Format(f, verb) }

// StoreID returns the store that the client acts on.
func (c *Client) StoreID() ID { return ID(c.core().Config().Store) }

// CloseIdleConnections closes the connections that the transport keeps open for
// later calls, if the transport has a method for that. The client stays usable.
func (c *Client) CloseIdleConnections() {
	(&http.Client{Transport: c.core().Config().Transport}).CloseIdleConnections()
}

// Do performs a request that has no method of its own and decodes the answer into out. With a nil out the answer is
// discarded. Requests without version use Version202503.
//
// Status 204 leaves out as it is. A record of this module needs an id in any other answer, and so does a
// struct of the caller's that has a field Extra of type [Extra]. Other types are read as they are: their zero
// value may mean that the answer held something else.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	return c.core().Do(ctx, r.engine(), out)
}
