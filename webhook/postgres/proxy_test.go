package postgres

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// trouble is what a network does.
type trouble int

const (
	none     trouble = iota
	dropped          // connections break, and no new ones are to be had
	halfOpen         // nothing arrives any more, and nobody is told
	delayed          // everything takes five seconds
	deaf             // what the server says does not arrive
)

func (t trouble) String() string {
	return [...]string{"none", "dropped", "half open", "delayed", "deaf"}[t]
}

// proxy is a network between an inbox and its database.
type proxy struct {
	listener net.Listener
	all      sync.WaitGroup

	mu      sync.Mutex
	to      string // where new connections lead
	has     trouble
	changed chan struct{}
	open    map[net.Conn]bool
}

// through returns a proxy and the URL that leads through it.
func through(t *testing.T, database string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: u.Host, changed: make(chan struct{}), open: make(map[net.Conn]bool)}
	p.all.Go(p.run)
	t.Cleanup(p.close)
	u.Host = l.Addr().String()
	return p, u.String()
}

func (p *proxy) run() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		to := p.to
		p.mu.Unlock()
		out, err := net.Dial("tcp", to)
		if has, _ := p.state(); err != nil || has == dropped {
			_ = in.Close()
			if err == nil {
				_ = out.Close()
			}
			continue
		}
		p.mu.Lock()
		p.open[in], p.open[out] = true, true
		p.mu.Unlock()
		p.all.Go(func() { p.pipe(in, out, true) })
		p.all.Go(func() { p.pipe(out, in, false) })
	}
}

func (p *proxy) state() (trouble, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.has, p.changed
}

// lead has new connections lead to another server. Those that are open stay.
func (p *proxy) lead(to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// set changes the network. Connections that were cut off while it was half open stay so.
func (p *proxy) set(has trouble) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.has
	p.has = has
	close(p.changed)
	p.changed = make(chan struct{})
	if has == dropped || was == halfOpen || was == deaf {
		for c := range p.open {
			_ = c.Close()
		}
		clear(p.open)
	}
}

// pipe copies what the server says, or what it hears.
func (p *proxy) pipe(to, from net.Conn, said bool) {
	defer func() {
		_, _ = to.Close(), from.Close()
		p.mu.Lock()
		delete(p.open, to)
		delete(p.open, from)
		p.mu.Unlock()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		has, changed := p.state()
		for has == halfOpen || has == delayed || has == deaf && said {
			late := time.NewTimer(5 * time.Second)
			if has != delayed {
				late.Stop()
			}
			select {
			case <-late.C:
				has = none
			case <-changed:
				has, changed = p.state()
			}
			late.Stop()
		}
		if _, err := to.Write(buffer[:n]); err != nil && err != io.ErrShortWrite {
			return
		}
	}
}

func (p *proxy) close() {
	_ = p.listener.Close()
	p.set(dropped)
	p.all.Wait()
}
