package contract

import (
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/services"
)

var update = flag.Bool("update", false, "rewrite client/api.md")

var versions = []string{"v1", "2025-03", "unstable"}

// functions returns the functions of a version whose services have a method, "Product.Get".
func functions(version, method string) (names []string) {
	service, method, _ := strings.Cut(method, ".")
	for _, s := range services.All() {
		_, ok := reflect.PointerTo(s.Type()).MethodByName(method)
		if ok && string(s.Version) == version && slices.Contains(servicesOf(s.Type()), service) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Package services lists each function of the version packages that returns a service.
func TestServicesAreListed(t *testing.T) {
	listed, declared := map[string]bool{}, map[string]bool{}
	for _, s := range services.All() {
		listed["client/v"+strings.ReplaceAll(strings.TrimPrefix(string(s.Version), "v"), "-", "")+"."+s.Name] = true
	}
	for _, s := range sources(t) {
		for _, sym := range symbols(s.file) {
			if s.name == "services.go" && strings.HasPrefix(s.dir, "client/") && sym.kind == "func" {
				declared["client/v"+strings.TrimPrefix(s.file.Name.Name, "v")+"."+sym.name] = true
			}
		}
	}
	if !maps.Equal(listed, declared) {
		t.Errorf("internal/services lists %v, want %v", listed, declared)
	}
}

// servicesOf returns the names of a service and of those that are embedded in it, as serviceOf has them.
func servicesOf(t reflect.Type) []string {
	name := strings.TrimSuffix(t.Name(), "Service")
	if name == "" {
		name = t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	}
	all := []string{name}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			all = append(all, servicesOf(f.Type.Elem())...)
		}
	}
	return all
}

// methods returns the client's methods of an endpoint, none for "-".
func (e endpoint) methods() []string {
	if e.client == "-" {
		return nil
	}
	return strings.Split(e.client, ",")
}

// outside reports whether an endpoint is none of the API, but of the address where apps are installed.
func (e endpoint) outside() bool { return strings.HasPrefix(e.path, "{auth_url}") }

// The packages of the versions have exactly the methods that the table gives their version.
func TestVersionsHaveTheMethodsOfTheTable(t *testing.T) {
	for _, e := range table(t) {
		for _, method := range e.methods() {
			for _, version := range versions {
				in := slices.Contains(strings.Split(e.versions, ","), version)
				if has := functions(version, method); in != (len(has) > 0) && !e.outside() {
					t.Errorf("line %d, %s: the table has versions %s, and in %s the method %s is in %v",
						e.line, e.key(), e.versions, version, method, has)
				}
			}
		}
	}
}

// scopes are the scopes in a text.
var scopes = regexp.MustCompile(`\b(read|write)_[a-z_]+\b`)

// The comment of a service names all scopes of its endpoints, if it names any, and says which versions have them.
func TestServicesStateScopesAndVersions(t *testing.T) {
	docs, rows, added := serviceDocs(t), map[string][]endpoint{}, ofVersions(t)
	for _, e := range table(t) {
		for _, method := range e.methods() {
			if service, _, _ := strings.Cut(method, "."); !added[method] {
				rows[service] = append(rows[service], e)
			}
		}
	}
	stated := 0
	for service, of := range rows {
		doc := docs[service]
		named := scopes.FindAllString(doc, -1)
		said, says := saidVersions(doc)
		for _, e := range of {
			for _, scope := range scopes.FindAllString(e.scope, -1) {
				if len(named) > 0 && !slices.Contains(named, scope) && inWords[service] == "" {
					t.Errorf("line %d, %s: needs %s; the comment of %sService names %v", e.line, e.key(), scope, service, named)
				}
			}
			if says && !e.outside() && !slices.Contains(said, e.versions) {
				t.Errorf("line %d, %s: is in %s; the comment of %sService says %v", e.line, e.key(), e.versions, service, said)
			}
		}
		if says {
			stated++
		}
	}
	for service, words := range inWords {
		if !strings.Contains(docs[service], words) {
			t.Errorf("the comment of %sService does not say %q", service, words)
		}
	}
	if stated < 30 {
		t.Errorf("the comments of %d services say which versions have them, want those of nearly all", stated)
	}
}

// inWords are the services whose comments name some scopes in words.
var inWords = map[string]string{"CustomField": "those of customers and orders for the others"}

// versionDirs are the packages of the versions.
var versionDirs = []string{"client/v1", "client/v202503", "client/unstable"}

// ofVersions returns the methods that the packages of versions add, whose comments need not say which version has them.
func ofVersions(t *testing.T) map[string]bool {
	t.Helper()
	added := map[string]bool{}
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil && !s.test() && slices.Contains(versionDirs, s.dir) {
				added[serviceOf(s.file.Name.Name, f)+"."+f.Name.Name] = true
			}
		}
	}
	return added
}

// saidVersions returns what the comment of a service says about versions, in the words of the table; false if it says
// nothing.
func saidVersions(doc string) (versions []string, ok bool) {
	for words, versions := range map[string]string{
		"All versions have it":                  "v1,2025-03,unstable",
		"is in all versions":                    "v1,2025-03,unstable",
		"Versions 2025-03 and unstable have it": "2025-03,unstable",
		"Versions v1 and unstable have it":      "v1,unstable",
		"Only version unstable has it":          "unstable",
	} {
		if strings.Contains(doc, words) {
			return []string{versions}, true
		}
	}
	return nil, false
}

