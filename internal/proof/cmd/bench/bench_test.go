package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const root = "../../../.."

// The lists keep up with the code: every benchmark that they name is there.
func TestLists(t *testing.T) {
	goals, err := parseGoals(goalList)
	if err != nil {
		t.Fatal(err)
	}
	grown, err := parseGrowth(growthList)
	if err != nil {
		t.Fatal(err)
	}
	peers, err := parseGoals(peerList)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range benchmarks(append(goals, peers...), grown) {
		files, err := filepath.Glob(filepath.Join(root, b.module, b.pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(b.name, "/")
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(source), "\nfunc "+name+"(")
		}
		if !found {
			t.Errorf("%s: there is no such function", b)
		}
	}
}

// With peers, the goals beside them and all others are measured, and those of the numbers that were given.
func TestPlan(t *testing.T) {
	goals, grown, err := plan(true, nil)
	if err != nil || len(grown) > 0 {
		t.Fatal(grown, err)
	}
	promised, open := 0, 0
	for _, g := range goals {
		if g.figure.module != peerModule {
			t.Errorf("%s has no peer", g.figure)
		}
		if g.open {
			open++
		} else {
			promised++
		}
	}
	if promised == 0 || open == 0 {
		t.Errorf("%d goals and %d without a limit, want some of each", promised, open)
	}
	if goals, _, err = plan(false, []string{"19"}); err != nil || len(goals) != 2 {
		t.Errorf("goal 19: %v, %v, want two rows", goals, err)
	}
	if _, _, err = plan(false, []string{"99"}); err == nil {
		t.Error("goal 99: no error")
	}
}

func TestParseRefuses(t *testing.T) {
	row := []string{"1", "decode", ".", "./client", "BenchmarkX/ours", "ns/op", "BenchmarkX/v1", "<=", "0.5"}
	if _, err := parseGoals(strings.Join(row, "\t") + "\n\n# comment\n"); err != nil {
		t.Error(err)
	}
	for i, wrong := range map[int]string{1: "", 7: "<= mean", 8: "half"} {
		bad := append([]string{}, row...)
		bad[i] = wrong
		if _, err := parseGoals("# comment\n" + strings.Join(bad, "\t")); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("column %d is %q: got %v, want an error with the line", i, wrong, err)
		}
	}
	if _, err := parseGrowth("a\tb"); err == nil {
		t.Error("two columns of growth: no error")
	}
}

const printed = `goos: linux
=== RUN   BenchmarkX/ours
BenchmarkX/ours
    x_test.go:1: BenchmarkX/ours has 4 words
BenchmarkX/ours-more-2   	      10	       100.5 ns/op
BenchmarkX/ours-2   	      57	  24676174 ns/op	  79.43 MB/s	 12.5 p99-ms	 6261120 B/op	   55281 allocs/op
--- SKIP: BenchmarkX/engine
`

func TestRead(t *testing.T) {
	f, err := read(printed, "BenchmarkX/ours")
	if err != nil || len(f) != 5 || f["p99-ms"] != 12.5 || f["ns/op"] != 24676174 {
		t.Errorf("read %v, %v", f, err)
	}
	if _, err := read(printed, "BenchmarkX/engine"); !errors.Is(err, errSkipped) {
		t.Errorf("skipped: %v", err)
	}
	if _, err := read(printed, "BenchmarkX/o"); err == nil || errors.Is(err, errSkipped) {
		t.Errorf("unknown: %v", err)
	}
	if got := pattern("BenchmarkX/a.b/c"); got != `^BenchmarkX$/^a\.b$/^c$` {
		t.Errorf("pattern %s", got)
	}
}

func TestTable(t *testing.T) {
	goals, err := parseGoals(strings.Join([]string{
		"1\tfast\t.\t./p\tBenchmarkA\tns/op\tBenchmarkF\t<=\t0.5",
		"2\tmany\t.\t./p\tBenchmarkA\treq/s\tBenchmarkF\t>=\t0.9",
		"3\tsmall\t.\t./p\tBenchmarkA\tB/op\t-\t<=\t6291456",
		"4\tnothing to run on\t.\t./p\tBenchmarkS\tns/op\t-\t<=\t1",
		"5\tno metric\t.\t./p\tBenchmarkA\tp99-ms\t-\t<=\t1",
		"6\tbroken\t.\t./p\tBenchmarkB\tns/op\t-\t<=\t1",
		"7'\tmedians\t.\t./p\tBenchmarkA\tns/op\tBenchmarkF\t<= median\t0.7",
		"8\tno limit\t.\t./p\tBenchmarkA\treq/s\tBenchmarkF\t>= median\t-",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	grown, err := parseGrowth("sort\t.\t./p\tns/op\tBenchmarkA\tBenchmarkF\tBenchmarkF\nmap\t.\t./p\tB/op\tBenchmarkF\tBenchmarkA\tBenchmarkA")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) benchmark { return benchmark{".", "./p", name} }
	r := newRunner("", "", "", io.Discard)
	r.figures[at("BenchmarkA")] = []figures{
		{"ns/op": 3e6, "req/s": 800, "B/op": 7 << 20}, {"ns/op": 1e6, "req/s": 900, "B/op": 7 << 20}, {"ns/op": 4e6, "req/s": 850, "B/op": 7 << 20},
	}
	r.figures[at("BenchmarkF")] = []figures{
		{"ns/op": 4e6, "req/s": 1000, "B/op": 1 << 10}, {"ns/op": 2.5e6, "req/s": 800, "B/op": 1 << 10}, {"ns/op": 4e8, "req/s": 900, "B/op": 1 << 10},
	}
	r.failed[at("BenchmarkS")] = errSkipped
	r.failed[at("BenchmarkB")] = errors.New("./p BenchmarkB: exit status 2")
	var out strings.Builder
	err = errors.Join(r.printGoals(&out, goals), r.printGrowth(&out, grown))
	if err == nil || !strings.Contains(err.Error(), "BenchmarkA: no metric p99-ms, it has B/op, ns/op, req/s") || !strings.Contains(err.Error(), "BenchmarkB: exit status 2") || strings.Contains(err.Error(), "BenchmarkS") {
		t.Errorf("errors: %v", err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := `# what figure floor ratio median goal
1 fast 1 ms 2.5 ms 0.400 0.400 <= 0.5x met
2 many 900 req/s 1000 req/s 0.900 0.944 >= 0.9x met
3 small 7 MiB - - 7 MiB <= 6 MiB NOT MET
4 nothing to run on - - - - <= 1 ns skipped
5 no metric - - - - <= 1 p99-ms FAILED
6 broken - - - - <= 1 ns FAILED
7' medians 3 ms 4 ms 0.750 0.400 <= 0.7x NOT MET
8 no limit 850 req/s 900 req/s 0.944 0.944 -
how cost grows 1x 10x 100x 100x / (100 * 1x)
sort 1 ms 2.5 ms 2.5 ms 0.03
map 1 KiB 7 MiB 7 MiB 71.68 worse than linear`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
