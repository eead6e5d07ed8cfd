package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// compatibilityFile has a table whose first row is the next release.
const compatibilityFile = "client/docs/compatibility.md"

// prepare writes the version into the files of the repository. It can be run again.
func (r *release) prepare(ctx context.Context, out io.Writer) error {
	if parse(r.version) == nil {
		return fmt.Errorf("VERSION: %q: must be vX.Y.Z, such as v0.1.0", r.version)
	}
	if slices.Contains(r.tags, r.version) {
		return fmt.Errorf("git: tag %s: exists, so the version is released; choose the next version", r.version)
	}
	name := strings.TrimPrefix(r.version, "v")
	text, err := r.read(changelogFile)
	if err != nil {
		return err
	}
	c, err := parseChangelog(text).dated(name, r.today)
	if err != nil {
		return err
	}
	if err := r.rewrite(out, changelogFile, text, c.String()); err != nil {
		return err
	}
	for _, m := range r.modules {
		if err := r.require(ctx, out, m); err != nil {
			return err
		}
	}
	text, err = r.read(compatibilityFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.rewrite(out, compatibilityFile, text, strings.Replace(text, "\n| "+unreleased+" |", "\n| "+name+" |", 1))
}

// rewrite changes a file, unless it is as it should be.
func (r *release) rewrite(out io.Writer, file, was, is string) error {
	if was == is {
		return nil
	}
	fmt.Fprintln(out, "wrote", file)
	return r.write(file, is)
}

// require has a module require its siblings at the version.
func (r *release) require(ctx context.Context, out io.Writer, m module) error {
	args := []string{"mod", "edit"}
	for _, req := range m.file.Require {
		if _, ok := r.sibling(req.Path); ok && req.Version != r.version {
			args = append(args, "-require="+req.Path+"@"+r.version)
		}
	}
	if len(args) == 2 {
		return nil
	}
	fmt.Fprintln(out, "wrote", m.name("go.mod"))
	_, err := command(ctx, filepath.Join(r.dir, filepath.FromSlash(m.dir)), "go", args...)
	return err
}
