package control

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// listening is the HTTP server on a loopback address.
type listening struct {
	server *http.Server
	served chan struct{}
}

// Listen serves on a loopback address, for example "127.0.0.1:0", until Close, and returns the address of the API. Any
// other address is an error, unless there are UnsafeHosts: whoever reaches the control API has the secrets of the apps.
func (a *API) Listen(addr string) (url string, err error) {
	if err := loopback(addr); err != nil && len(a.o.UnsafeHosts) == 0 {
		return "", err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("control: %w", err)
	}
	n := &listening{
		server: &http.Server{
			Handler: a, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
			ErrorLog: log.New(io.Discard, "", 0),
		},
		served: make(chan struct{}),
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || a.listening != nil {
		return "", errors.Join(errors.New("control: the API is closed, or listens already"), l.Close())
	}
	a.listening, a.url = n, "http://"+Reach(l, a.o.UnsafeHosts)+Prefix
	go func() {
		defer close(n.served)
		_ = n.server.Serve(l) // returns when n is closed
	}()
	return a.url, nil
}

// Reach is where callers find a listener. One on all addresses of the machine is called by the first of the names, or
// by localhost if there is none.
func Reach(l net.Listener, names []string) string {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil || !at.Addr().IsUnspecified() {
		return l.Addr().String()
	}
	return net.JoinHostPort(append(slices.Clone(names), "localhost")[0], strconv.Itoa(int(at.Port())))
}

// loopback reports why an address to listen on is refused. A name but localhost is, since it can mean any address
// later.
func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("control: address %q: must be host:port, such as 127.0.0.1:0", addr)
	}
	ip, err := netip.ParseAddr(host)
	if strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback() {
		return nil
	}
	return fmt.Errorf("control: address %q: must be a loopback address, such as 127.0.0.1:0", addr)
}

func (n *listening) close() {
	_ = n.server.Close()
	<-n.served
}
