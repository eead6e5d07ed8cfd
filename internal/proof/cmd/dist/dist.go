package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// target is a platform, by its names in Go.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// program is the name of the program on the platform.
func (t target) program() string {
	if t.os == "windows" {
		return "refserver.exe"
	}
	return "refserver"
}

// dist is one run of the command.
type dist struct {
	repository, dir string
	version         string   // without the v
	flags, env      []string // of go build
	targets         []target
	lists           bool // the names are printed, and nothing is built or written
	log             io.Writer
	sums            strings.Builder
}

//go:embed begin.md
var begin []byte

// build writes everything.
func (d *dist) build(ctx context.Context) error {
	if err := d.open(); err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(d.repository, "LICENSE"))
	if err != nil {
		return err
	}
	pages := []file{{"LICENSE", license, false}, {"README.md", begin, false}}
	for _, t := range d.targets {
		if !d.lists {
			fmt.Fprintln(d.log, t)
		}
		binary, err := d.compile(ctx, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if err := d.archive(t, binary, pages); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if err := d.npmPlatform(t, binary, pages); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := d.npmProgram(pages); err != nil {
		return err
	}
	if d.lists {
		fmt.Fprintf(d.log, "image    refserver:%s for linux/amd64 and linux/arm64, by internal/cmd/refserver/Dockerfile\n", d.version)
	}
	return d.put("SHA256SUMS", []byte(d.sums.String()))
}

// open makes the directory. One with files of an earlier run is refused, because these would be published too.
func (d *dist) open() error {
	if d.lists {
		return nil
	}
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.dir)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: must be empty, and has %s", d.dir, entries[0].Name())
	}
	return err
}

// compile returns the program for a platform. It stays in the directory for the image if that is Linux.
func (d *dist) compile(ctx context.Context, t target) ([]byte, error) {
	if d.lists {
		return nil, nil
	}
	dir, err := filepath.Abs(filepath.Join(d.dir, t.os, t.arch))
	if err != nil {
		return nil, err
	}
	at := filepath.Join(dir, t.program())
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-o", at}, d.flags...), "./internal/cmd/refserver")...)
	cmd.Dir = d.repository
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "GOWORK=off")
	cmd.Env = append(cmd.Env, d.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	binary, err := os.ReadFile(at)
	if t.os != "linux" {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(dir)))
	}
	return binary, err
}

// write writes a file that is published, and notes its sum.
func (d *dist) write(name string, content []byte) error {
	fmt.Fprintf(&d.sums, "%x  %s\n", sha256.Sum256(content), name)
	return d.put(name, content)
}

// put writes a file of the directory, or prints its name.
func (d *dist) put(name string, content []byte) error {
	if !d.lists {
		return os.WriteFile(filepath.Join(d.dir, name), content, 0o644)
	}
	kind := "file"
	switch {
	case strings.HasSuffix(name, ".tgz"):
		kind = "npm"
	case strings.HasPrefix(name, npmName):
		kind = "archive"
	}
	_, err := fmt.Fprintf(d.log, "%-8s %s\n", kind, name)
	return err
}
