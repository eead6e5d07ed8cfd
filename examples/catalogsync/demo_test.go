package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDemonstration(t *testing.T) {
	t.Setenv(asProgram, "1")
	db := filepath.Join(t.TempDir(), "kept.db")
	r := play(t, nil, "-products", "50", "-orders", "40", "-db", db)
	r.check(t, exitEqual,
		"    50 products and 40 orders",
		"  1 | products: the crawl begins",
		"  2 | products: the crawl goes on behind id ",
		"  3 | orders: the crawl begins",
		"  4 | orders: the crawl goes on behind id ",
		" ok products: 0 of those up to there are missing",
		" ok orders: 0 of those up to there are missing",
		"  4 | … and more webhooks",
		"  5 | products: compared ",
		" ok the process ended by itself: exit status 0",
		"Result: everything is as it should be",
	)
	if n := strings.Count(r.out, " differ\n"); n != 6 || strings.Count(r.out, ": 0 differ\n") != n {
		t.Errorf("got %d comparisons, want 6 without a difference", n)
	}
	if n := strings.Count(r.out, "    killed\n"); n != 4 {
		t.Errorf("killed %d times, want 4", n)
	}
	if _, err := os.Stat(db); err != nil {
		t.Error(err)
	}
	play(t, nil, "-db", db).check(t, exitFailed, "wants a file that does not exist yet")
}

// The program shows what does not come true: here its processes are not the program.
func TestDemonstrationFails(t *testing.T) {
	t.Setenv(asProgram, "1")
	t.Setenv("COMMERCE_PER_PAGE", "none")
	play(t, nil, "-products", "40", "-orders", "40").check(t, exitFailed,
		`  1 | catalogsync: COMMERCE_PER_PAGE "none"`, "the process ended early: exit status 3")
}
