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

// newClient returns a client that follows no redirects and takes no proxy from
// the environment. A guarded one connects to public addresses only, and decides
// that on the address the name resolved to, when it is too late for a second answer.
func newClient(guarded bool) *http.Client {
	var d net.Dialer
	if guarded {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil || !Public(ap.Addr()) {
				return fmt.Errorf("%s is not a public address", address)
			}
			return nil
		}
	}
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
