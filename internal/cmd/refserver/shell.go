package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// shell names the process that started this command. Where the system lists processes as files, it is not "go run".
func shell() string {
	pid := os.Getppid()
	for {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err != nil || string(bytes.TrimSpace(name)) != "go" {
			return strconv.Itoa(pid)
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := strings.Cut(string(stat), ") ") // after "pid (go"
		fields := strings.Fields(rest)
		if len(fields) < 2 {
			return strconv.Itoa(pid)
		}
		if pid, err = strconv.Atoi(fields[1]); err != nil {
			return fields[1]
		}
	}
}

// runs reports whether a shell still runs.
func runs(name string) bool {
	pid, err := strconv.Atoi(name)
	return err == nil && running(pid)
}
