package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
)

// shell names the process that started this command. It is not "go run".
func shell() string { return ancestors()[0] }

// ancestors are the processes that led to this command, the nearest first, without those of "go run". A command in
// $(…) or in a pipeline was started by a shell of its own, which the shell of the script has started.
func ancestors() (pids []string) {
	for pid := os.Getppid(); pid > 1; {
		parent, name, known := processOf(pid)
		if name != "go" {
			pids = append(pids, strconv.Itoa(pid))
		}
		if !known || parent == pid {
			break
		}
		pid = parent
	}
	if len(pids) == 0 {
		return []string{strconv.Itoa(os.Getppid())}
	}
	return pids
}

// processOf returns the parent and the name of a process, from the files of the system or from its list of processes.
func processOf(pid int) (parent int, name string, known bool) {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, of, _ := strings.Cut(string(stat), "(")
		end := strings.LastIndex(of, ")")
		if fields := strings.Fields(of[max(0, end):]); len(fields) > 2 { // ")", the state, and the parent
			parent, err = strconv.Atoi(fields[2])
			return parent, of[:end], err == nil
		}
		return 0, "", false
	}
	row, err := exec.Command("ps", "-o", "ppid=,comm=", "-p", strconv.Itoa(pid)).Output()
	of, name, _ := strings.Cut(strings.TrimSpace(string(row)), " ")
	if err == nil {
		parent, err = strconv.Atoi(of)
	}
	return parent, path.Base(strings.TrimSpace(name)), err == nil
}

// runs reports whether a shell still runs.
func runs(name string) bool {
	pid, err := strconv.Atoi(name)
	return err == nil && running(pid)
}
