package client

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// NewTransport returns the default transport of clients. Its times and header sizes are limited, and it uses no proxy,
// regardless of the environment. Change or wrap it for a transport of your own. A wrapper should forward
// CloseIdleConnections.
//
// Idle connections close after 45 s. Common load balancers close idle connections after 60 s without notice. A request
// on such a connection gets no answer, so the outcome of a write is unknown. IdleConnTimeout must stay below the
// timeout of the load balancer.
//
// Names below localhost are dialed on this machine, regardless of the resolver.
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

// dialed returns the address to dial. A resolver may only know localhost among the names that RFC 6761 reserves, and
// query the network for the others.
func dialed(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !isLocalhost(host) {
		return address
	}
	return net.JoinHostPort("localhost", port)
}
