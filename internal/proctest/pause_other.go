//go:build !unix

package proctest

import "testing"

// Pause skips the test, because a process cannot be stopped here.
func (p *Process) Pause(t testing.TB) { t.Skip("a process cannot be stopped here") }

// Wake does nothing.
func (p *Process) Wake(testing.TB) {}
