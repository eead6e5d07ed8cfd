package main

import (
	"archive/zip"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/commerceplatform/commerce-go"

var whole = flag.Bool("whole", false, "also compile and run the command by its version, which takes half a minute")

// A partner without a checkout runs the command by its module and a version, from an empty directory. Without -whole, the
// go command loads all of it and says what it would compile.
func TestRunByVersion(t *testing.T) {
	const version = "v0.1.0"
	proxy := t.TempDir()
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		version + ".mod": string(gomod), version + ".info": `{"Version":"` + version + `"}`, "list": version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pack(t, filepath.Join(at, version+".zip"), module+"@"+version+"/")

	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.TrimSpace(string(cache))
	target, says := module+"/internal/cmd/refserver@"+version, "/compile"
	args := []string{"install", "-n", target}
	if *whole {
		args, says = []string{"run", target, "help", "cart"}, "usage: refserver cart"
	}
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "GOFLAGS=-modcacherw", "GOWORK=off",
		"GOMODCACHE="+t.TempDir(), "GOPROXY=file://"+proxy+",file://"+modules+"/cache/download", "GOSUMDB=off")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), says) {
		t.Errorf("%v\n%s", err, out)
	}
}

// pack writes the files of the module, without those of the modules in it.
func pack(t *testing.T, file, prefix string) {
	t.Helper()
	to, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	z := zip.NewWriter(to)
	root := filepath.FromSlash("../../..")
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if name := d.Name(); nested == nil || name == "node_modules" || strings.HasPrefix(name, ".") || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") && d.Name() != "go.mod" && d.Name() != "go.sum" && !strings.Contains(path, "internal/") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		w, err := z.Create(prefix + filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		from, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, from)
		_ = from.Close() // it was read only
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
