package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// planter runs tests of the tree at root, with and without defects.
type planter struct {
	root    string
	out     io.Writer
	healthy map[string]error // by test: what it says without a defect
}

var (
	errSurvived = errors.New("not caught")
	errFailed   = errors.New("the test fails")
)

// all plants the defects one by one and returns how many were caught.
func (p *planter) all(ctx context.Context, defects []*defect) (caught int, err error) {
	for _, d := range defects {
		start := time.Now()
		err := p.plant(ctx, d)
		if ctx.Err() != nil { // what a test says that was killed counts for nothing
			return caught, fmt.Errorf("%s: %w", d.name, ctx.Err())
		}
		verdict := "caught by " + d.test
		if err != nil {
			verdict = "NOT CAUGHT: " + err.Error()
		} else {
			caught++
		}
		fmt.Fprintf(p.out, "%-60s %6.1fs  %s\n", d.name, time.Since(start).Seconds(), verdict)
	}
	return caught, nil
}

// plant returns nil if the defect was caught.
func (p *planter) plant(ctx context.Context, d *defect) error {
	bad, err := d.apply(p.root)
	if err != nil {
		return err
	}
	dir, err := module(p.root, d.dir)
	if err != nil {
		return err
	}
	if err := p.sound(ctx, d, dir); err != nil {
		return err
	}
	overlay, clean, err := p.overlay(d.file, bad)
	if err != nil {
		return err
	}
	defer clean()
	switch err := p.test(ctx, d, dir, overlay); {
	case errors.Is(err, errFailed):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: %s passes with it", errSurvived, d.test)
}

// sound returns an error unless the test passes without the defect.
func (p *planter) sound(ctx context.Context, d *defect, dir string) error {
	key := d.dir + " " + d.test
	if err, known := p.healthy[key]; known {
		return err
	}
	err := p.test(ctx, d, dir, "")
	if err != nil {
		err = fmt.Errorf("%s without the defect: %w", d.test, err)
	}
	p.healthy[key] = err
	return err
}

// overlay writes what makes a build take other contents for a file.
func (p *planter) overlay(file string, contents []byte) (path string, clean func(), err error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	mutant := filepath.Join(dir, filepath.Base(file))
	path = filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(p.root, filepath.FromSlash(file)): mutant}})
	if err == nil {
		err = errors.Join(os.WriteFile(mutant, contents, 0o600), os.WriteFile(path, replace, 0o600))
	}
	if err != nil {
		clean()
		return "", nil, err
	}
	return path, clean, nil
}

// test runs the test. It returns errFailed if that ran and failed. The overlay, if there is one, is told to the test too:
// one that reads sources is to read what the build took.
func (p *planter) test(ctx context.Context, d *defect, dir, overlay string) error {
	pkg, err := filepath.Rel(dir, filepath.FromSlash(d.dir))
	if err != nil {
		return err
	}
	args := []string{"test", "-vet=off", "-count=1", "-timeout=2m", "-v", "-run", "^" + d.test + "$", "-overlay", overlay, "./" + filepath.ToSlash(pkg)}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(p.root, dir)
	cmd.Env = append(os.Environ(), "GOWORK=off", "MUTANTS_OVERLAY="+overlay)
	out, err := cmd.CombinedOutput()
	ran := bytes.Contains(out, []byte("=== RUN   "+d.test+"\n"))
	switch {
	case ran && err == nil:
		return nil
	case ran:
		return errFailed
	case err == nil:
		return fmt.Errorf("there is no test %s in %s", d.test, d.dir)
	}
	return fmt.Errorf("go test: %w: %s", err, strings.TrimSpace(string(out)))
}
