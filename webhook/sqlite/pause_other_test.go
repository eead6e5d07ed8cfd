//go:build !unix

package sqlite_test

import "testing"

func (p *process) pause(t *testing.T) { t.Skip("a process cannot be stopped here") }

func (p *process) wake(*testing.T) {}
