package contract

import (
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// endpoint is a row of testdata/endpoints.tsv.
type endpoint struct {
	line                    int
	method, path            string
	versions, scope, source string
	known                   string // shown, or named: the contract gives no path
	client                  string // "Products.Get": the client's method; "-" if there is none
	paging                  string // of a list: page, since or whole
	retry                   string // the client's retry class; "-" for what it does not call
	served                  string // yes, or "-": the reference server
}

func (e endpoint) key() string { return e.method + " " + e.path }

func table(t *testing.T) []endpoint {
	t.Helper()
	data, err := os.ReadFile(root + "/testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows []endpoint
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		c := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(c) != 13 {
			t.Fatalf("line %d has %d columns, want 13", i+1, len(c))
		}
		rows = append(rows, endpoint{i + 1, c[1], c[2], c[3], c[4], c[5], c[7], c[8], c[9], c[10], c[11]})
	}
	if len(rows) < 200 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	return rows
}

// directives returns the client's methods by the endpoint that they say they call.
func directives(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, s := range sources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Doc == nil {
				continue
			}
			for _, c := range f.Doc.List {
				if key, ok := strings.CutPrefix(c.Text, "//api:endpoint "); ok {
					found[key] = append(found[key], serviceOf(f)+"."+f.Name.Name)
				}
			}
		}
	}
	return found
}

// serviceOf returns "Product" for a method of *ProductService.
func serviceOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if name, ok := star.X.(*ast.Ident); ok {
			return strings.TrimSuffix(name.Name, "Service")
		}
	}
	return ""
}

// The table, the client's directives and the server's operations agree on what
// exists: none is missing, renamed or invented.
func TestEndpoints(t *testing.T) {
	methods := directives(t)
	served := map[string][]string{}
	for _, op := range res.Ops() {
		versions := op.Versions
		if len(versions) == 0 {
			versions = []string{"v1", "2025-03", "unstable"}
		}
		served[op.Method+" "+op.Path] = versions
	}
	for _, e := range table(t) {
		got := "-"
		if names := methods[e.key()]; len(names) > 0 {
			slices.Sort(names)
			got = strings.Join(names, ",")
		}
		if got != e.client {
			t.Errorf("line %d, %s: the table names the method %s, the client has %s", e.line, e.key(), e.client, got)
		}
		versions, ok := served[e.key()]
		if ok != (e.served == "yes") {
			t.Errorf("line %d, %s: the table says served %s, the server says %v", e.line, e.key(), e.served, ok)
		}
		if ok && strings.Join(versions, ",") != e.versions {
			t.Errorf("line %d, %s: the table has versions %s, the server %v", e.line, e.key(), e.versions, versions)
		}
		if e.known == "named" && (got != "-" || ok) {
			t.Errorf("line %d, %s: the contract gives no path, and one was invented", e.line, e.key())
		}
		if got != "-" && !ok {
			t.Errorf("line %d, %s: the client calls it, the reference server does not serve it", e.line, e.key())
		}
		delete(methods, e.key())
		delete(served, e.key())
	}
	for key, names := range methods {
		t.Errorf("%v calls %s, which is not in the table", names, key)
	}
	for key := range served {
		t.Errorf("the reference server serves %s, which is not in the table", key)
	}
}
