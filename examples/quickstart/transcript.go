package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// transcript prints the progress and counts failed checks.
type transcript struct {
	out      io.Writer
	terminal bool
	started  time.Time
	steps    int
	wrong    int
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

// print writes one line. Errors of the terminal cannot be reported, so print ignores them.
func (t *transcript) print(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format+"\n", args...)
}

// note prints a line about the progress.
func (t *transcript) note(format string, args ...any) { t.print("    "+format, args...) }

// check prints a checked fact, and counts it if it is not true.
func (t *transcript) check(ok bool, format string, args ...any) {
	mark := " ok "
	if !ok {
		mark = " NO "
		t.wrong++
	}
	t.print(mark+format, args...)
}

// most is the number of items of a long list that are printed.
const most = 10

// list prints the first items of a list.
func (t *transcript) list(items []string) {
	for _, item := range items[:min(most, len(items))] {
		t.note("  %s", item)
	}
	if more := len(items) - most; more > 0 {
		t.note("  … and %d more", more)
	}
}

// step prints a title, does the work and prints its duration and requests.
func (t *transcript) step(ctx context.Context, title string, requests func() int, do func(context.Context) error) error {
	t.steps++
	t.print("\n%d. %s", t.steps, title)
	began, before := time.Now(), requests()
	if err := do(ctx); err != nil {
		return fmt.Errorf("step %d, %s: %w", t.steps, strings.ToLower(title), err)
	}
	t.note("%.2f s, %s", time.Since(began).Seconds(), count(requests()-before, "request", "requests"))
	return nil
}

// total prints the total duration and requests.
func (t *transcript) total(requests int, what string) {
	t.print("\nTotal: %s; %s, %.2f s", what, count(requests, "request", "requests"), time.Since(t.started).Seconds())
}

func (t *transcript) result(status int, format string, args ...any) {
	t.print("Result: %s (exit status %d)", fmt.Sprintf(format, args...), status)
}

// failed ends the transcript of a program that had to stop.
func (t *transcript) failed(err error) int {
	t.print("\nquickstart: %v", err)
	t.result(exitFailed, "the program could not continue")
	return exitFailed
}

// progress is a bar on a terminal, and a line now and then elsewhere. It may be used concurrently.
type progress struct {
	t    *transcript
	what string
	of   int

	mu   sync.Mutex
	done int
}

// one counts one more finished item.
func (p *progress) one() {
	const every, width = 100, 40
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	switch {
	case p.t.terminal:
		full := p.done * width / p.of
		_, _ = fmt.Fprintf(p.t.out, "\r    [%s%s] %d of %d %s", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.of, p.what)
		if p.done == p.of {
			p.t.print("")
		}
	case p.done%every == 0 || p.done == p.of:
		p.t.note("%d of %d %s", p.done, p.of, p.what)
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
