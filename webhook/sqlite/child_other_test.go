//go:build !linux

package sqlite_test

import "syscall"

func dieWithParent() *syscall.SysProcAttr { return nil }
