package client

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// NewTransport returns the transport of clients that bring none: bounded in time
// and in the size of headers, with no proxy, whatever the environment says. Change
// or wrap it to bring one of your own; a wrapper should pass CloseIdleConnections on.
//
// Idle connections close after 45 s. Common load balancers close theirs after 60 s without notice, and a request that
// meets such a connection gets no answer: the outcome of a write is then unknown. IdleConnTimeout must stay below the
// time of the load balancer.
//
// Names below localhost are dialed on this machine, whatever the resolver says.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, dialed(address))
		},
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        45 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// loopback reports whether a host can only be this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return isLocalhost(host) || err == nil && ip.Zone() == "" && ip.Unmap().IsLoopback()
}

// isLocalhost reports whether a name is localhost or below it. RFC 6761 reserves these names for this machine.
func isLocalhost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// dialed returns the address to dial for one. Of the names that RFC 6761 reserves, a resolver may know localhost only,
// and ask the network for the others.
func dialed(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !isLocalhost(host) {
		return address
	}
	return net.JoinHostPort("localhost", port)
}
