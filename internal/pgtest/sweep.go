package pgtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// prefix of the directories of clusters; the id of the process follows.
const prefix = "commerce-pgtest-"

// Sweep removes the files that processes left that were killed. [New] does so too.
func Sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*")) // the pattern is right
	for _, dir := range left {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		pid, err := strconv.Atoi(id)
		if err != nil || Alive(pid) || served(dir) {
			continue
		}
		_ = os.RemoveAll(dir) // of another user perhaps
	}
}

// served reports whether a server still uses the files.
func served(dir string) bool {
	file, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(string(file), "\n", 2)[0]))
	return err == nil && Alive(pid)
}

// Alive reports whether a process runs.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || os.IsPermission(err)
}
