package contract

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// A test whose size depends on the command has "Proof" in its name, so make prove runs it. In internal/proof every test
// is run, and tests of internal/tier are about sizes themselves.
func TestProofsAreNamed(t *testing.T) {
	type scope struct{ dir, pkg string }
	uses := map[scope]map[string][]string{} // identifiers by function, by package
	for _, s := range allSources(t) {
		if strings.HasPrefix(s.dir, "internal/proof") || s.dir == "internal/tier" {
			continue
		}
		in := scope{s.dir, s.file.Name.Name}
		if uses[in] == nil {
			uses[in] = map[string][]string{}
		}
		for _, decl := range s.file.Decls {
			for name, body := range bodies(decl) {
				uses[in][name] = append(uses[in][name], identifiers(body)...)
			}
		}
	}
	proofs := 0
	for in, by := range uses {
		sized := map[string]bool{"tier.Size": true, "tier.Unwatched": true}
		for before := 0; before != len(sized); {
			before = len(sized)
			for f, used := range by {
				if slices.ContainsFunc(used, func(name string) bool { return sized[name] }) {
					sized[f] = true
				}
			}
		}
		for f := range sized {
			if !strings.HasPrefix(f, "Test") || f == "TestMain" {
				continue
			}
			if proofs++; !strings.Contains(f, "Proof") {
				t.Errorf("%s in %s has a size of internal/tier: its name must contain Proof", f, in.dir)
			}
		}
	}
	if proofs < 20 {
		t.Errorf("%d tests have a size of internal/tier, want at least 20", proofs)
	}
}

// bodies returns the function, or the values of variables, that a declaration names.
func bodies(decl ast.Decl) map[string]ast.Node {
	all := map[string]ast.Node{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Body != nil {
			all[d.Name.Name] = d.Body
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, is := spec.(*ast.ValueSpec); is {
				for _, name := range v.Names {
					all[name.Name] = v
				}
			}
		}
	}
	return all
}

// identifiers returns the names that a piece of code uses. A name of another package has that before it.
func identifiers(code ast.Node) (all []string) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, is := n.X.(*ast.Ident); is {
				all = append(all, x.Name+"."+n.Sel.Name, x.Name)
				return false
			}
		case *ast.Ident:
			all = append(all, n.Name)
		}
		return true
	})
	return all
}
