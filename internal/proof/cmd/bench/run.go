package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var errSkipped = errors.New("skipped")

// runner compiles the benchmarks of the tree at root and runs them one at a time.
type runner struct {
	root, benchtime string
	dir             string // of the binaries
	progress        io.Writer
	binaries        map[string]string // by module and package
	figures         map[benchmark][]figures
	failed          map[benchmark]error
}

func newRunner(root, dir, benchtime string, progress io.Writer) *runner {
	return &runner{
		root: root, dir: dir, benchtime: benchtime, progress: progress,
		binaries: map[string]string{}, figures: map[benchmark][]figures{}, failed: map[benchmark]error{},
	}
}

// figures are the values of one run by their unit.
type figures map[string]float64

// compile builds the binary that the benchmark is in, once.
func (r *runner) compile(ctx context.Context, b benchmark) error {
	key := b.module + " " + b.pkg
	if _, done := r.binaries[key]; done {
		return nil
	}
	binary := filepath.Join(r.dir, strconv.Itoa(len(r.binaries))+".test")
	r.binaries[key] = binary
	fmt.Fprintln(r.progress, "build", key)
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", binary, b.pkg)
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(b.module))
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c %s in %s: %w\n%s", b.pkg, b.module, err, out)
	}
	return nil
}

// round runs each benchmark once. One that fails is not run again.
func (r *runner) round(ctx context.Context, all []benchmark) {
	for _, b := range all {
		if ctx.Err() != nil || r.failed[b] != nil {
			continue
		}
		f, err := r.run(ctx, b)
		if err != nil {
			r.failed[b] = err
			fmt.Fprintln(r.progress, b, err)
			continue
		}
		r.figures[b] = append(r.figures[b], f)
		fmt.Fprintln(r.progress, b, f)
	}
}

// run runs the benchmark in a process of its own, where no other has filled the heap.
func (r *runner) run(ctx context.Context, b benchmark) (figures, error) {
	binary := r.binaries[b.module+" "+b.pkg]
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.v", "-test.benchmem", "-test.benchtime="+r.benchtime, "-test.timeout=5m", "-test.bench="+pattern(b.name))
	cmd.Dir = filepath.Join(r.root, filepath.FromSlash(b.module), filepath.FromSlash(b.pkg))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", b, err, out)
	}
	f, err := read(string(out), b.name)
	if err != nil && !errors.Is(err, errSkipped) {
		err = fmt.Errorf("%s: %w", b, err)
	}
	return f, err
}

// pattern matches the benchmark and no other.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// read finds the figures of the benchmark in what its binary printed.
func read(out, name string) (figures, error) {
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) >= 3 && words[0] == "---" && words[1] == "SKIP:" && named(words[2], name) {
			return nil, errSkipped
		}
		if len(words) < 4 || !named(words[0], name) {
			continue
		}
		f := figures{}
		for i := 2; i+1 < len(words); i += 2 {
			value, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				return nil, fmt.Errorf("figure %q in %q: want a number", words[i], strings.TrimSpace(line))
			}
			f[words[i+1]] = value
		}
		return f, nil
	}
	return nil, errors.New("there is no such benchmark")
}

// named reports whether a printed name, which may end in the number of processors, is that of the benchmark.
func named(printed, name string) bool {
	rest, ok := strings.CutPrefix(printed, name)
	processors, dash := strings.CutPrefix(rest, "-")
	_, err := strconv.Atoi(processors)
	return ok && (rest == "" || dash && err == nil)
}
