package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed mutants.txt
var list string

// defect is a change for the worse.
type defect struct {
	name    string
	file    string // from the root of the tree, with slashes
	changes []change
	test    string
	dir     string // of the test's package
}

// change replaces lines.
type change struct{ old, new string }

// parse reads a list of defects.
func parse(text string) ([]*defect, error) {
	var all []*defect
	var d *defect
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		rest := line[min(len(line), 1):]
		word, value, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "# "):
			d = &defect{name: rest[1:]}
			all = append(all, d)
		case line == "":
		case d == nil:
			return nil, fmt.Errorf("line %d: %q before the first name", i+1, line)
		case line[0] == '-':
			d.remove(rest)
		case line[0] == '+' && len(d.changes) > 0:
			d.changes[len(d.changes)-1].new += rest + "\n"
		case word == "file":
			d.file, d.dir = value, path.Dir(value)
		case word == "test":
			test, dir, elsewhere := strings.Cut(value, " ")
			if d.test = test; elsewhere {
				d.dir = path.Clean(dir)
			}
		default:
			return nil, fmt.Errorf("line %d: %q is no part of a defect", i+1, line)
		}
	}
	for _, d := range all {
		if d.file == "" || d.test == "" || len(d.changes) == 0 {
			return nil, fmt.Errorf("%s: want a file, a change and a test", d.name)
		}
	}
	return all, nil
}

// remove adds a line to what the change takes away. A line behind new ones begins another change.
func (d *defect) remove(line string) {
	if n := len(d.changes); n == 0 || d.changes[n-1].new != "" {
		d.changes = append(d.changes, change{})
	}
	d.changes[len(d.changes)-1].old += line + "\n"
}

// apply returns the file below root with the defect in it.
func (d *defect) apply(root string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(d.file)))
	if err != nil {
		return nil, err
	}
	for _, c := range d.changes {
		old := []byte(c.old)
		if n := bytes.Count(source, old); n != 1 {
			return nil, fmt.Errorf("%s: the lines are %d times in %s, want once:\n%s", d.name, n, d.file, c.old)
		}
		source = bytes.Replace(source, old, []byte(c.new), 1)
	}
	return source, nil
}

// module returns the directory of the module that a directory below root is in.
func module(root, dir string) (string, error) {
	for at := filepath.FromSlash(dir); ; at = filepath.Dir(at) {
		_, err := os.Stat(filepath.Join(root, at, "go.mod"))
		if err == nil || at == "." || !errors.Is(err, os.ErrNotExist) {
			return at, err
		}
	}
}
