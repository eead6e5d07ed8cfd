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
		for _, args := range r.list {
			if out, err := command(ctx, dir, "go", args...); err != nil {
				r.report(m.name("go.sum"), excerpt(err.Error()+" "+out), "go.mod and go.sum must have all that the packages import, and no more", "run go mod tidy in "+m.dir)
				break
			}
		}
	}
	return nil
}

// listing fails if go.mod or go.sum lacks something. Unlike tidying, it requires no more modules than the tests do.
func listing() []string {
	return []string{"list", "-mod=readonly", "-deps", "-test", "-f", "{{.ImportPath}}", "./..."}
}

// tidying also fails if go.mod or go.sum has too much. It may download modules that nothing else requires.
func tidying() []string { return []string{"mod", "tidy", "-diff"} }

// excerpt returns the beginning of a text, in a line.
func excerpt(text string) string {
	return fmt.Sprintf("%.300q", strings.TrimSpace(text))
}
