package rolling

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The release before is the parent of the commit that added the newest migration, or the last commit if none has it
// yet. A shallow clone lacks it, and the error says so.
func TestCommitBefore(t *testing.T) {
	repository := t.TempDir()
	t.Chdir(repository)
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	run := func(arguments ...string) string {
		t.Helper()
		out, err := git(".", arguments...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	file := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(name string) string {
		t.Helper()
		file(name)
		run("add", name)
		run("commit", "-q", "-m", name)
		return run("rev-parse", "HEAD")
	}
	run("init", "-q", ".")
	commit("migrations/0001.sql")
	want := commit("last.go")
	commit("migrations/0002.sql")
	last := commit("new.go")
	if got, root, err := commitBefore(); err != nil || got != want || filepath.Base(root) != filepath.Base(repository) {
		t.Errorf("commit %s of %s, %v; want %s of %s", got, root, err, want, repository)
	}
	file("migrations/0003.sql")
	if got, _, err := commitBefore(); err != nil || got != last {
		t.Errorf("before a migration without a commit: %s, %v; want %s", got, err, last)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	run("clone", "-q", "--depth=2", "file://"+filepath.ToSlash(repository), shallow)
	t.Chdir(shallow)
	if got, _, err := commitBefore(); err == nil || !strings.Contains(err.Error(), "git rev-parse") {
		t.Errorf("in a shallow clone: commit %q, %v; want an error of git", got, err)
	}
}
