package doctor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Program is the process of the app, if the caller of Examine has started it.
type Program interface {
	// Restart ends the process and starts it again. It returns when the app listens.
	Restart(ctx context.Context) error
	// Memory is how many bytes the process and its children have in memory; false if the system does not say.
	Memory() (bytes int64, ok bool)
}

// keeping is a kind of calls whose effects an app must remember.
type keeping interface {
	// remembered looks whether a call from before the restart has its effect once.
	remembered(ctx context.Context, e *exam) (outcome, error)
}

// startedChecks are those of a process that can be started again. Without one they are skipped.
func startedChecks(e *exam) []check {
	all := []check{
		{
			name: "first call", sent: "a genuine call, the first one after a start", run: checkFirstCall,
			rule: "the time limits hold for each call, also for the first one after a release",
			fix:  "load, connect and compile before the program listens",
		},
		{
			name: "memory", sent: "two unsigned bodies of 64 MiB at once", run: checkMemory,
			rule: "memory is bounded, whatever a stranger sends", after: []string{"large body"},
			fix: "stop reading after 1 MiB, and answer 413",
		},
	}
	if k, ok := e.kind.(keeping); ok {
		all = append(all, check{
			name: "restart", sent: "a call from before the restart, once more", after: []string{"first call", "reported"},
			run:  func(ctx context.Context, e *exam) (outcome, error) { return k.remembered(ctx, e) },
			rule: "a call can be repeated hours later, so an app remembers what it has done after a restart",
			fix:  "write into a database what you are going to do before you do it, and the result afterwards",
		})
	}
	for i := range all {
		if e.o.Program == nil {
			all[i].after, all[i].run = nil, notStarted
		}
	}
	return all
}

// notStarted skips a check.
func notStarted(context.Context, *exam) (outcome, error) {
	return skip("the doctor has not started the program (--start)")
}

// noted is how long a program has, before it is ended, to store the last answer of the platform. Without that answer it
// may report a label or a payment once more.
const noted = 2 * time.Second

func checkFirstCall(ctx context.Context, e *exam) (outcome, error) {
	if err := pause(ctx, noted); err != nil {
		return outcome{}, err
	}
	e.restarted = e.since
	if err := e.o.Program.Restart(ctx); err != nil {
		return fail("the program did not start again: %v", err)
	}
	v, err := e.kind.call(ctx, e)
	if err != nil {
		return outcome{}, err
	}
	if v.late || !v.accepted {
		return fail("%s; later calls got %s", v, e.first)
	}
	return pass("%s", v)
}

// Sizes of the check of memory.
const (
	mebibyte   = 1 << 20
	hugeBody   = 64 * mebibyte
	mostMemory = 80 * mebibyte
)

func checkMemory(ctx context.Context, e *exam) (outcome, error) {
	before, ok := e.o.Program.Memory()
	if !ok {
		return skip("this system does not say how much memory the program has")
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { e.pour(ctx) })
	}
	sent := make(chan struct{})
	go func() { both.Wait(); close(sent) }()
	most := before
	for look := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case <-look.C:
			if now, ok := e.o.Program.Memory(); ok {
				most = max(most, now)
			}
			continue
		case <-sent:
			look.Stop()
		}
		break
	}
	if now, ok := e.o.Program.Memory(); ok {
		most = max(most, now)
	}
	figures := fmt.Sprintf("from %d to %d MiB", before/mebibyte, most/mebibyte)
	if most-before > mostMemory {
		return fail("%s", figures)
	}
	if x := e.direct(ctx, e.posted()); x.err != nil {
		return fail("%s; a genuine call after it got %s", figures, x)
	}
	return pass("%s", figures)
}

// pour sends a huge body without a signature, and ignores the answer.
func (e *exam) pour(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	x := e.posted()
	url := e.to.Scheme + "://" + e.to.Host + x.uri
	out, err := http.NewRequestWithContext(ctx, x.method, url, io.LimitReader(spaces{}, hugeBody))
	if err != nil {
		return
	}
	x.header = x.header.Clone()
	strip(&x)
	out.Header, out.Host = x.header, e.host(x.host)
	if response, err := e.relay.transport.RoundTrip(out); err == nil {
		response.Body.Close()
	}
}

// spaces is an endless body.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
