package discounts

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// pipes is a listener whose connections are pipes, on which deadlines go by the time of
// the bubble.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	c, ok := <-p.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.conns) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// A body that drips is not waited for, and a connection serves on after one that did not.
func TestHandlerReadsInTime(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	const secret client.Secret = "5f2b1c9a7d3e4f60"
	for _, v := range []struct {
		name      string
		pause     time.Duration // between the two halves of a body
		secrets   []client.Secret
		signature string
		want      string
	}{
		{"in one go", 0, nil, "", "0s 200 0s 200"},
		{"slowly", 99 * time.Millisecond, nil, "", "99ms 200 99ms 200"},
		{"dripping", time.Hour, nil, "", "100ms 204"},
		{"slowly, signed", 99 * time.Millisecond, []client.Secret{secret}, Sign(secret, cart), "99ms 200 99ms 200"},
		{"dripping, signed", time.Hour, []client.Secret{secret}, Sign(secret, cart), "100ms 204"},
		{"dripping, not signed", time.Hour, []client.Secret{secret}, "", "100ms 403"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newProbe(t, Plans{LineItems: half}, func(h *Handler) { h.Guarded, h.Secrets = v.secrets == nil, v.secrets })
			defer p.Registry.Close()
			l := &pipes{conns: make(chan net.Conn, 1)}
			server := &http.Server{Handler: p}
			go func() { _ = server.Serve(l) }()
			near, far := net.Pipe()
			l.conns <- far
			got := ""
			in := bufio.NewReader(near)
			for range 2 {
				began := time.Now()
				go func() {
					_, _ = fmt.Fprintf(near, "POST / HTTP/1.1\r\nHost: app.example\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", SignatureHeader, v.signature, len(cart), cart[:len(cart)/2])
					time.Sleep(v.pause)
					_, _ = near.Write(cart[len(cart)/2:])
				}()
				r, err := http.ReadResponse(in, nil)
				if err != nil {
					break // after a body that was not read whole the connection is closed
				}
				got += fmt.Sprint(" ", time.Since(began), " ", r.StatusCode)
				if _, err := io.Copy(io.Discard, r.Body); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second)
			}
			if want := " " + v.want; got != want {
				t.Errorf("%s: got%s, want%s", v.name, got, want)
			}
			_, _ = near.Close(), server.Close()
			time.Sleep(time.Hour)
		})
	}
}
