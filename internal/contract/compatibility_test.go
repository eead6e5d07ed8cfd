package contract

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The first row of the compatibility table is what the tree has: the newest release or, if there are later changes, the
// next one.
func TestCompatibility(t *testing.T) {
	page := text(t, "client/docs/compatibility.md")
	rows := firsts(`(?m)^\| (.*) \|$`, page)
	if len(rows) < 2 {
		t.Fatal("client/docs/compatibility.md has no table")
	}
	columns, first := strings.Split(rows[0], " | "), strings.Split(rows[1], " | ")
	want := map[string]string{"SDK": newestSection(t), "Go": strings.Join(goVersions(t), ", "), "API versions": strings.Join(apiVersions(t), ", ")}
	for dir, n := range schemas(t) {
		want["`"+dir+"`"] = strconv.Itoa(n)
	}
	if len(columns) != len(want) || len(first) != len(want) {
		t.Fatalf("the table has columns %q and %d cells, want one for each of %v", columns, len(first), want)
	}
	for i, column := range columns {
		if first[i] != want[column] {
			t.Errorf("column %s of the first row is %q, want %q", column, first[i], want[column])
		}
	}
	for _, dir := range []string{".", "client/otelcommerce", "webhook/postgres", "webhook/sqlite"} {
		requires := firsts(`(?m)^go (\d+\.\d+)\.\d+$`, text(t, dir+"/go.mod"))
		if !slices.Equal(requires, goVersions(t)[:1]) {
			t.Errorf("%s/go.mod requires Go %q, want the lowest of %q", dir, requires, goVersions(t))
		}
	}
}

// newestSection returns the name of the first section of the changelog that has entries.
func newestSection(t *testing.T) string {
	t.Helper()
	for section := range strings.SplitSeq("\n"+text(t, "CHANGELOG.md"), "\n## [") {
		if name, body, ok := strings.Cut(section, "]"); ok && strings.Contains(body, "\n- ") {
			return name
		}
	}
	t.Fatal("CHANGELOG.md has no section with entries")
	return ""
}

// goVersions returns the versions of Go that the workflow tests with, lowest first, without their third number.
func goVersions(t *testing.T) (all []string) {
	t.Helper()
	for _, line := range firsts(`(?m)^ +go: \[(.*)\]$`, workflows(t)["test.yml"]) {
		all = append(all, firsts(`"(\d+\.\d+)\.\d+"`, line)...)
	}
	if len(all) != 2 {
		t.Fatalf("the workflow tests with Go %q, want two versions", all)
	}
	return all
}

// apiVersions returns the values of the constants of type client.Version.
func apiVersions(t *testing.T) (all []string) {
	t.Helper()
	for _, s := range sources(t) {
		if s.dir != "client" || s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typ, _ := spec.Type.(*ast.Ident)
			lit, _ := spec.Values[0].(*ast.BasicLit)
			if typ != nil && typ.Name == "Version" && lit != nil && lit.Kind == token.STRING {
				value, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Error(err)
				}
				all = append(all, value)
			}
			return true
		})
	}
	return all
}

// schemas returns the number of migrations of each package that users import. The nth file makes version n.
func schemas(t *testing.T) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, pattern := range []string{"*/migrations/*.sql", "*/*/migrations/*.sql"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			rel, err := filepath.Rel(root, filepath.Dir(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			if dir := filepath.ToSlash(rel); public(dir) {
				all[dir]++
				if n := regexp.MustCompile(`^\d{4}`).FindString(filepath.Base(file)); n == "" {
					t.Errorf("%s: the name must begin with four digits", file)
				} else if got, _ := strconv.Atoi(n); got != all[dir] {
					t.Errorf("%s: is file %d of its directory", file, all[dir])
				}
			}
		}
	}
	if _, err := os.Stat(filepath.Join(root, "webhook/sqlite/migrations")); err != nil || len(all) < 7 {
		t.Errorf("found migrations of %d packages: %v", len(all), err)
	}
	return all
}
