package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// howTo is what a user without PostgreSQL can do.
const howTo = `PostgreSQL is needed and its programs were not found in PATH, with pg_config or below /usr/lib/postgresql.
Install the server (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install
postgresql), or set COMMERCE_TEST_POSTGRES to the URL of a database that tests may write to. make test installs it if it can`

// ErrMissing is the error if the programs of a server or a pooler are not on this machine.
var ErrMissing = errors.New("a program is missing")

// programs returns the directory of initdb and postgres.
func programs(ctx context.Context) (string, error) {
	dir := find(ctx)
	if dir == "" {
		return "", fmt.Errorf("pgtest: %w: %s", ErrMissing, howTo)
	}
	return dir, nil
}

func find(ctx context.Context) string {
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	packaged, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is right
	newest := ""
	for _, dir := range packaged {
		if newest == "" || release(dir) > release(newest) {
			newest = dir
		}
	}
	for _, dir := range append(dirs, newest) {
		if dir != "" && executable(filepath.Join(dir, "initdb")) && executable(filepath.Join(dir, "postgres")) {
			return dir
		}
	}
	return ""
}

// release is the number in /usr/lib/postgresql/15/bin.
func release(dir string) float64 {
	n, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(dir)), 64) // 0 is older than all
	return n
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}

// last returns the end of an output, which says what went wrong.
func last(out []byte) string {
	const most = 1000
	return strings.TrimSpace(string(out[max(0, len(out)-most):]))
}
