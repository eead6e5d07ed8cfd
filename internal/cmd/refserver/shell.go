package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
)

// shell names the process that started this command. It is not "go run", and not a copy: a shell runs $(…) and the
// parts of a pipeline in a copy of itself, which has the same command line.
func shell() string {
	pid := os.Getppid()
	parent, args, known := processOf(pid)
	for known && programOf(args) == "go" {
		pid = parent
		parent, args, known = processOf(pid)
	}
	for known && parent > 1 {
		next, of, found := processOf(parent)
		if !found || of != args {
			break
		}
		pid, parent = parent, next
	}
	return strconv.Itoa(pid)
}

// programOf is the name of the program in a command line.
func programOf(args string) string {
	first, _, _ := strings.Cut(args, " ")
	return path.Base(first)
}

// processOf returns the parent of a process and its command line, from the files of the system or from its list of
// processes.
func processOf(pid int) (parent int, args string, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, of, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
		fields := strings.Fields(of) // the state, and the parent
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if len(fields) < 2 {
			return 0, "", false
		}
		parent, err = strconv.Atoi(fields[1])
		return parent, strings.ReplaceAll(string(line), "\x00", " "), err == nil
	}
	row, err := exec.Command("ps", "-o", "ppid=,args=", "-p", strconv.Itoa(pid)).Output()
	of, args, _ := strings.Cut(strings.TrimSpace(string(row)), " ")
	if err == nil {
		parent, err = strconv.Atoi(of)
	}
	return parent, args, err == nil
}

// runs reports whether a shell still runs.
func runs(name string) bool {
	pid, err := strconv.Atoi(name)
	return err == nil && running(pid)
}
