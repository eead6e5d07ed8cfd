package refserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// errAnswered ends the pipeline with the answer that a fault has put in place.
var errAnswered = errors.New("answered by a fault")

// hitBefore looks for a fault of the operation and lets it strike, unless it
// waits for the work to be done.
func (s *Server) hitBefore(c *call) error {
	rule, ok := s.faults.Take(c.in.Op.ID)
	if !ok {
		return nil
	}
	c.rule, c.entry.Fault = rule, true
	if err := s.wait(c.r.Context(), rule.Delay); err != nil {
		return errCut
	}
	if rule.After {
		return nil
	}
	return c.strike()
}

func (s *Server) hitAfter(c *call) error {
	if !c.rule.After {
		return nil
	}
	return c.strike()
}

func (c *call) strike() error {
	switch {
	case c.rule.Reset:
		return errCut
	case c.rule.Status != 0:
		c.refuse(api.Coded(c.rule.Status, ""))
		if c.rule.Body != "" {
			c.answer.body = []byte(c.rule.Body)
		}
		for name, values := range c.rule.Header {
			c.header[http.CanonicalHeaderKey(name)] = values
		}
		return errAnswered
	}
	return nil
}

// wait lets time pass on the server's clock.
func (s *Server) wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	done := make(chan struct{})
	defer s.clock.AfterFunc(d, func() { close(done) }).Stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// cut ends the connection without an answer: a TCP connection is reset.
func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the way of net/http if a connection cannot be hijacked
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
