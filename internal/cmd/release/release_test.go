package main

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func day(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(dateLayout, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A release is prepared, checked and tagged. Nothing changes before it is asked for.
func TestRelease(t *testing.T) {
	r := shop(t)
	out, err := r.release("v0.1.0")
	if !errors.Is(err, errFindings) || strings.Count(out, "\n") != 4 {
		t.Fatalf("before -prepare: %v, want four findings: changelog and requires\n%s", err, out)
	}
	r.prepared("v0.1.0")
	if out, err := r.release("-prepare", "v0.1.0"); err != nil || out != "" {
		t.Errorf("a second -prepare: %v, want no change\n%s", err, out)
	}
	out, err = r.release("v0.1.0")
	if err != nil || !strings.Contains(out, "\tgit tag --annotate --message disk/v0.1.0 disk/v0.1.0\n") ||
		!strings.Contains(out, "\tgit push --atomic origin main v0.1.0 disk/v0.1.0\n") {
		t.Errorf("after -prepare: %v, want the commands\n%s", err, out)
	}
	if tags := r.git("tag"); tags != "" {
		t.Errorf("without -tag there are tags: %s", tags)
	}
	if got := r.check("v0.1.0", true); strings.Count(got, "missing") != 2 {
		t.Errorf("-tagged before the tags:\n%s", got)
	}
	if out, err := r.release("-tag", "v0.1.0"); err != nil {
		t.Fatalf("-tag: %v\n%s", err, out)
	}
	if got := r.git("for-each-ref", "--format=%(refname:short) %(objecttype)", "refs/tags"); got != "disk/v0.1.0 tag\nv0.1.0 tag\n" {
		t.Errorf("tags are\n%s", got)
	}
	if got := r.check("v0.1.0", true); got != "" {
		t.Errorf("-tagged:\n%s", got)
	}
	if _, err := r.release("-prepare", "v0.1.0"); err == nil {
		t.Error("-prepare of a version that is released: no error")
	}
	for _, args := range [][]string{{}, {"v1.0.0", "v2.0.0"}, {"-tag", "-prepare", "v1.0.0"}, {"-prepare", "1.0"}, {"-push", "v1.0.0"}} {
		if out, err := r.release(args...); err == nil {
			t.Errorf("%q: no error\n%s", args, out)
		}
	}
}

// Each mistake is reported, and those who read it see file, value, rule and remedy.
func TestFindings(t *testing.T) {
	r := shop(t)
	r.prepared("v0.1.0")
	commit := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	for name, tt := range map[string]struct {
		version string // v0.1.0 if empty
		spoil   func()
		want    string // what the findings have in common
	}{
		"nothing":            {want: ""},
		"a version in words": {version: "next", want: `VERSION: "next": must be vX.Y.Z; such as v0.1.0`},
		"a suffix":           {version: "v0.1.0-rc.1", want: `VERSION: "v0.1.0-rc.1": must be`},
		"a leading zero":     {version: "v0.01.0", want: `VERSION: "v0.01.0": must be`},
		"major 2":            {version: "v2.0.0", want: "VERSION: v2.0.0: the path of a module of major version 2"},
		"a higher tag":       {spoil: func() { r.git("tag", "v0.10.0") }, want: "git: tag v0.10.0: v0.1.0 must be above"},
		"the tag exists":     {spoil: func() { r.git("tag", "disk/v0.1.0") }, want: "git: tag disk/v0.1.0: must not exist"},
		"a change":           {spoil: func() { r.write("shop.go", "package shop\n\n// Open does.\nfunc Open() bool { return false }\n") }, want: "git: M shop.go: the tree must be clean"},
		"another branch":     {spoil: func() { r.git("switch", "-q", "-c", "fix") }, want: "git: branch fix: a release must be on branch main"},
		"an entry that came later": {
			spoil: func() { r.change("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n") }, want: "CHANGELOG.md: [Unreleased]: must have no entries",
		},
		"no section": {spoil: func() { r.change("CHANGELOG.md", "## [0.1.0]", "## [0.0.9]") }, want: "CHANGELOG.md: [0.1.0]: missing"},
		"no entries": {spoil: func() { r.change("CHANGELOG.md", "- Everything.\n", "") }, want: "CHANGELOG.md: [0.1.0]: must have entries"},
		"another section first": {
			spoil: func() { r.change("CHANGELOG.md", "## [0.1.0]", "## [0.2.0] - 2026-01-02\n\n## [0.1.0]") }, want: "CHANGELOG.md: [0.1.0]: must be the first section",
		},
		"no such day":    {spoil: func() { r.write("CHANGELOG.md", "## [0.1.0] - 2026-02-30\n\n- All.\n") }, want: "CHANGELOG.md: [0.1.0] - 2026-02-30: must have its date"},
		"a future day":   {spoil: func() { r.write("CHANGELOG.md", "## [0.1.0] - 9999-01-01\n\n- All.\n") }, want: "CHANGELOG.md: [0.1.0] - 9999-01-01: must have its date"},
		"an old sibling": {spoil: func() { r.change("disk/go.mod", "shop v0.1.0", "shop v0.0.9") }, want: "disk/go.mod: require example.com/shop v0.0.9: modules of this repository must be required at v0.1.0"},
		"an old sibling of an example": {
			spoil: func() { r.change("examples/app/go.mod", "disk v0.1.0", "disk v0.0.0") }, want: "examples/app/go.mod: require example.com/shop/disk v0.0.0: ",
		},
		"a fork": {
			spoil: func() { r.change("disk/go.mod", "=> ..", "=> ..\n\nreplace github.com/google/uuid => ../fork") },
			want:  "disk/go.mod: replace github.com/google/uuid => ../fork: a published module may replace modules of this repository alone",
		},
		"a replace of the root": {
			spoil: func() { r.change("go.mod", "go 1.26.0", "go 1.26.0\n\nreplace github.com/google/uuid => ./fork") },
			want:  "go.mod: replace github.com/google/uuid => ./fork: the root module must have no replace",
		},
		"another directory": {spoil: func() { r.change("disk/go.mod", "=> ..", "=> ../examples") }, want: "disk/go.mod: replace example.com/shop => ../examples: a module of this repository must be replaced with its directory"},
		"only replaced":     {spoil: func() { r.change("disk/go.mod", "\texample.com/shop v0.1.0\n", "") }, want: "disk/go.mod: replace example.com/shop => ..: what is replaced must also be required"},
		"an exclude": {
			spoil: func() { r.change("disk/go.mod", "go 1.26.0", "go 1.26.0\n\nexclude github.com/google/uuid v1.5.0") },
			want:  "disk/go.mod: exclude github.com/google/uuid v1.5.0: a published module must have no exclude",
		},
		"a requirement that is not published": {
			spoil: func() { r.change("disk/go.mod", "require (", "require (\n\texample.com/shop/examples/app v0.1.0") }, want: "disk/go.mod: require example.com/shop/examples/app: a published module must not require",
		},
		"a retraction of itself": {
			spoil: func() { r.change("go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.1.0 // It loses entries.") }, want: "go.mod: retract [v0.1.0, v0.1.0]: must not retract v0.1.0",
		},
		"a retraction without a reason": {
			spoil: func() { r.git("tag", "v0.0.1"); r.change("go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.0.1") }, want: "go.mod: retract [v0.0.1, v0.0.1]: a retraction must have its reason",
		},
		"a retraction of what is not released": {
			spoil: func() { r.change("disk/go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.0.1 // It is slow.") }, want: "disk/go.mod: retract [v0.0.1, v0.0.1]: must retract versions that were released, and there is no tag disk/v0.0.1",
		},
		"a sum that lacks": {
			spoil: func() {
				r.change("disk/go.sum", "github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=\n", "")
			}, want: "disk/go.sum: \"go list",
		},
		"another sum": {
			spoil: func() { r.write("go.sum", "github.com/google/uuid v1.6.0 h1:AAAA\n") }, want: "go.sum: github.com/google/uuid v1.6.0 h1:AAAA: must have the same hash as in disk/go.sum",
		},
		"a broken sum": {spoil: func() { r.write("go.sum", "github.com/google/uuid\n") }, want: `go.sum: "github.com/google/uuid\n": a line must be module, version and hash`},
	} {
		r.listed = name == "a sum that lacks"
		if tt.spoil != nil {
			tt.spoil()
		}
		if tt.version == "" {
			tt.version = "v0.1.0"
		}
		got := r.check(tt.version, false)
		if name == "nothing" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant %q", name, got, tt.want)
		}
		r.git("checkout", "-q", "-f", "-B", "main", commit)
		r.git("clean", "-q", "-f", "-d")
		for _, tag := range strings.Fields(r.git("tag")) {
			r.git("tag", "-d", tag)
		}
	}
}

// Tags that point to another commit, or to one that is in no main branch, are reported where the workflow runs.
func TestTagged(t *testing.T) {
	r := shop(t)
	r.prepared("v0.1.0")
	if _, err := r.release("-tag", "v0.1.0"); err != nil {
		t.Fatal(err)
	}
	r.git("checkout", "-q", "--detach", "v0.1.0")
	if got := r.check("v0.1.0", true); got != "" {
		t.Errorf("at the tag:\n%s", got)
	}
	r.write("shop.go", "package shop\n\n// Open returns true.\nfunc Open() bool { return true }\n")
	r.save()
	got := r.check("v0.1.0", true)
	for _, want := range []string{"git: HEAD: the commit of the tags must be in branch main", "git: tag v0.1.0 at ", "git: tag disk/v0.1.0 at "} {
		if !strings.Contains(got, want) {
			t.Errorf("at another commit: want %q in\n%s", want, got)
		}
	}
}

// Tags are created all or none.
func TestTagsAreCreatedTogether(t *testing.T) {
	r := shop(t)
	r.prepared("v0.1.0")
	if err := os.MkdirAll(r.dir+"/.git/refs/tags/disk/v0.1.0/x", 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("update-ref", "refs/tags/disk/v0.1.0/x", "HEAD") // takes the place of the second tag
	if _, err := r.release("-tag", "v0.1.0"); err == nil {
		t.Error("no error")
	}
	if tags := r.git("tag", "--list", "v0.1.0"); tags != "" {
		t.Errorf("the first tag is left: %s", tags)
	}
}

// Changes of a version that was prepared earlier are merged with those that came later, group by group.
func TestChangelogIsDated(t *testing.T) {
	r := shop(t)
	r.write("CHANGELOG.md", `# Changelog

## [Unreleased]

### Added

- `+"`C`"+`.

### Fixed

- D.

## [0.1.0] - 2026-01-02

The first release.

### Added

- A,
  in two lines.

### Server behaviour

- B.

## [0.0.1] - 2026-01-01

- Z.
`)
	r.write("client/docs/compatibility.md", "| SDK | Go |\n|---|---|\n| Unreleased | 1.26 |\n| 0.0.1 | 1.25 |\n")
	c, err := open(t.Context(), r.dir, "v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	c.today = day(t, "2026-03-04")
	if err := c.prepare(t.Context(), t.Output()); err != nil {
		t.Fatal(err)
	}
	want := `# Changelog

## [Unreleased]

## [0.1.0] - 2026-03-04

The first release.

### Added

- ` + "`C`" + `.
- A,
  in two lines.

### Fixed

- D.

### Server behaviour

- B.

## [0.0.1] - 2026-01-01

- Z.
`
	if got := r.read("CHANGELOG.md"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := r.read("client/docs/compatibility.md"); !strings.Contains(got, "\n| 0.1.0 | 1.26 |\n| 0.0.1 |") {
		t.Errorf("the table is\n%s", got)
	}
	c.version = "v0.2.0"
	if err := c.prepare(t.Context(), t.Output()); err == nil || !strings.Contains(err.Error(), "must list a change") {
		t.Errorf("a release without changes: %v", err)
	}
}
