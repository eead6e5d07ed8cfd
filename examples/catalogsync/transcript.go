package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// transcript prints what happens and counts what is not as it should be. It may be used concurrently.
type transcript struct {
	terminal bool
	started  time.Time

	mu    sync.Mutex
	out   io.Writer
	open  bool // the last line is a bar without end
	steps int
	wrong int
}

func newTranscript(out io.Writer) *transcript {
	return &transcript{out: out, terminal: isTerminal(out), started: time.Now()}
}

func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// print writes one line. An error is the terminal's and there is nobody left to tell.
func (t *transcript) print(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open {
		_, _ = io.WriteString(t.out, "\n")
		t.open = false
	}
	_, _ = fmt.Fprintf(t.out, format+"\n", args...)
}

// bar writes a line that the next bar overwrites.
func (t *transcript) bar(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = io.WriteString(t.out, "\r"+line)
	t.open = true
}

// step prints the title of what comes next.
func (t *transcript) step(title string) {
	t.steps++
	t.print("\n%d. %s", t.steps, title)
}

// note says what is going on.
func (t *transcript) note(format string, args ...any) { t.print("    "+format, args...) }

// check prints what was looked at, and counts it if it is not true.
func (t *transcript) check(ok bool, format string, args ...any) {
	if ok {
		t.print(" ok "+format, args...)
		return
	}
	t.lack(format, args...)
}

// lack prints and counts what is not as it should be.
func (t *transcript) lack(format string, args ...any) {
	t.mu.Lock()
	t.wrong++
	t.mu.Unlock()
	t.print(" NO "+format, args...)
}

// verdict ends the transcript and returns the exit status.
func (t *transcript) verdict() int {
	took := time.Since(t.started).Seconds()
	if t.wrong > 0 {
		t.print("\nResult: %s not as they should be (%.1f s, exit status %d)", count(t.wrong, "thing is", "things are"), took, exitDiffers)
		return exitDiffers
	}
	t.print("\nResult: everything is as it should be (%.1f s, exit status %d)", took, exitEqual)
	return exitEqual
}

// failed ends the transcript of a program that could not go on.
func (t *transcript) failed(err error) int {
	t.print("\ncatalogsync: %v", err)
	t.print("Result: the program could not go on (exit status %d)", exitFailed)
	return exitFailed
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
