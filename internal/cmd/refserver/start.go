package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// started is a program of a partner that a command starts, and ends with all processes that it has started.
type started struct {
	// address is where it listens, as host and port.
	address string
	line    string
	cmd     *exec.Cmd
	output  lastOutput
	ended   chan struct{}
	guard   io.Closer // of a port that was free
}

// Bounds of a program.
const (
	startWithin = time.Minute // "go run" compiles first
	stopWithin  = 3 * time.Second
	mostOutput  = 16 << 10
)

// startUsage is the usage of the flag --start.
const startUsage = "`command` that starts your program, which listens on 127.0.0.1 at the port of the variable PORT. " +
	"It is run without a shell: words may be quoted, $PORT is replaced, and NAME=value before it sets a variable"

// startProgram runs a command line and returns when the program listens at the address; empty is a free port of
// 127.0.0.1. The variables ("NAME=value") are added to the environment.
func startProgram(ctx context.Context, line, address string, variables []string) (_ *started, err error) {
	var guard io.Closer = io.NopCloser(nil)
	if address == "" {
		if address, guard, err = freeAddress(); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			guard.Close()
		}
	}()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	words, err := wordsOf(strings.ReplaceAll(line, "$PORT", port))
	if err != nil {
		return nil, misused("--start", line, err.Error())
	}
	if listens(ctx, address) {
		return nil, fmt.Errorf("--start: another program listens on %s already", address)
	}
	p := &started{address: address, line: line, ended: make(chan struct{}), guard: guard}
	env := append(append(os.Environ(), variables...), "PORT="+port)
	for len(words) > 0 && assignment.MatchString(words[0]) {
		env, words = append(env, words[0]), words[1:]
	}
	if len(words) == 0 {
		return nil, misused("--start", line, "must name a program")
	}
	p.cmd = exec.Command(words[0], words[1:]...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = env, &p.output, &p.output, stopWithin
	p.cmd.SysProcAttr = ownGroup()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("--start: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // ProcessState has the status
	}()
	if err := p.await(ctx); err != nil {
		p.stop()
		return nil, fmt.Errorf("--start: %w\n%s", err, p.shown())
	}
	return p, nil
}

// freeAddress returns an address of 127.0.0.1 that nothing listens at. Its port is below the ports that systems give to
// connections, so that no connection takes it before the program does. Until the guard is closed, no other call
// returns the port, in this process or another one: the guard is a UDP port that belongs to it. Otherwise two programs
// could get one port, and the one that cannot listen would seem to be started.
func freeAddress() (address string, guard io.Closer, err error) {
	const least, ports, tries = 20_000, 12_000, 100
	for range tries {
		port := least + rand.IntN(ports)
		at := func(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
		if guard, err = net.ListenPacket("udp", at(port+ports)); err != nil {
			continue
		}
		var l net.Listener
		if l, err = net.Listen("tcp", at(port)); err == nil {
			return l.Addr().String(), guard, l.Close()
		}
		guard.Close()
	}
	return "", nil, err
}

// assignment is a word before a command that sets a variable.
var assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)

// await waits until the program listens.
func (p *started) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startWithin, fmt.Errorf("it does not listen on %s after %v", p.address, startWithin))
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !listens(ctx, p.address) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-p.ended:
			return fmt.Errorf("it ended (%v) before it listened at %s, the port of the variable PORT", p.cmd.ProcessState, p.address)
		case <-again.C:
		}
	}
	return nil
}

func listens(ctx context.Context, address string) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// stop ends the program with its group: it may finish for a moment, and is killed then.
func (p *started) stop() {
	endGroup(p.cmd.Process, false)
	select {
	case <-p.ended:
	case <-time.After(stopWithin):
	}
	endGroup(p.cmd.Process, true)
	<-p.ended
	p.guard.Close()
}

// shown is the end of the output, for a report of a failure.
func (p *started) shown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "output of %s:\n", plain(p.line))
	for line := range strings.Lines(cmp.Or(p.output.text(), "(none)")) {
		b.WriteString("   " + plain(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// variablesOf are the variables of "refserver env" for a program that a command starts.
func variablesOf(ctx context.Context, address string) (out []string, err error) {
	e := new(env)
	if e.remote, err = control.Dial(address); err != nil {
		return nil, err
	}
	defer e.remote.Close()
	in, err := e.info(ctx)
	if err != nil {
		return nil, err
	}
	variables, err := e.variables(ctx, in)
	for _, v := range variables {
		out = append(out, v[0]+"="+v[1])
	}
	return out, err
}

// lastOutput keeps the end of what is written.
type lastOutput struct {
	mu   sync.Mutex
	last []byte
	cut  bool
}

func (o *lastOutput) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = append(o.last, b...)
	if over := len(o.last) - mostOutput; over > 0 {
		o.last, o.cut = append([]byte(nil), o.last[over:]...), true
	}
	return len(b), nil
}

// text returns whole lines.
func (o *lastOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	last := o.last
	if _, rest, found := bytes.Cut(last, []byte("\n")); o.cut && found {
		last = rest
	}
	return string(last)
}

// wordsOf divides a command line at spaces outside of quotes.
func wordsOf(line string) (words []string, err error) {
	var word strings.Builder
	began, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			began, quote = true, r
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if began {
				words = append(words, word.String())
			}
			began = false
			word.Reset()
		default:
			began = true
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c must be closed", quote)
	}
	if began {
		words = append(words, word.String())
	}
	return words, nil
}
