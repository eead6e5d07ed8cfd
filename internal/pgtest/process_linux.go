package pgtest

import "syscall"

// attributes make the server stop, as with Immediate, when this process dies.
func (p *process) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: p.owner, Setpgid: true, Pdeathsig: syscall.SIGQUIT}
}
