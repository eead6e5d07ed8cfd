package contract

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reserved are the names that Windows keeps for devices, whatever follows the first dot.
func reserved() []string {
	names := []string{"con", "prn", "aux", "nul"}
	for _, n := range "123456789" {
		names = append(names, "com"+string(n), "lpt"+string(n))
	}
	return names
}

// The go command makes an archive of each module for those who import it, and makes none if a single file, test data
// included, has a name that some system cannot have.
func TestModulesCanBeImported(t *testing.T) {
	devices, seen, files := reserved(), map[string]string{}, 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (d.Name() == ".git" || d.Name() == ".bin"):
			return fs.SkipDir
		case p == root:
			return nil
		}
		files++
		name := strings.ToLower(d.Name())
		device, _, _ := strings.Cut(name, ".")
		switch folded := strings.ToLower(p); {
		case slices.Contains(devices, device):
			t.Errorf("%s: %q is a device on Windows", p, device)
		case strings.ContainsAny(name, "\"'*<>?`|/\\:;") || strings.HasSuffix(name, "."):
			t.Errorf("%s has a name that the archive of a module may not have", p)
		case seen[folded] != "":
			t.Errorf("%s and %s differ by case alone", p, seen[folded])
		default:
			seen[folded] = p
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("found %d files, want the whole repository", files)
	}
}

// The console and the page of inboxops have one style, in a file of each, because the reference server shares no code
// with packages that apps import.
func TestOneStyle(t *testing.T) {
	files := []string{"internal/refserver/console/assets/style.css", "webhook/inboxops/assets/style.css"}
	var styles [][]byte
	for _, file := range files {
		style, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		styles = append(styles, style)
	}
	if !bytes.Equal(styles[0], styles[1]) {
		t.Errorf("%s and %s differ: copy the one that you changed over the other", files[0], files[1])
	}
}
