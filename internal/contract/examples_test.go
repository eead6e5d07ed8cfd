package contract

import (
	"go/ast"
	"go/doc"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/services"
)

// shown is what the examples of a directory mention: every name behind a dot, every name that is called, and the
// names of the examples themselves. Only examples that are run count, those with output.
func shown(files []*ast.File) map[string]bool {
	helpers := map[string]*ast.FuncDecl{}
	for _, f := range files {
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil {
				helpers[d.Name.Name] = d
			}
		}
	}
	names := map[string]bool{}
	var read func(n ast.Node)
	read = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				names[n.Sel.Name] = true
			case *ast.Ident:
				if d := helpers[n.Name]; d != nil && d.Body != nil {
					delete(helpers, n.Name) // once is enough
					read(d.Body)
				}
				names[n.Name] = true
			}
			return true
		})
	}
	for _, e := range doc.Examples(files...) {
		if e.Output == "" && !e.EmptyOutput {
			continue
		}
		for part := range strings.SplitSeq(e.Name, "_") {
			names[part] = true
		}
		read(e.Code)
	}
	return names
}

// Each service, handler and engine has an example, and so has each function and method of clienttest.
func TestWhatPeopleUseHasAnExample(t *testing.T) {
	tests, names := map[string][]*ast.File{}, serviceNames()
	for _, s := range allSources(t) {
		if s.test() {
			tests[s.dir] = append(tests[s.dir], s.file)
		}
	}
	mentioned := map[string]map[string]bool{}
	for dir, files := range tests {
		mentioned[dir] = shown(files)
	}
	wanted := map[string]int{}
	want := func(kind, dir string, names ...string) {
		wanted[kind]++
		if !slices.ContainsFunc(names, func(n string) bool { return mentioned[dir][n] }) {
			t.Errorf("%s %s.%s has no example with output", kind, dir, names[0])
		}
	}
	for _, s := range allSources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		for _, sym := range symbols(s.file) {
			typ, method, _ := strings.Cut(sym.name, ".")
			switch {
			case s.dir == "client/clienttest" && sym.kind == "func":
				want("function", s.dir, sym.name)
			case s.dir == "client/clienttest" && sym.kind == "method":
				want("method", s.dir, method)
			case sym.kind == "method" && method == "ServeHTTP":
				want("handler", s.dir, typ)
			case sym.kind == "type" && strings.HasSuffix(typ, "Service"):
				want("service", s.dir, append([]string{typ}, names[s.file.Name.Name+"."+typ]...)...)
			case sym.kind == "type" && typ == "Inbox" && s.dir != "webhook":
				want("engine", s.dir, "Open", "New")
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(wanted)) {
		t.Logf("%-8s  %d", kind, wanted[kind])
	}
	if wanted["service"] < 35 || wanted["handler"] < 10 || wanted["engine"] != 4 || wanted["method"] < 50 {
		t.Errorf("found %v, want those of all packages", wanted)
	}
}

// serviceNames returns the names of the functions that return a service: those of client.ProductService are Products.
func serviceNames() map[string][]string {
	names := map[string][]string{}
	for _, s := range services.All() {
		names[s.Type().String()] = append(names[s.Type().String()], s.Name)
	}
	return names
}
