package delivery

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
)

// ErrNoRoute is why nothing is sent to a host without a route while the network
// is not allowed.
var ErrNoRoute = errors.New("no route for this host, and the network is not allowed")

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

// newClient returns a client that connects by d, follows no redirects and takes no
// proxy from the environment.
func newClient(d *net.Dialer) *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true, Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post makes the request wherever the host leads and returns what is kept of the answer.
func (w *Worker) post(ctx context.Context, req *http.Request, kept int) (status int, answer string, err error) {
	t, routed := w.Routes.find(req.URL.Hostname())
	switch {
	case routed && t.handler != nil:
		return inProcess(ctx, t.handler, req, kept)
	case routed:
		host := req.URL.Host
		req.URL.Scheme, req.URL.Host = t.origin.Scheme, t.origin.Host
		req.Host = host
		return overNetwork(w.local, req, kept)
	case w.options.AllowNetwork:
		return overNetwork(w.public, req, kept)
	}
	return 0, "", ErrNoRoute
}
