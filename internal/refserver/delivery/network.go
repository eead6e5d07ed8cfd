package delivery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
)

// ErrNoRoute is why nothing is sent to a host without a route while the network is not allowed.
var ErrNoRoute = errors.New("the platform has no route to it")

// noRoute is ErrNoRoute with the host and how to connect it.
func noRoute(host string) error {
	return fmt.Errorf("%s: %w: start the server with --partner https://%[1]s=http://127.0.0.1:PORT, or use Forward in a Go test", host, ErrNoRoute)
}

// guard returns a dialer that connects to public addresses only, and decides that
// on the address the name resolved to, when it is too late for a second answer.
func guard() *net.Dialer {
	return &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil || !Public(ap.Addr()) {
			return fmt.Errorf("%s is not a public address", address)
		}
		return nil
	}}
}

// local returns a dialer that connects from the address of the route, if it has one.
func local(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	if source, _ := ctx.Value(sourceKey{}).(netip.Addr); source.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(source, 0))
	}
	return d.DialContext(ctx, network, address)
}

type (
	sourceKey  struct{} // the address that a connection comes from
	replicaKey struct{} // which target of a route is called
)

func withReplica(ctx context.Context, n int) context.Context {
	if n == 0 {
		return ctx
	}
	return context.WithValue(ctx, replicaKey{}, n)
}

func replicaOf(ctx context.Context) int {
	n, _ := ctx.Value(replicaKey{}).(int)
	return n
}

// dial makes a connection.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

// newClient returns a client that connects by connect, follows no redirects and takes no
// proxy from the environment.
func newClient(connect dial) *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DialContext: connect, DisableKeepAlives: true, Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// aim leads the request to where its host leads, and returns a function that makes it and returns the kept part of the
// answer.
func (w *Worker) aim(ctx context.Context, req *http.Request, kept int) func(context.Context) answer {
	t, routed := w.Routes.find(req.URL.Hostname())
	var err error
	switch {
	case routed && t.handler != nil:
		return func(ctx context.Context) answer { return inProcess(ctx, t.handler, req, kept) }
	case routed:
		host := req.URL.Host
		var to *url.URL
		if to, err = t.next(replicaOf(ctx)); err != nil {
			break
		}
		req.URL.Scheme, req.URL.Host = to.Scheme, to.Host
		req.Host = host
		return func(ctx context.Context) answer {
			return overNetwork(w.local, req.WithContext(context.WithValue(ctx, sourceKey{}, t.source)), kept)
		}
	case w.options.AllowNetwork:
		return func(ctx context.Context) answer { return overNetwork(w.public, req.WithContext(ctx), kept) }
	default:
		if err = noRoute(req.URL.Host); w.options.NoRoute != nil {
			w.options.NoRoute(err)
		}
	}
	return func(context.Context) answer { return answer{err: err} }
}
