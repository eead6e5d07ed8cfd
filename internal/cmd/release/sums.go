package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// checkSums reports go.sum files that contradict each other, and modules whose go.mod or go.sum lacks something.
func (r *release) checkSums(ctx context.Context) error {
	type sum struct{ file, hash string }
	known := map[string]sum{}
	for _, m := range r.modules {
		file := m.name("go.sum")
		text, err := r.read(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a module that requires nothing has none
			return err
		}
		for line := range strings.Lines(text) {
			part := strings.Fields(line)
			if len(part) != 3 || !strings.HasPrefix(part[2], "h1:") {
				r.report(file, fmt.Sprintf("%.80q", line), "a line must be module, version and hash", "remove it and run go mod tidy")
				continue
			}
			of := part[0] + " " + part[1]
			if other, ok := known[of]; ok && other.hash != part[2] {
				r.report(file, of+" "+part[2], "must have the same hash as in "+other.file, "remove both and run go mod tidy in both modules")
			}
			known[of] = sum{file, part[2]}
		}
	}
	for _, m := range r.published() {
		dir := filepath.Join(r.dir, filepath.FromSlash(m.dir))
		// Unlike go mod tidy, this requires no more than what the tests require.
		if _, err := command(ctx, dir, "go", "list", "-mod=readonly", "-deps", "-test", "-f", "{{.ImportPath}}", "./..."); err != nil {
			r.report(m.name("go.sum"), excerpt(err.Error()), "go.mod and go.sum must have all that the packages import", "run go mod tidy in "+m.dir)
			continue
		}
		if !r.tidy {
			continue
		}
		if diff, err := command(ctx, dir, "go", "mod", "tidy", "-diff"); err != nil {
			r.report(m.name("go.mod"), excerpt(diff+err.Error()), "go.mod and go.sum must be tidy", "run go mod tidy in "+m.dir)
		}
	}
	return nil
}

// excerpt returns the beginning of a text, in a line.
func excerpt(text string) string {
	return fmt.Sprintf("%.300q", strings.TrimSpace(text))
}
