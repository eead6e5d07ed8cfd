package main

import (
	"fmt"
	"strings"
)

// progress is how far the crawl of a resource was told to be.
type progress struct {
	what  string
	parts int
}

// progress tells how many records are mirrored: a bar on a terminal, and elsewhere a line for every twentieth part. of
// is 0 where nobody knows.
func (t *transcript) progress(p *progress, done, of int) {
	const twenty = 20
	of = max(of, done)
	if t.terminal {
		t.bar(bar(p.what, done, of))
		return
	}
	if parts := done * twenty / max(of, 1); parts > p.parts {
		p.parts = parts
		t.print("%s: %d of %d", p.what, done, of)
	}
}

func bar(what string, done, of int) string {
	const width = 40
	full := done * width / max(of, 1)
	return fmt.Sprintf("[%s%s] %s: %d of %d", strings.Repeat("#", full), strings.Repeat(".", width-full), what, done, of)
}

// readProgress reads a line that told the progress of a resource.
func readProgress(line, what string) (done, of int, ok bool) {
	rest, ok := strings.CutPrefix(line, what+": ")
	if !ok {
		return 0, 0, false
	}
	n, err := fmt.Sscanf(rest, "%d of %d", &done, &of)
	return done, of, n == 2 && err == nil
}
