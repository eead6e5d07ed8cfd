//go:build !unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// running reports whether there is a process with the id.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Release() == nil
}

func ownGroup() *syscall.SysProcAttr { return nil }

// endGroup kills a process with its children. They cannot be asked to end.
func endGroup(first *os.Process, kill bool) {
	if !kill {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(first.Pid)).Run() // it may have ended
	}
	_ = first.Kill()
}
