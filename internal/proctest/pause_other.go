//go:build !unix

package proctest

import "testing"

// Pause skips the test, because a process cannot be stopped here.
func (p *Process) Pause(t testing.TB) { t.Skip("a process cannot be stopped here") }

// Wake does nothing.
func (p *Process) Wake(testing.TB) {}

// Terminate skips the test, because a process cannot be asked to end here.
func (p *Process) Terminate(t testing.TB) { t.Skip("a process cannot be asked to end here") }

// Interrupt skips the test, because a process cannot be interrupted here.
func (p *Process) Interrupt(t testing.TB) { t.Skip("a process cannot be interrupted here") }