// serviceDocs returns the comments of services in one line each, by the names that the table has for them.
func serviceDocs(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, s := range sources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && len(d.Specs) == 1 {
				if spec, ok := d.Specs[0].(*ast.TypeSpec); ok && strings.HasSuffix(spec.Name.Name, "Service") {
					name := strings.TrimSuffix(spec.Name.Name, "Service")
					if name == "" {
						name = s.file.Name.Name
					}
					docs[name] = strings.Join(strings.Fields(d.Doc.Text()), " ")
				}
			}
			return true
		})
	}
	return docs
}

// client/api.md is generated from the table and the packages of the versions. Rewrite it with
//
//	go test ./internal/contract -run TestAPITable -update
func TestAPITable(t *testing.T) {
	const file = root + "/client/api.md"
	want := apiTable(t)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(want, "\n")
	for i, line := range wantLines {
		if i >= len(gotLines) || gotLines[i] != line {
			t.Fatalf("client/api.md is stale, line %d must be %q: run this test with -update", i+1, line)
		}
	}
	if len(gotLines) > len(wantLines) {
		t.Errorf("client/api.md is stale, it has %d lines and must have %d", len(gotLines), len(wantLines))
	}
}

const apiIntro = `# Methods and endpoints

This page lists every method that calls an endpoint, in the order of
[testdata/endpoints.tsv](../testdata/endpoints.tsv). It is generated by
` + "`go test ./internal/contract -run TestAPITable -update`" + `.

- A method is called as ` + "`v202503.Products(c).Get`" + `, where ` + "`c`" + ` is a client. Plans take an app, a
  ` + "`client.App`" + `. A version without an endpoint has no method for it.
- A scope marked [inferred] is not in the contract, but the reference server requires it.
- *all* means v1, 2025-03 and unstable.
`

// apiTable returns the content of client/api.md.
func apiTable(t *testing.T) string {
	t.Helper()
	var sections, uncalled, callbacks, named []string
	rows := map[string][]string{} // by section
	for _, e := range table(t) {
		scope := strings.ReplaceAll(e.scope, "|", "or")
		end := fmt.Sprintf("`%s %s` | %s | %s |", e.method, e.path, scope, allVersions(e.versions))
		switch {
		case e.known == "named":
			named = append(named, fmt.Sprintf("- %s: %s (%s)", e.resource, e.path, allVersions(e.versions)))
		case e.resource == "callback":
			callbacks = append(callbacks, fmt.Sprintf("| `%s %s` | %s |", e.method, e.path, allVersions(e.versions)))
		case e.client == "-":
			uncalled = append(uncalled, "| "+end)
		}
		for _, method := range e.methods() {
			section := e.function(t, method)
			if !slices.Contains(sections, section) {
				sections = append(sections, section)
			}
			_, name, _ := strings.Cut(method, ".")
			rows[section] = append(rows[section], fmt.Sprintf("| `%s.%s` | %s", section, name, end))
		}
	}
	var b strings.Builder
	b.WriteString(apiIntro)
	part := func(title, intro, head string, lines []string) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		if intro != "" {
			b.WriteString(intro + "\n\n")
		}
		if head != "" {
			b.WriteString(head + "\n|" + strings.Repeat("---|", strings.Count(head, "|")-1) + "\n")
		}
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	for _, section := range sections {
		part(section, "", "| Method | Endpoint | Scope | Versions |", rows[section])
	}
	part("Endpoints without a method", "The contract shows them. Call them with `client.Client.Do`.",
		"| Endpoint | Scope | Versions |", uncalled)
	part("Callbacks", "The platform calls these addresses of the app. Packages `shipping`, `discounts`, `payments` and "+
		"`webhook` have their\nhandlers, and `discounts/rules` has the handler of business rules.", "| Callback | Versions |", callbacks)
	part("Named only", "The contract names these endpoints without a path, so there is no method.", "", named)
	return b.String()
}

// function returns the name of the function whose service has a method of the endpoint, such as Products. Of custom
// fields, of which there are several, it is that of the records in the path.
func (e endpoint) function(t *testing.T, method string) string {
	t.Helper()
	if e.outside() {
		return "oauth.App"
	}
	for _, version := range slices.Backward(versions) {
		switch names := functions(version, method); {
		case len(names) == 1:
			return names[0]
		case len(names) > 1:
			before, _, _ := strings.Cut(strings.ReplaceAll(e.path, "/{id}", ""), "/custom-fields")
			records := before[strings.LastIndex(before, "/")+1:]
			record := strings.TrimSuffix(strings.Replace(records, "ies", "ys", 1), "s")
			return strings.ToUpper(record[:1]) + record[1:] + "CustomFields"
		}
	}
	t.Errorf("line %d, %s: no version has %s", e.line, e.key(), method)
	return ""
}

// allVersions shortens the versions of a row.
func allVersions(versions string) string {
	if versions == "v1,2025-03,unstable" {
		return "all"
	}
	return strings.ReplaceAll(versions, ",", ", ")
}
