//go:build !linux

package postgres

import "syscall"

func dieWithParent() *syscall.SysProcAttr { return nil }
