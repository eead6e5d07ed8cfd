package contract

import (
	"regexp"
	"strings"
	"testing"
)

// mostChangelog is the size in bytes of the changelog of a first release.
const mostChangelog = 8 << 10

// changelogFaults returns the rules that a changelog breaks.
func changelogFaults(text string) (all []string) {
	sections := regexp.MustCompile(`(?m)^## .*$`).FindAllStringIndex(text, -1)
	if len(sections) == 0 {
		return []string{"there is no section"}
	}
	for i, at := range sections {
		heading, form := text[at[0]:at[1]], `^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$`
		if i == 0 { // the next release
			form = `^## (\[Unreleased\]|\[\d+\.\d+\.\d+\] - (Unreleased|\d{4}-\d\d-\d\d))$`
		}
		if !regexp.MustCompile(form).MatchString(heading) {
			all = append(all, heading+": must be a version and its day; the first section may be unreleased")
		}
	}
	for _, group := range regexp.MustCompile(`(?m)^### .*$`).FindAllString(text[sections[len(sections)-1][0]:], -1) {
		if group != "### Added" {
			all = append(all, group+": the oldest section must have Added only, because there is no release that it changes")
		}
	}
	if len(sections) == 1 && len(text) > mostChangelog {
		all = append(all, "the changelog of a first release must have at most 8 KiB")
	}
	return all
}

func TestChangelogHasTheFormOfReleases(t *testing.T) {
	for _, fault := range changelogFaults(text(t, "CHANGELOG.md")) {
		t.Error(fault)
	}
}

func TestChangelogFaultsAreFound(t *testing.T) {
	const first = "# Changelog\n\n## [0.1.0] - Unreleased\n\n### Added\n\n- A.\n"
	released := strings.Replace(first, "Unreleased", "2026-01-02", 1)
	for text, want := range map[string]string{
		first:    "",
		released: "",
		"# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- B.\n\n" + released[13:]: "",
		strings.Repeat("x", mostChangelog) + "\n" + released:                      "at most 8 KiB",
		first + "\n### Changed\n\n- B.\n":                                         "### Changed",
		first + "\n### Fixed\n\n- B.\n":                                           "### Fixed",
		released + "\n### Removed\n\n- B.\n":                                      "### Removed",
		"## [0.2.0] - 2026-01-03\n\n" + first:                                     "must be a version and its day",
		"## 0.1.0\n":                                                              "must be a version and its day",
		"# Changelog\n":                                                           "there is no section",
	} {
		got := strings.Join(changelogFaults(text), "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%.80q: got %q, want %q", text, got, want)
		}
	}
}

// The changelog names what users type: each package that they import, and of each package the services, handlers,
// interfaces and functions.
func TestChangelogNamesWhatUsersType(t *testing.T) {
	text := text(t, "CHANGELOG.md")
	typed := map[string]bool{}
	for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(text, -1) {
		for _, word := range strings.FieldsFunc(span, func(r rune) bool { return strings.ContainsRune("` (),", r) }) {
			typed[word] = true
		}
	}
	services, named := serviceNames(), 0
	want := func(pkg string, names ...string) {
		named++
		for _, name := range names {
			if typed[name] || typed[pkg+"."+name] {
				return
			}
		}
		t.Errorf("the changelog does not name %s.%s", pkg, names[0])
	}
	for _, s := range allSources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		if s.name == "doc.go" {
			want("package", s.dir, s.file.Name.Name)
		}
		if s.dir == "client/value" || s.dir == "client/access" {
			continue // users type the names of package client, which are the same
		}
		for _, sym := range symbols(s.file) {
			pkg := s.file.Name.Name
			typ, method, _ := strings.Cut(sym.name, ".")
			service := strings.HasSuffix(typ, "Service")
			switch {
			case sym.kind == "type" && service:
				want(pkg, append(services[pkg+"."+typ], typ, strings.TrimSuffix(typ, "Service")+"s")...)
			case sym.kind == "method" && method == "ServeHTTP", sym.kind == "type" && sym.is == "interface":
				want(pkg, typ)
			case sym.kind == "func" && !service:
				want(pkg, sym.name)
			}
		}
	}
	t.Logf("%d packages, services, handlers, interfaces and functions", named)
}
