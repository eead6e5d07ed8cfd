package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is a version of a repository.
type release struct {
	dir     string // of the repository
	version string // as users type it: v0.1.0
	modules []module
	tags    []string   // of the repository
	tagged  bool       // the tags of the version must exist
	list    [][]string // go commands that fail in a module whose go.mod or go.sum lacks something
	today   time.Time

	findings []finding
}

// finding is a reason not to release.
type finding struct {
	file   string // or "git"
	value  string // what is there
	rule   string
	remedy string
}

func (f finding) String() string {
	return fmt.Sprintf("%s: %s: %s; %s", f.file, f.value, f.rule, f.remedy)
}

// report notes a finding.
func (r *release) report(file, value, rule, remedy string) {
	r.findings = append(r.findings, finding{file, value, rule, remedy})
}

// open reads the modules and tags of the repository.
func open(ctx context.Context, dir, version string) (*release, error) {
	r := &release{dir: dir, version: version, list: [][]string{listing()}}
	files, err := r.git(ctx, "ls-files", "go.mod", "*/go.mod")
	if err != nil {
		return nil, err
	}
	for file := range strings.FieldsSeq(files) {
		m, err := readModule(ctx, dir, file)
		if err != nil {
			return nil, err
		}
		r.modules = append(r.modules, m)
	}
	slices.SortFunc(r.modules, func(a, b module) int { return strings.Compare(a.dir, b.dir) }) // the root is first
	if !slices.ContainsFunc(r.modules, func(m module) bool { return m.dir == "." }) {
		return nil, fmt.Errorf("go.mod: missing in %q: the command must run in the root of the repository", dir)
	}
	tags, err := r.git(ctx, "tag", "--list")
	r.tags = strings.Fields(tags)
	return r, err
}

// check prints the findings, and returns errFindings if there are any.
func (r *release) check(ctx context.Context, out io.Writer) error {
	r.checkVersion()
	for _, check := range []func(context.Context) error{r.checkTree, r.checkTags, r.checkChangelog, r.checkModules, r.checkSums} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	for _, f := range r.findings {
		fmt.Fprintln(out, f)
	}
	if n := len(r.findings); n > 0 {
		return fmt.Errorf("%s: %d findings: %w", r.version, n, errFindings)
	}
	return nil
}

// published returns the modules that users import.
func (r *release) published() []module {
	return slices.DeleteFunc(slices.Clone(r.modules), func(m module) bool { return !m.published() })
}

// git runs git in the repository and returns what it prints.
func (r *release) git(ctx context.Context, args ...string) (string, error) {
	return command(ctx, r.dir, "git", args...)
}

// read returns a file of the repository.
func (r *release) read(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	return string(data), err
}

// write changes a file of the repository.
func (r *release) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.dir, filepath.FromSlash(name)), []byte(text), 0o644)
}

// command returns the standard output of a command. Its error has what the command printed as the reason.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	// Hooks of git set variables that name another repository.
	c.Env = slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "GIT_DIR=") || strings.HasPrefix(s, "GIT_INDEX_FILE=") || strings.HasPrefix(s, "GIT_WORK_TREE=")
	})
	c.Env = append(c.Env, "GOWORK=off")
	var out, reason bytes.Buffer
	c.Stdout, c.Stderr = &out, &reason
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(reason.Bytes()))
	}
	return out.String(), nil
}
