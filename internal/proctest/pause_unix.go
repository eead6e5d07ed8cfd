//go:build unix

package proctest

import (
	"syscall"
	"testing"
)

// Pause stops the child (SIGSTOP) until Wake.
func (p *Process) Pause(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// Wake continues a child that Pause stopped.
func (p *Process) Wake(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

// Terminate asks the child to end (SIGTERM), as a process manager does. It does not wait: see Wait.
func (p *Process) Terminate(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// Interrupt interrupts the child (SIGINT), as Ctrl-C does. It does not wait: see Wait.
func (p *Process) Interrupt(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}
