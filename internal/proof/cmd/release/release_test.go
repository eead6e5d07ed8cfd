package main

import (
	"errors"
	"fmt"
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

// mistake is one that the check reports.
type mistake struct {
	spoil func(r *repository)
	want  string
}

func in(file, was, is string) func(*repository) {
	return func(r *repository) { r.change(file, was, is) }
}

func git(args ...string) func(*repository) {
	return func(r *repository) { r.git(args...) }
}

// All mistakes are reported at once, and each finding has file, value, rule and remedy.
func TestFindings(t *testing.T) {
	const replace = "=> ..\n\nreplace github.com/google/uuid => ../fork"
	for name, mistakes := range map[string][]mistake{
		"none": nil,
		"in git": {
			{git("tag", "v0.10.0"), "git: tag v0.10.0: v0.1.0 must be above every version with a tag; choose a version above it"},
			{git("tag", "v0.1.0"), "git: tag v0.1.0: must not exist"},
			{git("tag", "disk/v0.1.0"), "git: tag disk/v0.1.0: must not exist"},
			{git("switch", "-q", "-c", "fix"), "git: branch fix: a release must be on branch main; git switch main"},
			{func(r *repository) { r.write("new.go", "package shop\n") }, "git: ?? new.go: the tree must be clean; commit or remove the file"},
		},
		"before the preparation": {
			{in("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n"), "CHANGELOG.md: [Unreleased]: must have no entries"},
			{in("CHANGELOG.md", "## [0.1.0]", "## [0.0.9]"), "CHANGELOG.md: [0.1.0]: missing: a release must have a section; run release -prepare v0.1.0"},
			{in("disk/go.mod", "shop v0.1.0", "shop v0.0.9"), "disk/go.mod: require example.com/shop v0.0.9: modules of this repository must be required at v0.1.0; run release -prepare v0.1.0"},
			{in("examples/app/go.mod", "disk v0.1.0", "disk v0.0.0"), "examples/app/go.mod: require example.com/shop/disk v0.0.0: "},
		},
		"in the changelog": {
			{in("CHANGELOG.md", "- Everything.\n", ""), "CHANGELOG.md: [0.1.0]: must have entries"},
			{in("CHANGELOG.md", "## [0.1.0]", "## [0.2.0] - 2026-01-02\n\n## [0.1.0]"), "CHANGELOG.md: [0.1.0]: must be the first section after [Unreleased]; move it"},
			{func(r *repository) {
				r.change("CHANGELOG.md", "[0.1.0] - "+time.Now().UTC().Format(dateLayout), "[0.1.0] - 2026-02-30")
			}, "CHANGELOG.md: [0.1.0] - 2026-02-30: must have its date"},
		},
		"in the future": {
			{func(r *repository) { r.write("CHANGELOG.md", "## [0.1.0] - 9999-01-01\n\n- All.\n") }, "CHANGELOG.md: [0.1.0] - 9999-01-01: must have its date"},
		},
		"in go.mod": {
			{in("disk/go.mod", "=> ..", replace), "disk/go.mod: replace github.com/google/uuid => ../fork: a published module may replace modules of this repository alone"},
			{in("disk/go.mod", "shop => ..", "shop => ../examples"), "disk/go.mod: replace example.com/shop => ../examples: a module of this repository must be replaced with its directory"},
			{in("disk/go.mod", "go 1.26.0", "go 1.26.0\n\nexclude github.com/google/uuid v1.5.0"), "disk/go.mod: exclude github.com/google/uuid v1.5.0: a published module must have no exclude"},
			{in("disk/go.mod", "require (", "require (\n\texample.com/shop/examples/app v0.1.0"), "disk/go.mod: require example.com/shop/examples/app: a published module must not require one that is not"},
			{in("go.mod", "go 1.26.0", "go 1.26.0\n\nreplace github.com/google/uuid => ./fork"), "go.mod: replace github.com/google/uuid => ./fork: the root module must have no replace"},
			{in("go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.1.0 // It loses entries."), "go.mod: retract [v0.1.0, v0.1.0]: must not retract v0.1.0, which is released"},
			{git("tag", "v0.0.1"), ""},
			{in("go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.0.1"), "go.mod: retract [v0.0.1, v0.0.1]: a retraction must have its reason in a comment"},
			{in("disk/go.mod", "go 1.26.0", "go 1.26.0\n\nretract v0.0.1 // It is slow."), "disk/go.mod: retract [v0.0.1, v0.0.1]: must retract versions that were released, and there is no tag disk/v0.0.1"},
		},
		"in what is replaced": {
			{in("disk/go.mod", "\texample.com/shop v0.1.0\n", ""), "disk/go.mod: replace example.com/shop => ..: what is replaced must also be required at v0.1.0"},
		},
		"in hashes": {
			{func(r *repository) {
				r.write("go.sum", "github.com/google/uuid v1.6.0 h1:AAAA\ngithub.com/google/uuid\n")
			}, "disk/go.sum: github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=: must have the same hash as in go.sum"},
			{func(*repository) {}, `: "github.com/google/uuid\n": a line must be module, version and hash`},
		},
		"in a hash that lacks": {
			{in("disk/go.sum", "github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=\n", ""), `disk/go.sum: "go list`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := shop(t)
			if _, err := r.release("-prepare", "v0.1.0"); err != nil {
				t.Fatal(err)
			}
			r.save()
			for _, m := range mistakes {
				m.spoil(r)
			}
			r.listed = name == "in a hash that lacks" || name == "none"
			got := r.check("v0.1.0", false)
			if len(mistakes) == 0 && got != "" {
				t.Errorf("got\n%s\nwant no finding", got)
			}
			for _, m := range mistakes {
				if !strings.Contains(got, m.want) {
					t.Errorf("got\n%s\nwant %q", got, m.want)
				}
			}
		})
	}
}

// A version has three numbers, is above all others, and has no path of its own.
func TestVersion(t *testing.T) {
	for version, want := range map[string]string{
		"v0.1.0": "", "v0.10.0": "", "v1.0.0": "",
		"next": `VERSION: "next": must be vX.Y.Z; such as v0.1.0`, "0.1.0": "must be vX.Y.Z", "v0.1": "must be vX.Y.Z", "v0.01.0": "must be vX.Y.Z",
		"v0.1.0-rc.1": "must be vX.Y.Z", "v0.1.99999999999999999999": "must be vX.Y.Z", "": "must be vX.Y.Z",
		"v2.0.0": "VERSION: v2.0.0: the path of a module of major version 2", "v0.0.8": "git: tag v0.0.9: v0.0.8 must be above",
	} {
		r := &release{version: version, tags: []string{"v0.0.9", "disk/v3.0.0", "nightly", "v0.1.0"}}
		if version == "v0.1.0" {
			r.tags = []string{"v0.0.9", "v0.1.0"}
		}
		r.checkVersion()
		if got := fmt.Sprint(r.findings); want == "" && len(r.findings) > 0 || !strings.Contains(got, want) {
			t.Errorf("%q: got %s, want %q", version, got, want)
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
	r.write("CHANGELOG.md", "# Changelog\n\n## [0.1.0] - Unreleased\n\n- A.\n")
	if err := c.prepare(t.Context(), t.Output()); err != nil {
		t.Fatal(err)
	}
	if got := r.read("CHANGELOG.md"); got != "# Changelog\n\n## [0.1.0] - 2026-03-04\n\n- A.\n" {
		t.Errorf("the changelog of a first release is\n%s", got)
	}
	c.version = "v0.2.0"
	if err := c.prepare(t.Context(), t.Output()); err == nil || !strings.Contains(err.Error(), "must list a change") {
		t.Errorf("a release without changes: %v", err)
	}
}
