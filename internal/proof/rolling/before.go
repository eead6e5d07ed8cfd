package rolling

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// before builds the release before the newest migration of an engine, and returns the program. The test runs in the
// folder of the engine. A repository without that commit skips it, or fails it at full size.
func before(t *testing.T, engine string, full bool) (program string) {
	t.Helper()
	commit, root, err := commitBefore()
	if err != nil {
		report := t.Skipf
		if full {
			report = t.Fatalf
		}
		report("the release before is in the history of the repository, which is missing (git fetch --unshallow): %v", err)
	}
	tree := filepath.Join(root, ".bin", "before", commit)
	if err := extract(root, commit, tree); err != nil {
		t.Fatal(err)
	}
	app := "webhook/" + engine + "/internal/rollingapp/"
	for _, file := range []string{"internal/proof/rolling/replica/replica.go", app + "app.go", app + "before/main.go"} {
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(tree, file), source)
	}
	flags := proctest.BuildFlags()
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, flags)
	program = filepath.Join(tree, fmt.Sprintf("%s-%08x.exe", engine, hash.Sum32()))
	// It takes no time if the program is there.
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./internal/rollingapp/before")
	build.Dir = filepath.Join(tree, "webhook", engine)
	build.Env = append(os.Environ(), "GOFLAGS="+flags, "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the release before: %v\n%s", err, out)
	}
	t.Logf("the release before is that of commit %.12s", commit)
	return program
}

// commitBefore returns the parent of the commit that added the newest migration, or the last commit if none has it yet,
// and the root of the repository.
func commitBefore() (commit, root string, err error) {
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		return "", "", errors.Join(err, errors.New("no migrations"))
	}
	if root, err = git(".", "rev-parse", "--show-toplevel"); err != nil {
		return "", "", err
	}
	added, err := git(".", "log", "-1", "--diff-filter=A", "--format=%H", "--", files[len(files)-1])
	if err != nil {
		return "", "", err
	}
	of := "HEAD"
	if added != "" {
		of = added + "^"
	}
	commit, err = git(".", "rev-parse", "--verify", of+"^{commit}")
	return commit, root, err
}

// git runs git in a folder, whatever repository the environment names: a hook of git has that of its own.
func git(dir string, arguments ...string) (string, error) {
	var failure bytes.Buffer
	c := exec.Command("git", arguments...)
	c.Dir, c.Stderr = dir, &failure
	c.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE"
	})
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", arguments[0], err, &failure)
	}
	return strings.TrimSpace(string(out)), err
}

// extract writes the source of a commit to a folder, unless it is there.
func extract(root, commit, tree string) error {
	if _, err := os.Stat(tree); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(tree), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(tree), "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	archive, err := git(root, "archive", "--format=tar", commit)
	if err != nil {
		return err
	}
	for files := tar.NewReader(strings.NewReader(archive)); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || strings.HasSuffix(h.Name, "_test.go") || strings.Contains(h.Name, "testdata/") {
			continue
		}
		name := filepath.Join(part, filepath.FromSlash(h.Name))
		content, err := io.ReadAll(files)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(name), 0o755)
		}
		if err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := os.Rename(part, tree); err != nil {
		if _, there := os.Stat(tree); there != nil { // else another test was faster
			return err
		}
	}
	return nil
}

// write replaces a file unless it has that content: what is as it was need not be compiled.
func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if was, err := os.ReadFile(name); err == nil && bytes.Equal(was, content) {
		return
	}
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	part := filepath.Join(filepath.Dir(name), rand.Text()) // a build of the other engine may read the file just now
	if err == nil {
		err = os.WriteFile(part, content, 0o644)
	}
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		t.Fatal(err)
	}
}
