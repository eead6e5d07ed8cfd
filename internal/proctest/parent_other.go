//go:build !linux

package proctest

import "syscall"

// dieWithParent is for Linux: elsewhere a child outlives its parent.
func dieWithParent() *syscall.SysProcAttr { return nil }
