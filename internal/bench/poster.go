package bench

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Poster posts bodies one after another, over a connection to each server that it keeps. It does what a sender must, and
// nothing of what the client of net/http does beside. It must be closed, and is not for concurrent use.
type Poster struct {
	// Timeout of each post.
	Timeout time.Duration

	lines map[string]*line
}

// line is a connection on which nothing is under way.
type line struct {
	net.Conn
	answers *bufio.Reader
}

// Post sends a body with one header to the root of a server, http://host:port, and returns the status of the answer. It
// is not repeated: after an error nobody knows whether it arrived.
func (p *Poster) Post(server, header, value string, body []byte) (status int, err error) {
	host := strings.TrimPrefix(server, "http://")
	l, err := p.line(host)
	if err != nil {
		return 0, err
	}
	answer, err := l.post(p.Timeout, fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: %s\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", host, header, value, len(body), body))
	if err != nil || answer.Close {
		delete(p.lines, host)
		_ = l.Close() // it is of no use any more
	}
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, nil
}

func (l *line) post(timeout time.Duration, request []byte) (*http.Response, error) {
	if err := l.SetDeadline(time.Now().Add(timeout)); err != nil {
		return nil, err
	}
	if _, err := l.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(l.answers, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer, err
}

func (p *Poster) line(host string) (*line, error) {
	if l := p.lines[host]; l != nil {
		return l, nil
	}
	conn, err := net.DialTimeout("tcp", host, p.Timeout)
	if err != nil {
		return nil, err
	}
	l := &line{conn, bufio.NewReader(conn)}
	if p.lines == nil {
		p.lines = make(map[string]*line)
	}
	p.lines[host] = l
	return l, nil
}

// Close closes the connections.
func (p *Poster) Close() {
	for _, l := range p.lines {
		_ = l.Close() // nothing is under way
	}
	clear(p.lines)
}
