package doctor

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// early is how long an answer may come before the body is complete.
const early = 400 * time.Millisecond

// checkTruncated sends half of a genuine call, waits, and hangs up the sending side.
func checkTruncated(ctx context.Context, e *exam) (outcome, error) {
	x := e.posted()
	ctx, cancel := context.WithTimeout(ctx, e.kind.limit()+early)
	defer cancel()
	conn, err := e.dial(ctx)
	if err != nil {
		return outcome{}, err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	_ = conn.SetDeadline(deadline)
	if _, err := conn.Write(append(e.head(x), x.body[:len(x.body)/2]...)); err != nil {
		return fail("the connection was closed before the call was sent: %v", err)
	}
	answers := make(chan exchange, 1)
	go func() { answers <- answerOn(conn, x) }()
	when := "when half of the body had arrived"
	select {
	case x = <-answers:
	case <-time.After(early):
		when = "after the sender had hung up in the middle of the body"
		if c, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = c.CloseWrite() // the answer shows what came of it
		}
		x = <-answers
	}
	e.remember(x)
	switch {
	case x.err != nil:
		return pass("no answer, which is right")
	case e.o.Kind == Webhooks && x.status < 300 || e.means(x):
		return fail("%s, %s", x, when)
	}
	return pass("status %d", x.status)
}

// head is a call up to its body.
func (e *exam) head(x exchange) []byte {
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: %s\r\n", x.method, x.uri, e.host(x.host))
	fmt.Fprintf(&head, "Content-Length: %d\r\n", len(x.body))
	_ = x.header.Write(&head) // to memory
	head.WriteString("\r\n")
	return head.Bytes()
}

// leave makes a call and closes the connection without waiting for the answer.
func (e *exam) leave(ctx context.Context, x exchange) error {
	conn, err := e.dial(ctx)
	if err != nil {
		return err
	}
	_, err = conn.Write(append(e.head(x), x.body...))
	return errors.Join(err, conn.Close())
}

// oddTargets are addresses that parsers of many languages refuse.
var oddTargets = []string{
	"//", "//[", "/%", "/%zz", "/%ff%fe", "*", "http://[", "/a b", "/?%=%", "/?" + strings.Repeat("a=1&", 1000),
}

// checkTargets sends requests for odd addresses. Whatever they are answered, the program continues.
func checkTargets(ctx context.Context, e *exam) (outcome, error) {
	for _, target := range oddTargets {
		x := e.posted()
		x.header = x.header.Clone()
		strip(&x)
		x.uri = target
		x = e.asWritten(ctx, x)
		e.remember(x)
		if alive := e.direct(ctx, e.posted()); alive.err != nil && !late(alive.err) { // late answers have their own checks
			return fail("%.40q: %s; a genuine call after it got %s", target, x, alive)
		}
	}
	return pass("%d requests", len(oddTargets))
}

// asWritten makes a call whose address net/http would refuse, and returns it with its answer.
func (e *exam) asWritten(ctx context.Context, x exchange) exchange {
	ctx, cancel := context.WithTimeout(ctx, early)
	defer cancel()
	conn, err := e.dial(ctx)
	if err != nil {
		x.err = err
		return x
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	_ = conn.SetDeadline(deadline)
	if _, x.err = conn.Write(append(e.head(x), x.body...)); x.err != nil {
		return x
	}
	return answerOn(conn, x)
}

// answerOn reads an answer from a connection.
func answerOn(conn net.Conn, x exchange) exchange {
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		x.err = err
		return x
	}
	defer response.Body.Close()
	x.status = response.StatusCode
	x.answer, _ = io.ReadAll(io.LimitReader(response.Body, 1<<16)) // a part will do
	return x
}

// dial connects to the endpoint.
func (e *exam) dial(ctx context.Context) (net.Conn, error) {
	if e.to.Scheme != "https" {
		return new(net.Dialer).DialContext(ctx, "tcp", e.dialled())
	}
	d := tls.Dialer{Config: &tls.Config{ServerName: e.to.Hostname(), RootCAs: e.o.Roots, MinVersion: tls.VersionTLS12}}
	return d.DialContext(ctx, "tcp", e.dialled())
}

// dialled is the host and the port of the endpoint.
func (e *exam) dialled() string {
	switch {
	case e.to.Port() != "":
		return e.to.Host
	case e.to.Scheme == "https":
		return net.JoinHostPort(e.to.Hostname(), "443")
	}
	return net.JoinHostPort(e.to.Hostname(), "80")
}
