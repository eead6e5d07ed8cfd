package compiled

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// mostFunctions is the number of functions that the package main of a program with one call may have. Most of them are
// instances of generic types that the service of the call leads to. A value that leads to every service, such as a
// struct of all services, adds thousands.
const mostFunctions = 600

func TestOneCallCompilesFewFunctions(t *testing.T) {
	object := strings.TrimSpace(command(t, "list", "-trimpath", "-export", "-f", "{{.Export}}", "./testdata/one"))
	var functions []string
	for line := range strings.Lines(command(t, "tool", "nm", object)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[1] == "T" {
			functions = append(functions, strings.Join(fields[2:], " "))
		}
	}
	if n := len(functions); n > mostFunctions || n < 2 {
		t.Errorf("main has %d functions, want at most %d:\n%s", n, mostFunctions, strings.Join(functions, "\n"))
	}
	t.Logf("%d functions", len(functions))
}

// command returns the output of a go command without the flags of the test.
func command(t *testing.T, arguments ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", arguments...)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(arguments, " "), err)
	}
	return string(out)
}
