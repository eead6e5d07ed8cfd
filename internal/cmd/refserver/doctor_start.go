package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// examined is the program of --start while the doctor examines it.
type examined struct {
	*started
	line, address string
	variables     []string
}

// startExamined starts a program at the host and port of an address.
func startExamined(ctx context.Context, line, address string, variables []string) (*examined, error) {
	p, err := startProgram(ctx, line, address, variables)
	return &examined{p, line, address, variables}, err
}

// Restart ends the program and starts it again.
func (p *examined) Restart(ctx context.Context) error {
	p.stop()
	again, err := startProgram(ctx, p.line, p.address, p.variables)
	if err == nil {
		p.started = again
	}
	return err
}

// Memory is what Linux says of the processes in the group of the program.
func (p *examined) Memory() (bytes int64, ok bool) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // fails for no pattern
	group := strconv.Itoa(p.cmd.Process.Pid)
	for _, stat := range stats {
		raw, err := os.ReadFile(stat)
		if err != nil {
			continue // the process has ended
		}
		// The name, in brackets, may have spaces. After it are state, parent and group. The 22nd are resident pages.
		_, rest, _ := strings.Cut(string(raw), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 21 && fields[2] == group {
			pages, _ := strconv.ParseInt(fields[21], 10, 64) // digits
			bytes += pages * int64(os.Getpagesize())
		}
	}
	return bytes, bytes > 0
}
