package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The changelog names what users type: each package that they import, and of each package the services, handlers,
// interfaces and functions.
func TestChangelogNamesWhatUsersType(t *testing.T) {
	data, err := os.ReadFile(root + "/CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, "\n## [Unreleased]\n") || !regexp.MustCompile(`\n## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n`).MatchString(text) {
		t.Error("want a section [Unreleased] and one for each release, with its day")
	}
	typed := map[string]bool{}
	for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(text, -1) {
		for _, word := range strings.FieldsFunc(span, func(r rune) bool { return strings.ContainsRune("` (),", r) }) {
			typed[word] = true
		}
	}
	views := map[string][]string{}
	for _, s := range allSources(t) {
		if !s.test() && (s.name == "api.go" || s.name == "app.go") {
			for field, typ := range apiFields(s.file) {
				views[typ] = append(views[typ], field)
			}
		}
	}
	named := 0
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
		for _, sym := range symbols(s.file) {
			pkg := s.file.Name.Name
			typ, method, _ := strings.Cut(sym.name, ".")
			service := strings.HasSuffix(typ, "Service")
			switch {
			case sym.kind == "type" && service:
				want(pkg, append(views[pkg+"."+typ], typ, strings.TrimSuffix(typ, "Service")+"s")...)
			case sym.kind == "method" && method == "ServeHTTP", sym.kind == "type" && sym.is == "interface":
				want(pkg, typ)
			case sym.kind == "func" && !service:
				want(pkg, sym.name)
			}
		}
	}
	t.Logf("%d packages, services, handlers, interfaces and functions", named)
}
