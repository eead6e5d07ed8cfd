package contract

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// resources is the package with the operations of the reference server.
const resources = "internal/refserver/res"

// TestOperationsAreTables: a file with operations opens with them, and one element of the literal is
// one operation, so that a change of an operation is an edit of one row.
func TestOperationsAreTables(t *testing.T) {
	tables := 0
	for _, s := range sources(t) {
		if s.dir != resources || s.test() {
			continue
		}
		for i, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasSuffix(f.Name.Name, "Ops") || f.Name.Name == "Ops" {
				continue
			}
			tables++
			if len(rowsOf(f)) == 0 {
				t.Errorf("%s: %s does not return a literal whose elements are operations", s.name, f.Name)
			}
			for _, before := range s.file.Decls[:i] {
				if g, ok := before.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
					t.Errorf("%s: %s is not the first declaration", s.name, f.Name)
				}
			}
		}
	}
	if tables < 30 {
		t.Errorf("%d tables of operations, which is too few to be all", tables)
	}
}

// rowsOf returns the elements of the literal that a function returns, nil if one of them is no literal.
func rowsOf(f *ast.FuncDecl) []ast.Expr {
	end, ok := f.Body.List[len(f.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(end.Results) != 1 {
		return nil
	}
	table, ok := end.Results[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, row := range table.Elts {
		if _, ok := row.(*ast.CompositeLit); !ok {
			return nil
		}
	}
	return table.Elts
}

// TestBodiesAreReadByOnePackage: a resource that read the bytes of a body by itself would have its own
// rules for null, for types and for members that nothing reads.
func TestBodiesAreReadByOnePackage(t *testing.T) {
	for _, s := range sources(t) {
		if s.dir != resources || s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			e, ok := n.(*ast.SelectorExpr)
			if !ok || e.Sel.Name != "Raw" {
				return true
			}
			if x, ok := e.X.(*ast.Ident); ok && x.Name == "in" {
				t.Errorf("%s reads in.Raw, which package body does", s.fset.Position(e.Pos()))
			}
			return true
		})
	}
}
