//go:build unix

package aptget

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The lists are brought up to date first, and the error has the end of what failed.
func TestInstall(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := Install(t.Context(), "hello"); err == nil || !strings.Contains(err.Error(), "no apt-get") {
		t.Errorf("got %v, want that there is no apt-get", err)
	}
	const program = `#!/bin/sh
[ "$1" = apt-get ] && shift
[ "$1" = -n ] && shift 2
echo "$3 $6 $DEBIAN_FRONTEND" >>"$0.log"
[ "$6" != missing ] || { echo "E: Unable to locate package"; exit 100; }
`
	for _, name := range []string{"apt-get", "sudo"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := Install(t.Context(), "hello"); err != nil {
		t.Error(err)
	}
	if err := Install(t.Context(), "missing"); err == nil || !strings.Contains(err.Error(), "Unable to locate package") {
		t.Errorf("got %v, want the reason of apt-get", err)
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log")) // the pattern is right
	if len(logs) != 1 {
		t.Fatalf("logs %q, want one", logs)
	}
	log, err := os.ReadFile(logs[0])
	const want = "update  noninteractive\ninstall hello noninteractive\n" +
		"update  noninteractive\ninstall missing noninteractive\n"
	if err != nil || string(log) != want {
		t.Errorf("ran %q, %v; want %q", log, err, want)
	}
}
