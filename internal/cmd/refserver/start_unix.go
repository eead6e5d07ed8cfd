//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// running reports whether there is a process with the id.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// ownGroup makes a process the first of a group, in which its children are.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks the processes of a group to end, or kills them.
func endGroup(first *os.Process, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-first.Pid, signal) // they may have ended
}
