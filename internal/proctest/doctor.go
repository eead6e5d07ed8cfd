package proctest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Doctor is the built command "refserver doctor", which examines the endpoint of an app that a test has started.
type Doctor string

// BuildDoctor builds the command for the time of a test.
func BuildDoctor(t testing.TB) Doctor { return Doctor(buildCommand(t)) }

// Scenarios builds the command "refserver test", runs it with the arguments, each scenario on a port of its own, and
// returns its report, and whether the status says that no scenario failed.
func Scenarios(t testing.TB, args ...string) (report string, passed bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), buildCommand(t), append([]string{"test", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := command.Output()
	if command.ProcessState == nil || command.ProcessState.ExitCode() > 1 { // 1 is a scenario that failed
		t.Fatalf("refserver test %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err == nil
}

// buildCommand builds the command refserver for the time of a test.
func buildCommand(t testing.TB) string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := filepath.Join(t.TempDir(), "refserver")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./internal/cmd/refserver")
	build.Dir = filepath.Join(filepath.Dir(here), "..", "..")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// Examine runs the command with the control API of the platform where the app is installed.
func (d Doctor) Examine(t testing.TB, control http.Handler, url string, args ...string) {
	t.Helper()
	s := httptest.NewServer(control)
	defer s.Close()
	args = append([]string{"doctor", url, "--control", s.URL, "--verbose"}, args...)
	command := exec.CommandContext(t.Context(), string(d), args...)
	var progress strings.Builder
	command.Stderr = &progress
	out, err := command.Output()
	if err != nil {
		t.Errorf("refserver doctor %s: %v\n%s\n%s", strings.Join(args, " "), err, out, progress.String())
	}
	t.Logf("%s", out)
}
