package contract

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// Every exported symbol that users can reach says what it promises.
func TestExportedSymbolsAreDocumented(t *testing.T) {
	documented := 0
	for _, s := range sources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		for _, decl := range s.file.Decls {
			for name, doc := range undocumented(decl) {
				if doc == "" {
					t.Errorf("%s: %s has no doc comment", s.fset.Position(decl.Pos()), name)
				}
				documented++
			}
		}
	}
	if documented < 300 {
		t.Errorf("found %d exported symbols, want the whole module", documented)
	}
}

// undocumented returns the exported symbols of a declaration with their comments.
// A comment on a group stands for the constants and variables in it.
func undocumented(decl ast.Decl) map[string]string {
	found := map[string]string{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) {
			found[d.Name.Name] = d.Doc.Text()
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					found[s.Name.Name] = d.Doc.Text() + s.Doc.Text()
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						found[n.Name] = d.Doc.Text() + s.Doc.Text() + s.Comment.Text()
					}
				}
			}
		}
	}
	return found
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// Every package opens with a comment that tells what it is for.
func TestPackagesAreDocumented(t *testing.T) {
	docs := map[string]string{}
	for _, s := range sources(t) {
		if !s.test() {
			docs[s.dir] += s.file.Doc.Text()
		}
	}
	for dir, doc := range docs {
		if !strings.HasPrefix(doc, "Package ") && !strings.HasPrefix(doc, "Command ") {
			t.Errorf("%s: the package comment is %.40q, want one that opens with Package or Command", dir, doc)
		}
	}
}
