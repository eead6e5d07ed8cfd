package contract

import (
	"cmp"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// endpoint is a row of testdata/endpoints.tsv.
type endpoint struct {
	line                    int
	resource, method, path  string
	versions, scope, source string
	known                   string // shown, or named: the contract gives no path
	client                  string // "Products.Get": the client's method; "-" if there is none
	paging                  string // of the client's lists: since, page, whole; "-" elsewhere
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
		rows = append(rows, endpoint{i + 1, c[0], c[1], c[2], c[3], c[4], c[5], c[7], c[8], c[9], c[10], c[11]})
	}
	if len(rows) < 200 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	return rows
}

// call is what the client does about an endpoint.
type call struct {
	names  []string
	paging string
}

// directives returns the client's methods by the endpoint that they say they call.
func directives(t *testing.T) map[string]call {
	t.Helper()
	found := map[string]call{}
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
					found[key] = call{append(found[key].names, serviceOf(s.file.Name.Name, f)+"."+f.Name.Name), pagingOf(f)}
				}
			}
		}
	}
	return found
}

// serviceOf returns "Product" for a method of *ProductService, and the package for
// one of its *Service.
func serviceOf(pkg string, f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	name, _ := typ.(*ast.Ident)
	return cmp.Or(strings.TrimSuffix(name.Name, "Service"), pkg)
}

// pagingOf returns what a method that returns a list says of its pages: since if
// the list knows since_id, page if it does not, whole if it has no pages, and "-"
// for other methods.
func pagingOf(f *ast.FuncDecl) string {
	paging := "-"
	ast.Inspect(f.Body, func(n ast.Node) bool {
		spec, ok := n.(*ast.CompositeLit)
		if !ok || !isListSpec(spec.Type) {
			return true
		}
		paging = "page"
		for _, element := range spec.Elts {
			switch element.(*ast.KeyValueExpr).Key.(*ast.Ident).Name {
			case "Whole":
				paging = "whole"
			case "SinceID":
				paging = "since"
			}
		}
		return false
	})
	return paging
}

func isListSpec(typ ast.Expr) bool {
	selector, ok := typ.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "ListSpec"
}

// The table, the client's directives and the server's operations agree on what
// exists: none is missing, renamed or invented.
func TestEndpoints(t *testing.T) {
	methods := directives(t)
	served := map[string]api.Op{}
	for _, op := range res.Ops() {
		served[op.Method+" "+op.Path] = op
	}
	for _, e := range table(t) {
		got, paging := "-", "-"
		if c, ok := methods[e.key()]; ok {
			slices.Sort(c.names)
			got, paging = strings.Join(c.names, ","), c.paging
		}
		if got != e.client || paging != e.paging {
			t.Errorf("line %d, %s: the table has method %s, paging %s; the client %s, %s", e.line, e.key(), e.client, e.paging, got, paging)
		}
		op, ok := served[e.key()]
		if ok != (e.served == "yes") {
			t.Errorf("line %d, %s: the table says served %s, the server says %v", e.line, e.key(), e.served, ok)
		}
		if ok && (versionsOf(op) != e.versions || !sameScope(op, e.scope)) {
			t.Errorf("line %d, %s: the table has versions %s and scope %s, the server %s and %v", e.line, e.key(), e.versions, e.scope, versionsOf(op), op.Scopes)
		}
		if e.known == "named" && (got != "-" || ok) {
			t.Errorf("line %d, %s: the contract gives no path, and one was invented", e.line, e.key())
		}
		if got != "-" && !ok && !strings.HasPrefix(e.path, "{auth_url}") { // which is no operation of the API
			t.Errorf("line %d, %s: the client calls it, the reference server does not serve it", e.line, e.key())
		}
		delete(methods, e.key())
		delete(served, e.key())
	}
	for key, c := range methods {
		t.Errorf("%v calls %s, which is not in the table", c.names, key)
	}
	for key := range served {
		t.Errorf("the reference server serves %s, which is not in the table", key)
	}
}

func versionsOf(op api.Op) string {
	if len(op.Versions) == 0 {
		return "v1,2025-03,unstable"
	}
	return strings.Join(op.Versions, ",")
}

// sameScope compares the server's scopes with the words of the table, in which
// some are marked as inferred and some name a feature of the app or the store.
func sameScope(op api.Op, scope string) bool {
	scope, feature, _ := strings.Cut(scope, " + feature ")
	scope = strings.TrimSuffix(scope, " [inferred]")
	switch {
	case strings.HasPrefix(scope, "none"), strings.HasPrefix(scope, "scope of the owner"):
		return len(op.Scopes) == 0 && op.ScopeNote != ""
	case strings.HasPrefix(scope, "per domain "):
		return len(op.Scopes) == 0 && op.ScopeNote == scope
	case strings.HasPrefix(scope, "app enabled for "):
		return len(op.Scopes) == 0 && strings.HasPrefix(scope, "app enabled for "+op.Feature)
	}
	return strings.Join(op.Scopes, ",") == scope && op.StoreFeature == feature
}
