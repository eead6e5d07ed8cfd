package refserver

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// listening is an HTTP server on a socket.
type listening struct {
	server *http.Server
	served chan struct{}
}

// Listen serves on an address, for example "127.0.0.1:0", until Close, and
// returns the base address of the API; AuthPath below it is the authorization
// address. Close does not wait for answers under way.
func (s *Server) Listen(addr string) (base string, err error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("listening on %s: %w", addr, err)
	}
	n := listening{
		server: &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ErrorLog: silent()},
		served: make(chan struct{}),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", errors.Join(errClosed, l.Close())
	}
	s.listening = append(s.listening, n)
	go func() {
		defer close(n.served)
		_ = n.server.Serve(l) // returns when n is closed
	}()
	return "http://" + l.Addr().String(), nil
}

func (n listening) close() {
	_ = n.server.Close()
	<-n.served
}
