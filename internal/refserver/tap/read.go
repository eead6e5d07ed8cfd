package tap

import (
	"bufio"
	"errors"
	"io"
	"math"
	"net/http"
	"time"
)

// mostPipelined is how many calls may wait for their answers on one connection. HTTP allows any number; nobody sends
// more than one.
const mostPipelined = 16

// call is one that is being read, or was read and is not answered yet.
type call struct {
	Exchange
	request *http.Request // which says how the answer is framed
	body    held
	// done is closed once the body has been read, or cannot be.
	done chan struct{}
	// why says why the body is not shown.
	why string
}

// reader reads the calls and the answers of one connection.
type reader struct {
	*Proxy
	calls chan *call
	// left is closed once no answer is read any more.
	left chan struct{}
}

// readCalls reads one call after the other.
func (r *reader) readCalls(from *feed) {
	defer from.abandon()
	defer close(r.calls)
	heads := &bounded{from: from}
	in := bufio.NewReader(heads)
	for {
		heads.left = mostHead
		req, err := http.ReadRequest(in)
		heads.left = math.MaxInt64
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				r.missed("a connection is not HTTP/1.1, or has a long head")
			}
			return
		}
		c := &call{request: req, done: make(chan struct{})}
		c.Exchange = Exchange{At: time.Now(), Method: req.Method, Host: req.Host, Target: req.RequestURI, Header: req.Header}
		r.open.Add(1)
		select {
		case r.calls <- c:
		case <-r.left:
			close(c.done)
			r.open.Add(-1)
			return
		}
		c.why = c.body.read(r.Proxy, req.Body, r.MaxBody, "body")
		whole := c.why == "" || c.why == tooLarge
		close(c.done)
		if !whole {
			return
		}
	}
}

// readAnswers reads the answers to the calls.
func (r *reader) readAnswers(from *feed) {
	defer func() { // the calls that have no answer
		close(r.left)
		from.abandon()
		for c := range r.calls {
			<-c.done
			r.end(c)
		}
	}()
	heads := &bounded{from: from}
	in := bufio.NewReader(heads)
	for c := range r.calls {
		heads.left = mostHead
		goesOn := r.readAnswer(in, heads, c)
		<-c.done
		r.end(c)
		if !goesOn {
			return
		}
	}
}

// end gives back what a call held.
func (r *reader) end(c *call) {
	r.give(int64(len(c.body.bytes)))
	r.open.Add(-1)
}

// readAnswer reads the answer to a call, and shows both. It returns false if nothing can be read after it.
func (r *reader) readAnswer(in *bufio.Reader, heads *bounded, c *call) bool {
	resp, err := http.ReadResponse(in, c.request)
	for err == nil && resp.StatusCode < 200 && resp.StatusCode != http.StatusSwitchingProtocols {
		resp, err = http.ReadResponse(in, c.request) // the interim answers come before the answer
	}
	switch {
	case err != nil:
		r.missed("no answer, or none that is HTTP/1.1")
		return false
	case resp.StatusCode == http.StatusSwitchingProtocols:
		r.missed("the connection was upgraded")
		return false
	}
	heads.left = math.MaxInt64
	var answer held
	why := answer.read(r.Proxy, resp.Body, r.MaxAnswer, "answer")
	defer func() { r.give(int64(len(answer.bytes))) }()
	c.Took = time.Since(c.At)
	if why == "" || why == tooLarge {
		<-c.done // an app may answer before it has the body
	}
	if why == "" {
		why = c.why
	}
	if why != "" {
		r.missed(why)
		return why == tooLarge && !resp.Close
	}
	c.Status, c.AnswerHeader, c.Answer, c.Body = resp.StatusCode, resp.Header, answer.bytes, c.body.bytes
	r.Seen(c.Exchange)
	return true
}

// mostHead bounds the head of a call, as net/http does, and that of an answer with the interim ones before it.
const mostHead = 1 << 20

var errLongHead = errors.New("its head is longer than 1 MiB")

// bounded reads no more than what is left.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongHead
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// tooLarge is why a call is not shown although its bytes were read.
const tooLarge = "a body is too large to be shown"

// held is a body within the bounds of a proxy.
type held struct{ bytes []byte }

// read reads a body to its end. It returns why the body is not shown, empty if it is.
func (h *held) read(p *Proxy, from io.Reader, most int64, what string) (why string) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if why == "" && (int64(len(h.bytes)+n) > most || !p.take(int64(n))) {
			p.give(int64(len(h.bytes)))
			h.bytes, why = nil, tooLarge
		}
		if why == "" {
			h.bytes = append(h.bytes, buffer[:n]...)
		}
		switch {
		case errors.Is(err, io.EOF):
			return why
		case err != nil:
			return "the " + what + " broke off"
		}
	}
}
