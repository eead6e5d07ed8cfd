package tap_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/tap"
)

// bench is a proxy in front of a server that answers with prepared bytes.
type bench struct {
	*testing.T
	address string
	stop    func() error

	mu     sync.Mutex
	seen   []tap.Exchange
	missed []string
}

// start has a proxy in front of serve, which gets each connection.
func start(t *testing.T, serve func(net.Conn), with ...func(*tap.Proxy)) *bench {
	t.Helper()
	b := &bench{T: t}
	app, front := listen(t), listen(t)
	b.address = front.Addr().String()
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := app.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer c.Close()
				serve(c)
			})
		}
	})
	p := &tap.Proxy{
		Dial:    func(context.Context) (net.Conn, error) { return net.Dial("tcp", app.Addr().String()) },
		MaxBody: 1 << 20, MaxAnswer: 1 << 20, MaxHeld: 16 << 20,
		Seen: func(x tap.Exchange) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.seen = append(b.seen, x)
		},
		Missed: func(reason string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.missed = append(b.missed, reason)
		},
	}
	for _, f := range with {
		f(p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, front) }()
	b.stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		_ = app.Close()
		work.Wait()
		return err
	})
	t.Cleanup(func() {
		if err := b.stop(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (b *bench) dial() *net.TCPConn {
	b.Helper()
	c, err := net.Dial("tcp", b.address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return c.(*net.TCPConn)
}

// shown is what was read of the calls, once the proxy has ended.
func (b *bench) shown() []string {
	b.Helper()
	if err := b.stop(); err != nil {
		b.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, x := range b.seen {
		out = append(out, fmt.Sprintf("%s %s%s %q -> %d %q", x.Method, x.Host, x.Target, x.Body, x.Status, x.Answer))
	}
	return out
}

// Whatever a client and a server say, they hear it byte by byte, and what is HTTP/1.1 of it is shown.
func TestByteByByte(t *testing.T) {
	const head = "POST /a?b=%2F HTTP/1.1\r\nhOST: app.example\r\nX-odd:  two  spaces\r\nx-ODD: again\r\n"
	const ok = "HTTP/1.1 200 Fine\r\nx-ODD-Case: 1\r\nContent-Length: 2\r\n\r\nhi"
	for name, tc := range map[string]struct {
		asked, answered string
		want            []string
	}{
		"length":   {head + "Content-Length: 3\r\n\r\nabc", ok, []string{`POST app.example/a?b=%2F "abc" -> 200 "hi"`}},
		"chunks":   {head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x=y\r\nbc\r\n0\r\nTrailer: t\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", []string{`POST app.example/a?b=%2F "abc" -> 200 "hi"`}},
		"interim":  {head + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok, []string{`POST app.example/a?b=%2F "abc" -> 200 "hi"`}},
		"head":     {"HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", []string{`HEAD a/h "" -> 200 ""`}},
		"204":      {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n", []string{`GET a/ "" -> 204 ""`}},
		"310":      {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 310 \r\nContent-Length: 0\r\n\r\n", []string{`GET a/ "" -> 310 ""`}},
		"until":    {"GET / HTTP/1.0\r\nHost: a\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\nto the end", []string{`GET a/ "" -> 200 "to the end"`}},
		"pipeline": {strings.Repeat("GET /p HTTP/1.1\r\nHost: a\r\n\r\n", 3), ok + ok + ok, []string{`GET a/p "" -> 200 "hi"`, `GET a/p "" -> 200 "hi"`, `GET a/p "" -> 200 "hi"`}},
		"early":    {head + "Content-Length: 900\r\n\r\nabc", "HTTP/1.1 413 Too\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", nil},
		"http2":    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04", "\x00\x00\x00\x04\x00", nil},
		"garbage":  {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "\x15\x03\x01", nil},
		"upgrade":  {"GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\x81\x02hi", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\x81\x02ho", nil},
		"silence":  {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "", nil},
		"large":    {head + "Content-Length: 2000000\r\n\r\n" + strings.Repeat("x", 2000000) + "GET /n HTTP/1.1\r\nHost: a\r\n\r\n", ok + ok, []string{`GET a/n "" -> 200 "hi"`}},
		"long":     {"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /n HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n" + strings.Repeat("x", 2000000) + ok, []string{`GET a/n "" -> 200 "hi"`}},
		"endless":  {"GET / HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("X-A: b\r\n", 200000) + "\r\n", ok, nil},
	} {
		t.Run(name, func(t *testing.T) {
			heard := make(chan []byte, 1)
			b := start(t, func(c net.Conn) {
				got := make([]byte, len(tc.asked))
				_, _ = io.ReadFull(c, got)
				heard <- got
				_, _ = io.WriteString(c, tc.answered)
			})
			c := b.dial()
			if _, err := io.WriteString(c, tc.asked); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(c)
			if asked := <-heard; string(asked) != tc.asked || string(got) != tc.answered || err != nil {
				t.Errorf("the server heard %.200q\nand the client %.200q, %v", asked, got, err)
			}
			_ = c.Close()
			if shown := b.shown(); !slices.Equal(shown, tc.want) {
				t.Errorf("shown\n%.500s\nwant\n%s", strings.Join(shown, "\n"), strings.Join(tc.want, "\n"))
			}
			if len(tc.want) == 0 && len(b.missed) == 0 {
				t.Error("nothing says that it was missed")
			}
		})
	}
}

// A part of an answer is there before the rest is written, and so is a part of a call.
func TestStreams(t *testing.T) {
	next := make(chan bool)
	b := start(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for range 3 {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Error(err)
			}
			_, _ = io.WriteString(c, "got "+line)
			<-next
		}
	})
	c := b.dial()
	in := bufio.NewReader(c)
	for range 3 {
		_, _ = io.WriteString(c, "part\n")
		if line, err := in.ReadString('\n'); line != "got part\n" || err != nil { // before the server goes on
			t.Fatalf("got %q, %v", line, err)
		}
		next <- true
	}
}

// Each side sees the end that the other has made: a closed half, or a reset.
func TestEnds(t *testing.T) {
	ends := make(chan error, 1)
	b := start(t, func(c net.Conn) {
		_, err := io.Copy(io.Discard, c)
		ends <- err
		_, _ = io.WriteString(c, "after the end")
	})
	c := b.dial()
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(c); string(got) != "after the end" || err != nil || <-ends != nil {
		t.Errorf("a closed half: got %q, %v", got, err)
	}
	c = b.dial()
	_, _ = io.WriteString(c, "x")
	_ = c.SetLinger(0)
	_ = c.Close()
	<-ends // a reset, or an end if the kernel dropped what was not read

	resets := start(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1))
		_ = c.(*net.TCPConn).SetLinger(0)
	})
	c = resets.dial()
	_, _ = io.WriteString(c, "x")
	if _, err := io.ReadAll(c); err == nil {
		t.Error("a reset of the server came as an orderly end")
	}
}

// A server that cannot be reached ends the connection, and nobody answers in its place.
func TestUnreachable(t *testing.T) {
	reported := make(chan error, 1)
	b := start(t, func(net.Conn) {}, func(p *tap.Proxy) {
		p.Dial = func(context.Context) (net.Conn, error) { return nil, errors.New("refused") }
		p.Unreachable = func(err error) { reported <- err }
	})
	c, err := net.Dial("tcp", b.address)
	if err == nil { // the reset may even be there before the connection
		var got []byte
		if got, err = io.ReadAll(c); len(got) > 0 {
			t.Errorf("got %q", got)
		}
		_ = c.Close()
	}
	if err == nil {
		t.Error("got an orderly end, want a reset")
	}
	if err := <-reported; err.Error() != "refused" {
		t.Error(err)
	}
}

// Memory is bounded: what is too much is passed on and missed, and is there again afterwards.
func TestBounded(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 600<<10)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n)
	})
	app := &http.Server{Handler: handler}
	inside := listen(t)
	go func() { _ = app.Serve(inside) }()
	defer app.Close()
	b := start(t, func(net.Conn) {}, func(p *tap.Proxy) {
		p.MaxHeld = 64 << 10
		p.Dial = func(context.Context) (net.Conn, error) { return net.Dial("tcp", inside.Addr().String()) }
	})
	for _, one := range [][]byte{body, []byte("small")} {
		transport := new(http.Transport) // a connection each
		resp, err := (&http.Client{Transport: transport}).Post("http://"+b.address, "", bytes.NewReader(one))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(got) != fmt.Sprint(len(one)) {
			t.Errorf("the app got %s of %d bytes", got, len(one))
		}
		transport.CloseIdleConnections()
	}
	if got := b.shown(); len(got) != 1 || !strings.Contains(got[0], "small") || len(b.missed) != 1 {
		t.Errorf("shown %.200s, missed %q", got, b.missed)
	}
}

// Serve ends although a client and a server keep their connection, and waits for a call in progress.
func TestEndsWithItsContext(t *testing.T) {
	arrived, answer := make(chan bool), make(chan bool)
	b := start(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		req, err := http.ReadRequest(in)
		if err != nil {
			t.Error(err)
			return
		}
		arrived <- true
		<-answer
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = in.ReadByte()
	}, func(p *tap.Proxy) { p.Grace = time.Minute })
	c := b.dial()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	<-arrived
	ended := make(chan []string)
	go func() { ended <- b.shown() }()
	answer <- true
	if got := <-ended; !slices.Equal(got, []string{`GET a/ "" -> 200 "hi"`}) {
		t.Errorf("shown %s", got)
	}
}

