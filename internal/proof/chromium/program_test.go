//go:build unix

package chromium

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program puts a program into a directory.
func program(t *testing.T, dir, name, script string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProgram(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(Variable, "")
	_, err := Program(t.Context())
	for _, word := range []string{"no apt-get", "apt-get install " + packaged, Variable} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("without anything: got %v, want %q in it", err, word)
		}
	}
	full := program(t, dir, "chromium", "")
	if got, err := Program(t.Context()); err != nil || got != full {
		t.Errorf("got %q, %v; want chromium", got, err)
	}
	small := program(t, dir, packaged, "")
	if got, err := Program(t.Context()); err != nil || got != small {
		t.Errorf("got %q, %v; want %s", got, err, packaged)
	}
	given := program(t, elsewhere, "browser", "")
	t.Setenv(Variable, given)
	if got, err := Program(t.Context()); err != nil || got != given {
		t.Errorf("got %q, %v; want the one that the variable names", got, err)
	}
	t.Setenv(Variable, "none")
	if got, err := Program(t.Context()); err == nil || !strings.Contains(err.Error(), Variable) {
		t.Errorf("got %q, %v; want an error that names %s", got, err, Variable)
	}
}

// What the registry or the cache has in place of the script is refused, and nothing of it is left.
func TestAxeIsChecked(t *testing.T) {
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	for name, data := range map[string]string{"package/package.json": "{}", axeFile: "alert(1)"} {
		if err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	if script, err := unpack(bytes.NewReader(packed.Bytes())); err != nil || string(script) != "alert(1)" {
		t.Errorf("got %q, %v", script, err)
	}

	home, dir := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", "")
	path := axePath()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("alert(2)"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.tgz")
	if err := os.WriteFile(other, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	program(t, dir, "npm", `while read -r _; do :; done; cat "`+other+`" >axe-core-`+axeVersion+`.tgz`)
	script, err := Axe(t.Context())
	if script != "" || err == nil || !strings.Contains(err.Error(), errOther.Error()) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("got %q, %v; want it refused, and where to put the right one", script, err)
	}
	program(t, dir, "npm", "echo offline; exit 1")
	if script, err := Axe(t.Context()); script != "" || err == nil || !strings.Contains(err.Error(), "offline") {
		t.Errorf("got %q, %v; want the reason of npm", script, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(left) != 1 {
		t.Errorf("left %q, %v", left, err)
	}
}
