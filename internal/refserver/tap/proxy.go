package tap

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Exchange is a call and how it was answered.
type Exchange struct {
	At time.Time // when the head of the call had arrived
	// Took is the time until the end of the answer.
	Took   time.Duration
	Method string
	Host   string
	// Target is the path with the query, as it was sent.
	Target string
	Header http.Header
	Body   []byte

	Status       int
	AnswerHeader http.Header
	Answer       []byte
}

// Proxy passes connections on. Dial and Seen must be set. It must not be copied.
type Proxy struct {
	// Dial connects to the server.
	Dial func(ctx context.Context) (net.Conn, error)
	// Seen is called with each call that was answered, in the order of its connection, and concurrently for several.
	Seen func(Exchange)
	// Missed, if set, is called with the reason why a call is passed on and not shown. If the call could not be read to
	// its end, the later ones of its connection are not shown either, and Missed is not called for them.
	Missed func(reason string)
	// Unreachable, if set, is called if Dial fails. The client then sees its connection end.
	Unreachable func(error)
	// MaxBody and MaxAnswer are the sizes of bodies above which a call is not shown. MaxHeld bounds the memory of all.
	MaxBody, MaxAnswer, MaxHeld int64
	// Grace is how long calls in progress may take once Serve has to end.
	Grace time.Duration

	held   atomic.Int64
	open   atomic.Int64 // calls in progress, and clients whose bytes have not been read
	mu     sync.Mutex
	conns  map[net.Conn]bool
	ending bool
	work   sync.WaitGroup
}

// Serve accepts connections until ctx ends, then waits for the calls in progress, Grace at most, and closes them all.
// It closes the listener. If no connection can be accepted for now, for example because the process has no file
// descriptor left, it reports that and tries again after a pause.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var failed error
	for failures := 0; ; {
		c, err := l.Accept()
		if err == nil {
			failures = 0
			p.work.Go(func() { p.pass(work, c) })
			continue
		}
		if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
			break
		}
		if !passing(err) {
			failed = err
			break
		}
		if failures++; failures == 1 && p.Missed != nil {
			p.Missed(err.Error())
		}
		select {
		case <-time.After(min(5*time.Millisecond<<min(failures, 10), time.Second)):
		case <-ctx.Done():
		}
	}
	for until := time.Now().Add(p.Grace); p.open.Load() > 0 && time.Now().Before(until); {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	p.mu.Lock()
	p.ending = true
	for c := range p.conns {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.work.Wait()
	return errors.Join(failed, ignoreClosed(l.Close()))
}

// passing reports whether an error of Accept is over once other connections have ended.
func passing(err error) bool {
	for _, one := range []error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.ECONNRESET,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// keep notes a connection, so that Serve can close it; false if Serve has begun to.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending {
		return false
	}
	if p.conns == nil {
		p.conns = map[net.Conn]bool{}
	}
	p.conns[c] = true
	return true
}

func (p *Proxy) drop(c net.Conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
	_ = c.Close()
}

// pass carries the bytes of a connection both ways, and has a copy of them read.
func (p *Proxy) pass(ctx context.Context, client net.Conn) {
	defer p.drop(client)
	if !p.keep(client) {
		return
	}
	server, err := p.Dial(ctx)
	if err != nil {
		if p.Unreachable != nil && ctx.Err() == nil {
			p.Unreachable(err)
		}
		reset(client)
		return
	}
	defer p.drop(server)
	if !p.keep(server) {
		return
	}
	asked, answered := newFeed(p), newFeed(p)
	var both sync.WaitGroup
	both.Go(func() { carry(server, client, asked, asked.begin) })
	both.Go(func() { carry(client, server, answered, nil) })
	r := reader{Proxy: p, calls: make(chan *call, mostPipelined), left: make(chan struct{})}
	both.Go(func() { r.readCalls(asked) })
	both.Go(func() { r.readAnswers(answered) })
	both.Wait()
}

// carry passes bytes on until their sender ends, and has their receiver see the same end: a closed half, or a reset. It
// calls begin, unless that is nil, before it passes bytes on.
func carry(to, from net.Conn, copied *feed, begin func()) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if begin != nil {
				begin()
			}
			if _, failed := to.Write(buffer[:n]); failed != nil {
				copied.close()
				reset(from)
				return
			}
			copied.write(buffer[:n])
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			closeHalf(to)
		default:
			reset(to)
		}
		copied.close()
		return
	}
}

// closeHalf says that no more follows.
func closeHalf(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = c.Close()
}

// reset ends a connection as one ends whose process is gone.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// missed reports a call that is not shown. The reason has nothing of the call, which may be personal.
func (p *Proxy) missed(reason string) {
	if p.Missed != nil {
		p.Missed(reason)
	}
}
