//go:build unix

package postgres

import (
	"syscall"
	"testing"
)

// pause stops the process until it is woken.
func (p *process) pause(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

func (p *process) wake(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}
