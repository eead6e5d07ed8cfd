package proctest

import "syscall"

// dieWithParent makes the kernel kill a child when its parent dies.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
