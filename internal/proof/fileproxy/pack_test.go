package fileproxy

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write makes the files of a tree.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The go command accepts what was packed, and finds in it the files of the module alone.
func TestPack(t *testing.T) {
	root := write(t, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.26.0\n", "shop.go": "package shop\n", "LICENSE": "free\n", ".github/x.yml": "x\n",
		"disk/go.mod": "module example.com/shop/disk\n\ngo 1.26.0\n", "disk/disk.go": "package disk\n", "disk/testdata/a.txt": "a\n",
	})
	proxy, home := t.TempDir(), t.TempDir()
	env, err := Environment(proxy, home)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string][]string{
		".":    {"LICENSE", "go.mod", "shop.go"},
		"disk": {"LICENSE", "disk.go", "go.mod", "testdata/a.txt"},
	} {
		module, err := Pack(proxy, root, dir, "v1.2.3")
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("go", "mod", "download", module+"@v1.2.3")
		c.Dir, c.Env = home, env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		at := filepath.Join(home, "go", "pkg", "mod", filepath.FromSlash(module)+"@v1.2.3")
		if got := list(t, at); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", module, got, want)
		}
	}
	if _, err := Pack(proxy, root, "nowhere", "v1.2.3"); err == nil {
		t.Error("a directory without go.mod: no error")
	}
}

func list(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