// exhausted is a listener that has no file descriptor for a while.
type exhausted struct {
	net.Listener
	left atomic.Int32
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.left.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// Errors of Accept that pass do not end the proxy, others do.
func TestAcceptsAgain(t *testing.T) {
	for name, ends := range map[string]bool{"no descriptor": false, "another error": true} {
		t.Run(name, func(t *testing.T) {
			l := &exhausted{Listener: listen(t)}
			l.left.Store(3)
			dialled, missed := make(chan bool, 1), 0
			p := &tap.Proxy{
				Dial: func(context.Context) (net.Conn, error) {
					dialled <- true
					return nil, errors.New("no app")
				},
				Seen: func(tap.Exchange) {}, Missed: func(string) { missed++ },
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() {
				if ends {
					ended <- p.Serve(ctx, broken{l})
				} else {
					ended <- p.Serve(ctx, l)
				}
			}()
			if ends {
				if err := <-ended; err == nil {
					t.Error("a listener that cannot accept any more is no error")
				}
				return
			}
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			<-dialled
			stop()
			if err := <-ended; err != nil || missed != 1 {
				t.Errorf("got %v, and the error was reported %d times", err, missed)
			}
		})
	}
}

// broken is a listener that cannot accept any more.
type broken struct{ net.Listener }

func (broken) Accept() (net.Conn, error) { return nil, errors.New("broken") }
