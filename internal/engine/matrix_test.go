package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// trouble is a failure that happens every time, made below net/http: at the dialer, on the wire or by the server.
type trouble struct {
	name string
	kind failure
	// dial fails in the place of connecting.
	dial error
	// write says what becomes of what the client writes, if it does not go through.
	write func(net.Conn) error
	// answer is what the server writes after it did what it was asked for; "" hangs up.
	answer string
	// refused: the server did not do what it was asked for.
	refused bool
	// resets: the server that hangs up without an answer cuts the connection.
	resets bool
	// hangs: the server never answers.
	hangs bool
	// idle: the server hangs up once, on a connection that has served before, while nobody asks.
	idle bool
}

func answered(status, contentType, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", status, contentType, len(body), body)
}

const fine = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"

var troubles = []trouble{
	{name: "refused", kind: notSent, dial: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}},
	{name: "no such host", kind: notSent, dial: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}}},
	{name: "certificate", kind: noFailure, dial: &tls.CertificateVerificationError{Err: errors.New("unknown authority")}},
	{name: "reset before the write", kind: noAnswer, write: func(c net.Conn) error { return errors.Join(syscall.ECONNRESET, c.Close()) }},
	{name: "reset after the write", kind: noAnswer, resets: true},
	{name: "EOF after the write", kind: noAnswer},
	{name: "hung up while idle", kind: noFailure, answer: fine, idle: true},
	{name: "timeout before the write", kind: noAnswer, write: func(c net.Conn) error { _, err := c.Read(make([]byte, 1)); return err }},
	{name: "timeout after the write", kind: noAnswer, hangs: true},
	{name: "429", kind: tooMany, answer: answered("429 Too Many Requests", "application/json", `{}`), refused: true},
	{name: "500", kind: serverError, answer: answered("500 Internal Server Error", "application/json", `{}`)},
	{name: "HTML 502", kind: serverError, answer: answered("502 Bad Gateway", "text/html", `<html>bad gateway</html>`)},
	{name: "503", kind: unavailable, answer: answered("503 Service Unavailable", "application/json", `{}`)},
	{name: "504", kind: serverError, answer: answered("504 Gateway Timeout", "application/json", `{}`)},
	{name: "truncated 2xx", kind: brokenAnswer, answer: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\""},
}

// origin is a server over net.Pipe that does what it is asked for and then lets the trouble happen.
type origin struct {
	trouble
	mu       sync.Mutex
	all      sync.WaitGroup
	attempts int // that dialled in vain, wrote in vain, or were read whole
	applied  int // of requests that write
	served   int
}

func (o *origin) dial(context.Context, string, string) (net.Conn, error) {
	if o.trouble.dial != nil {
		o.count(&o.attempts)
		return nil, o.trouble.dial
	}
	near, far := net.Pipe()
	if o.write == nil {
		o.all.Go(func() { o.serve(far) })
	}
	return &conn{near, o}, nil
}

func (o *origin) count(n *int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*n++
}

func (o *origin) serve(c net.Conn) {
	hostile.EachRequest(c, func(req *http.Request) bool {
		o.count(&o.attempts)
		if req.Method != http.MethodGet && !o.refused {
			o.count(&o.applied)
		}
		if o.hangs {
			_, _ = c.Read(make([]byte, 1)) // until the client hangs up
			return false
		}
		if _, err := io.WriteString(c, o.answer); err != nil || o.answer == "" || o.kind == brokenAnswer {
			return false
		}
		o.count(&o.served)
		return !o.idle || o.served > 1
	})
}

// conn tells a server that hung up as a reset where it resets, and lets writes fail.
type conn struct {
	net.Conn
	o *origin
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) && c.o.resets {
		err = syscall.ECONNRESET
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if c.o.write == nil {
		return c.Conn.Write(p)
	}
	c.o.count(&c.o.attempts)
	return 0, c.o.write(c.Conn)
}

