package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"sync/atomic"
)

// Client is one app acting on one store. It owns the rate limit, the breaker and
// the retry quota of that pair, and is immutable and safe for concurrent use. Its
// services are reached through the packages v1, v202503 and unstable.
type Client struct {
	config    Config // without Token, which would print
	token     tokenFunc
	base      *url.URL
	transport http.RoundTripper
	limiter   *limiter
	breaker   *breaker
	quota     quota
	bodies    bodies
	shapes    shapes
	watch     func(ctx context.Context, out reflect.Type) []wireOption
	// multiplexed: the last answer came by HTTP/2.
	multiplexed atomic.Bool
}

// New returns a client, or an error that names the field of the configuration,
// its value and the rule it breaks. It does no I/O.
func New(config Config) (*Client, error) {
	base, err := config.check()
	if err != nil {
		return nil, err
	}
	config.setDefaults()
	c := &Client{config: config, token: config.Token.Token, base: base, limiter: newLimiter(), breaker: newBreaker()}
	c.config.Token = nil
	c.quota.fill()
	c.watch = config.watchers()
	if config.HTTPClient != nil && config.HTTPClient.Transport != nil {
		c.transport = config.HTTPClient.Transport
	} else {
		c.transport = NewTransport()
	}
	return c, nil
}

// Format prints the address, the store and the app, whatever the verb: what lies
// below, such as the caller's transport, may hold secrets.
func (c *Client) Format(f fmt.State, verb rune) { c.config.Format(f, verb) }

// StoreID returns the store that the client acts on.
func (c *Client) StoreID() ID { return c.config.StoreID }

// CloseIdleConnections closes the connections that the transport keeps open for
// later calls, if the transport has a method for that. The client stays usable.
func (c *Client) CloseIdleConnections() {
	(&http.Client{Transport: c.transport}).CloseIdleConnections()
}

// Do performs a request that has no method of its own and decodes the answer into out. With a nil out the answer is
// discarded. Requests without version use V202503.
//
// Status 204 leaves out as it is. A record of this module needs an id in any other answer, as [Result] says, and so does a
// struct of the caller's that has a field Extra of type [Extra]. Other types are read as they are: their zero
// value may mean that the answer held something else.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	a, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	if out != nil {
		err = a.decode(ctx, out)
	}
	if err == nil {
		c.bodies.give(a.body)
	} else if a.write != nil {
		err = a.write
	}
	return err
}

// At returns the client's view at a version. It is cheap; views share everything.
func (c *Client) At(v Version) View { return View{c, v} }

// View is a client at one version of the API. Services are made from views.
type View struct {
	client  *Client
	version Version
}

// Version returns the version of the view.
func (v View) Version() Version { return v.version }

// Do is Client.Do at the version of the view, unless the request names another.
func (v View) Do(ctx context.Context, r Request, out any) error {
	return v.client.Do(ctx, v.at(r), out)
}

func (v View) at(r Request) Request {
	if r.Version == "" {
		r.Version = v.version
	}
	return r
}

// do performs the request. An answer to an absolute write that broke off is read again, because the write was applied.
// An answer that is whole but no record is not: nothing says whose answer it is, so the caller has to look.
func (c *Client) do(ctx context.Context, r Request) (*answer, error) {
	a, err := c.perform(ctx, r)
	if err == nil || r.class() != AbsolutePut || !errors.Is(err, errTruncated) {
		return a, err
	}
	again, failed := c.perform(ctx, Request{Version: r.Version, Path: r.Path, Args: r.Args, Secrets: r.Secrets, result: r.result})
	if failed != nil {
		return nil, err
	}
	again.write = err
	return again, nil
}
