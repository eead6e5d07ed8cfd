//go:build unix && !linux

package pgtest

import "syscall"

// attributes keep signals of the terminal from the server, which is stopped in order.
func (p *process) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: p.owner, Setpgid: true}
}