// policy says, from the words of the policy and not from the code, how often a request of a class is sent that fails the
// same way every time: for what was not sent, 429, 503, 500 and its like, no answer, and a broken answer.
var policy = map[string][6]int{
	"read":           {3, held, 3, 3, 3, 3},
	"absolute-put":   {3, held, 3, 3, 3, 1},
	"overwrite":      {3, held, 3, 3, 3, 1},
	"adding-put":     {3, held, 3, 3, 3, 1},
	"replace-all":    {3, held, 3, 3, 3, 1},
	"absolute-patch": {3, held, 3, 3, 3, 1},
	"status-patch":   {3, held, 1, 1, 1, 1},
	"delete":         {3, held, 3, 3, 3, 1},
	"state-put":      {3, held, 1, 1, 1, 1},
	"keyed-create":   {3, held, 1, 1, 1, 1},
	"create":         {3, held, 1, 1, 1, 1},
	"effect-create":  {3, 1, 1, 1, 1, 1},
	"token-exchange": {3, 1, 1, 1, 1, 1},
}

// rereads: a broken answer to one of these is read again, which is not a write.
const rereads = "absolute-put"

// TestRetryMatrixOfEveryEndpoint: each row of the endpoint table times each failure, through net/http and a wire.
func TestRetryMatrixOfEveryEndpoint(t *testing.T) {
	data, err := os.ReadFile("../../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows, cells, creates, most := 0, 0, 0, 0
	for line := range strings.Lines(string(data)) {
		c := strings.Split(line, "\t")
		method, path, class := c[1], strings.TrimPrefix(c[2], "{base_url}/{version}"), c[10]
		want, ok := policy[class]
		if !ok || strings.HasPrefix(path, "{auth_url}") {
			continue // no call of the client
		}
		rows++
		for _, trouble := range troubles {
			cells++
			synctest.Test(t, func(t *testing.T) {
				attempts, applied := 1, 0
				if trouble.kind != noFailure {
					attempts = want[trouble.kind-1]
				}
				if method != "GET" && trouble.dial == nil && trouble.write == nil && !trouble.refused {
					applied = attempts
				}
				if class == rereads && trouble.kind == brokenAnswer {
					attempts += 3
				}
				o := &origin{trouble: trouble}
				err := o.ask(t, method, path)
				if trouble.idle {
					o.attempts-- // the one before
				}
				if !asOften(o.attempts, attempts) || o.applied != applied {
					t.Errorf("%s %s (%s), %s: %d attempts and applied %d times, want %d and %d (%v)", method, path, class, trouble.name, o.attempts, o.applied, attempts, applied, err)
				}
				deleted := class == "delete" && trouble.kind == brokenAnswer // that much is known
				if succeeds := trouble.idle || deleted; (err == nil) != succeeds {
					t.Errorf("%s %s (%s), %s: %v, want success %v", method, path, class, trouble.name, err, succeeds)
				}
				if err != nil && applied > 0 && attempts == 1 && trouble.kind != noFailure && !errors.Is(err, ErrOutcomeUnknown) {
					t.Errorf("%s %s (%s), %s: %v, want that the outcome is unknown", method, path, class, trouble.name, err)
				}
				if strings.HasSuffix(class, "create") {
					creates++
					most = max(most, o.applied)
				}
			})
		}
	}
	t.Logf("%d rows, %d cells, %d of them creates: none applied more than %d time", rows, cells, creates, most)
	if rows < 200 || cells != 15*rows || most != 1 {
		t.Errorf("%d rows, %d cells, and creates applied up to %d times; want 200 rows of 15 cells, and once", rows, cells, most)
	}
}

// ask makes one call of the endpoint.
func (o *origin) ask(t *testing.T, method, path string) error {
	t.Helper()
	transport := &http.Transport{DialTLSContext: o.dial}
	c := newTest(t, transport, func(c *Config) { c.AttemptTimeout = 100 * time.Millisecond })
	if o.idle {
		if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
			t.Fatal(err)
		}
		o.all.Wait() // the server has hung up, and the client may or may not have seen it
	}
	r := Request{Method: method, Path: path}
	for range strings.Count(path, "{") {
		r.Args = append(r.Args, 1)
	}
	if method != "GET" && method != "DELETE" {
		r.Body = map[string]int{"a": 1}
	}
	err := c.Do(t.Context(), r, nil)
	transport.CloseIdleConnections()
	o.all.Wait()
	return err
}
