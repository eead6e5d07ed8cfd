package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// printMachine writes what the figures were measured on and against: the processor, Go, and what the nested modules
// require beside what the module itself does, which are the engines and the peers.
func printMachine(ctx context.Context, out io.Writer, root string, modules []string) error {
	fmt.Fprintf(out, "%s %s/%s, %s, %d cores, GOMAXPROCS %d\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, processor(), runtime.NumCPU(), runtime.GOMAXPROCS(0))
	own, err := requirements(ctx, root)
	if err != nil {
		return err
	}
	var others []string
	for _, dir := range modules {
		all, err := requirements(ctx, filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return err
		}
		for _, r := range all {
			if !slices.Contains(own, r) && !slices.Contains(others, r) {
				others = append(others, r)
			}
		}
	}
	if len(others) > 0 {
		fmt.Fprintln(out, "with "+strings.Join(others, ", "))
	}
	fmt.Fprintln(out)
	return nil
}

// requirements lists what the module in a directory requires directly, with the versions that were chosen.
func requirements(ctx context.Context, dir string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{if not (or .Main .Indirect .Replace)}}{{.Path}} {{.Version}}{{end}}", "all")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	listed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m all in %s: %w", dir, err)
	}
	return strings.Split(strings.TrimSpace(string(listed)), "\n"), nil
}

// processor names the CPU where the system tells.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "CPU not known"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "CPU not known"
}
