package build

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// command runs the go command on the programs. All that it writes is in directories of its own.
type command struct {
	tb      testing.TB
	cache   string // GOCACHE
	out     string // the binary that was built last
	overlay string // replaces main.go of the program that is edited
	edited  string // what replaces it
}

func newCommand(tb testing.TB) *command {
	tb.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		tb.Skip(err)
	}
	dir := tb.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	return &command{tb: tb, cache: at("cache"), out: at("program"), overlay: at("overlay.json"), edited: at("main.go")}
}

// cost is what a command took.
type cost struct{ cpu, wall time.Duration }

// run runs the go command.
func (c *command) run(arguments ...string) (string, cost) {
	c.tb.Helper()
	cmd := exec.CommandContext(c.tb.Context(), "go", arguments...)
	cmd.Env = append(os.Environ(), "GOCACHE="+c.cache, "GOTMPDIR="+filepath.Dir(c.out),
		"GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	start := time.Now()
	printed, err := cmd.Output()
	if err != nil {
		c.tb.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, &complaint)
	}
	return string(printed), cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(start)}
}

// path is that of the program with a name, as the go command takes it.
func path(program string) string { return "./programs/" + program }

// tested is the source of a program that is a test.
const tested = "main_test.go"

// source is the name of the file of the program.
func source(program string) string {
	if _, err := os.Stat(filepath.Join("programs", program, tested)); err == nil {
		return tested
	}
	return "main.go"
}

// standard builds the packages of the standard library that the program needs.
func (c *command) standard(program string) cost {
	c.tb.Helper()
	packages, _ := c.run("list", "-deps", "-test", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", path(program))
	_, took := c.run(append([]string{"build", "-trimpath"}, strings.Fields(packages)...)...)
	return took
}

// build builds the program as it is, with more flags.
func (c *command) build(program string, flags ...string) cost {
	c.tb.Helper()
	arguments := []string{"build"}
	if source(program) == tested {
		arguments = []string{"test", "-c"}
	}
	_, took := c.run(slices.Concat(arguments, []string{"-trimpath", "-o", c.out}, flags, []string{path(program)})...)
	return took
}

// edit builds the program with a line more in its source, which is another one each time.
func (c *command) edit(program string, n int) cost {
	c.tb.Helper()
	file, err := filepath.Abs(filepath.Join("programs", program, source(program)))
	if err != nil {
		c.tb.Fatal(err)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		c.tb.Fatal(err)
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {file: c.edited}})
	if err != nil {
		c.tb.Fatal(err)
	}
	c.write(c.edited, fmt.Appendf(source, "\nfunc init() { println(%d) }\n", n))
	c.write(c.overlay, replaced)
	return c.build(program, "-overlay", c.overlay)
}

func (c *command) write(file string, data []byte) {
	c.tb.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		c.tb.Fatal(err)
	}
}

// stripped returns the size of the program without what only debuggers read.
func (c *command) stripped(program string) int64 {
	c.tb.Helper()
	c.build(program, "-ldflags=-s -w")
	info, err := os.Stat(c.out)
	if err != nil {
		c.tb.Fatal(err)
	}
	return info.Size()
}
