package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repository is a git repository that a test may change.
type repository struct {
	t      *testing.T
	dir    string
	listed bool // check has the go command list what the packages import, which takes a second
}

// commit makes a repository of a directory. Settings of the user, such as signatures of commits, do not apply.
func commit(t *testing.T, dir string) *repository {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
	} {
		t.Setenv(name, value)
	}
	r := &repository{t, dir, true}
	r.git("init", "-q", "-b", "main")
	r.save()
	return r
}

// shop makes a repository of two published modules, of which one requires the other, and an example.
func shop(t *testing.T) *repository {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"CHANGELOG.md":      "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything.\n",
		"go.mod":            "module example.com/shop\n\ngo 1.26.0\n",
		"shop.go":           "package shop\n\n// Open reports whether the shop is open.\nfunc Open() bool { return true }\n",
		"cmd/hello/main.go": "package main\n\nimport \"example.com/shop\"\n\nfunc main() { println(shop.Open()) }\n",
		"disk/go.mod": "module example.com/shop/disk\n\ngo 1.26.0\n\nreplace example.com/shop => ..\n\nrequire (\n" +
			"\texample.com/shop v0.0.0\n\tgithub.com/google/uuid v1.6.0\n)\n",
		"disk/go.sum": "github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=\n" +
			"github.com/google/uuid v1.6.0/go.mod h1:TIyPZe4MgqvfeYDBFedMoGGpEw/LqOeaOT+nhxU+yHo=\n",
		"disk/disk.go": "package disk\n\nimport (\n\t\"example.com/shop\"\n\t\"github.com/google/uuid\"\n)\n\n" +
			"// ID returns an id while the shop is open.\nfunc ID() string {\n\tif !shop.Open() {\n\t\treturn \"\"\n\t}\n\treturn uuid.Nil.String()\n}\n",
		"examples/app/go.mod": "module example.com/shop/examples/app\n\ngo 1.26.0\n\nreplace (\n\texample.com/shop => ../..\n" +
			"\texample.com/shop/disk => ../../disk\n)\n\nrequire example.com/shop/disk v0.0.0\n",
	}
	r := &repository{t, dir, true}
	for name, text := range files {
		r.write(name, text)
	}
	return commit(t, dir)
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	out, err := command(r.t.Context(), r.dir, "git", args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// save commits all files.
func (r *repository) save() {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "-q", "--allow-empty", "-m", "all: save")
}

func (r *repository) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// change replaces a text that a file has.
func (r *repository) change(name, was, is string) {
	r.t.Helper()
	text := r.read(name)
	if !strings.Contains(text, was) {
		r.t.Fatalf("%s lacks %q:\n%s", name, was, text)
	}
	r.write(name, strings.Replace(text, was, is, 1))
}

// release runs the command and returns what it prints.
func (r *repository) release(args ...string) (string, error) {
	r.t.Helper()
	var out strings.Builder
	err := run(r.t.Context(), r.dir, args, &out)
	return out.String(), err
}

// prepared writes and commits a version.
func (r *repository) prepared(version string) {
	r.t.Helper()
	if out, err := r.release("-prepare", version); err != nil {
		r.t.Fatalf("%v\n%s", err, out)
	}
	r.save()
}

// check returns the findings. It does not run go mod tidy, which may download what no test requires.
func (r *repository) check(version string, tagged bool) string {
	r.t.Helper()
	c, err := open(r.t.Context(), r.dir, version)
	if err != nil {
		r.t.Fatal(err)
	}
	c.today, c.tagged = time.Now().UTC(), tagged
	if !r.listed {
		c.list = nil
	}
	var out strings.Builder
	if err := c.check(r.t.Context(), &out); err != nil && out.Len() == 0 {
		r.t.Fatal(err)
	}
	return out.String()
}
