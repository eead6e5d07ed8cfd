package proctest

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Process is a child that was started.
type Process struct {
	cmd    *exec.Cmd
	in     io.Writer
	lines  *bufio.Scanner
	errors bytes.Buffer  // what it printed there, once it has ended
	ended  chan struct{} // closed when it has
	lived  bool          // until it was killed
}

// Start starts a child, with variables ("NAME=value") added to the environment of this process.
func Start(t testing.TB, role string, env ...string) *Process {
	t.Helper()
	return start(t, command(role, env))
}

// StartProgram is Start for another program than the test binary.
func StartProgram(t testing.TB, path string, env ...string) *Process {
	t.Helper()
	c := exec.Command(path)
	c.Env = append(os.Environ(), env...)
	return StartCommand(t, c)
}

// StartCommand is StartProgram for a program with arguments, whose environment is that of the command alone.
func StartCommand(t testing.TB, c *exec.Cmd) *Process {
	t.Helper()
	c.SysProcAttr = dieWithParent()
	return start(t, c)
}

func start(t testing.TB, c *exec.Cmd) *Process {
	t.Helper()
	runtime.LockOSThread() // the kernel notifies the child of the death of the thread
	defer runtime.UnlockOSThread()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{cmd: c, in: in, lines: bufio.NewScanner(out), ended: make(chan struct{})}
	c.Stdout, c.Stderr = theirs, &p.errors
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close() // it is the child's
	go func() {
		defer close(p.ended)
		_ = c.Wait() // its state says how it ended
	}()
	t.Cleanup(func() { _ = out.Close() })
	return p
}

// Line returns the next line that the child prints.
func (p *Process) Line(t testing.TB) string {
	t.Helper()
	if !p.lines.Scan() {
		<-p.ended
		t.Fatalf("the child ended: %v, %v\n%s", p.lines.Err(), p.cmd.ProcessState, &p.errors)
	}
	return strings.TrimSpace(p.lines.Text())
}

// Say writes a line to the standard input of the child.
func (p *Process) Say(t testing.TB, line string) {
	t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// Ended returns a channel that is closed when the child has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Kill is kill -9, and returns when the child has ended. A child that is dead already fails the test, unless a defect
// of the race detector has ended it, which is as good as being killed.
func (p *Process) Kill(t testing.TB) {
	t.Helper()
	select {
	case <-p.ended:
		report := t.Errorf
		if strings.Contains(p.errors.String(), "ThreadSanitizer: CHECK failed") {
			report = t.Logf
		}
		report("the child ended on its own: %v\n%s", p.cmd.ProcessState, &p.errors)
		return
	default:
	}
	p.lived = true
	_ = p.cmd.Process.Kill() // it may end in the same moment
	<-p.ended
}

// Wait waits until the child has ended, and fails the test unless its role returned nil.
func (p *Process) Wait(t testing.TB) {
	t.Helper()
	<-p.ended
	if !p.cmd.ProcessState.Success() {
		t.Errorf("the child ended: %v\n%s", p.cmd.ProcessState, &p.errors)
	}
}

// Lived reports whether the child lived until Kill killed it.
func (p *Process) Lived() bool { return p.lived }
