package contract

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// partial are values that a table leaves out on purpose, by file, and why.
var partial = map[string]string{
	"internal/cmd/refserver/judge.go: internal/recording.Deliveries":               "the statement after the switch treats deliveries",
	"internal/refserver/control/acts.go: internal/refserver/label.Generate":        "the route that requests labels has another form",
	"internal/refserver/label/undo.go: internal/refserver/label.Generate":          "a request for labels undoes nothing",
	"internal/refserver/res/business_rules.go: internal/refserver/world.CartRules": "rules of carts require no scope",
	"webhook/installation.go: client/access.Doubtful":                              "a probe does not return it",
	"shipping/health.go: shipping.HealthStateHealthy":                              "the statement after the switch treats it, and unknown states",
}

// enumeration is a type with its values: constants, or variables that are literals of the type.
type enumeration struct {
	name   string // webhook.Event
	values []string
}

// enumerations returns the enumeration of each value. A name begins with the directory: webhook.OrderPaid.
func enumerations(t *testing.T) map[string]*enumeration {
	byType, byValue := map[string]*enumeration{}, map[string]*enumeration{}
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		for _, d := range s.file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST && decl.Tok != token.VAR {
				continue
			}
			typ := ""
			for _, spec := range decl.Specs {
				spec := spec.(*ast.ValueSpec)
				if spec.Type != nil || len(spec.Values) > 0 { // otherwise the type is that of the line above
					typ = typeOf(decl.Tok, spec)
				}
				if typ == "" {
					continue
				}
				of := s.dir + "." + typ
				if byType[of] == nil {
					byType[of] = &enumeration{name: of}
				}
				for _, name := range spec.Names {
					if value := s.dir + "." + name.Name; name.Name != "_" {
						byType[of].values, byValue[value] = append(byType[of].values, value), byType[of]
					}
				}
			}
		}
	}
	return byValue
}

// typeOf returns the type of the package that a value has, or an empty text.
func typeOf(tok token.Token, spec *ast.ValueSpec) string {
	typ := spec.Type
	if typ == nil && len(spec.Values) > 0 {
		switch v := spec.Values[0].(type) {
		case *ast.CompositeLit:
			typ = v.Type
		case *ast.CallExpr:
			if tok == token.CONST {
				typ = v.Fun
			}
		}
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	name, ok := typ.(*ast.Ident)
	if !ok || slices.Contains([]string{"bool", "byte", "error", "float64", "int", "string"}, name.Name) {
		return ""
	}
	return name.Name
}

// rows returns the rows of a table: a literal, a declaration of values, or a switch without a default.
func rows(n ast.Node) (all []ast.Expr) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return n.Elts
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				all = append(all, v.Values...)
			}
		}
	case *ast.SwitchStmt:
		for _, s := range n.Body.List {
			c := s.(*ast.CaseClause)
			if c.List == nil {
				return nil
			}
			all = append(all, c.List...)
		}
	}
	return all
}

// listing has the values of an enumeration that one column of a table names.
type listing struct {
	of      *enumeration
	values  map[string]bool
	repeats bool
}

// missing returns the values that the table has no row for. A column that repeats a value, or that has less than three
// quarters of them, does not list the enumeration.
func (l *listing) missing() (all []string, lists bool) {
	if n := len(l.of.values); l.repeats || n < 3 || len(l.values)*4 < n*3 {
		return nil, false
	}
	for _, value := range l.of.values {
		if !l.values[value] {
			all = append(all, value)
		}
	}
	return all, true
}

// columns returns the listings of a table. A column is the place of the value in a row: the row, its key, a field, or
// an argument of the call that makes the row.
func columns(rows []ast.Expr, find func(ast.Expr) (string, *enumeration)) map[string]*listing {
	all := map[string]*listing{}
	var visit func(column string, e ast.Expr)
	visit = func(column string, e ast.Expr) {
		if value, of := find(e); of != nil {
			column += of.name
			if all[column] == nil {
				all[column] = &listing{of: of, values: map[string]bool{}}
			}
			l := all[column]
			l.repeats = l.repeats || l.values[value]
			l.values[value] = true
			return
		}
		switch e := e.(type) {
		case *ast.KeyValueExpr:
			visit(column+"key ", e.Key)
			visit(column, e.Value)
		case *ast.UnaryExpr:
			visit(column, e.X)
		case *ast.CallExpr:
			for i, arg := range e.Args {
				visit(column+strconv.Itoa(i)+" ", arg)
			}
		case *ast.CompositeLit:
			for i, field := range e.Elts {
				if named, ok := field.(*ast.KeyValueExpr); ok {
					visit(fmt.Sprint(column, named.Key, " "), named.Value)
				} else {
					visit(column+strconv.Itoa(i)+" ", field)
				}
			}
		}
	}
	for _, row := range rows {
		visit("", row)
	}
	return all
}

// finder returns the function that finds the enumeration of a name in a file.
func finder(s source, all map[string]*enumeration) func(ast.Expr) (string, *enumeration) {
	dirs := map[string]string{}
	for _, i := range s.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		dir, ours := strings.CutPrefix(path, module+"/")
		switch {
		case ours && i.Name != nil:
			dirs[i.Name.Name] = dir
		case ours:
			dirs[dir[strings.LastIndex(dir, "/")+1:]] = dir
		}
	}
	return func(e ast.Expr) (string, *enumeration) {
		value := ""
		switch e := e.(type) {
		case *ast.Ident:
			value = s.dir + "." + e.Name
		case *ast.SelectorExpr:
			if pkg, ok := e.X.(*ast.Ident); ok {
				value = dirs[pkg.Name] + "." + e.Sel.Name
			}
		}
		return value, all[value]
	}
}

// A table of an enumeration has a row for each value. Without a row in the table of package webhook, deliveries of an
// event are dead-lettered.
func TestTablesListEveryValue(t *testing.T) {
	all := enumerations(t)
	tables, used := 0, map[string]bool{}
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		find := finder(s, all)
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, l := range columns(rows(n), find) {
				missing, lists := l.missing()
				if !lists {
					continue
				}
				tables++
				for _, value := range missing {
					name := s.dir + "/" + s.name + ": " + value
					if partial[name] == "" {
						t.Errorf("%s/%s:%d: the table of %s has no row for %s", s.dir, s.name, s.fset.Position(n.Pos()).Line, l.of.name, value)
					}
					used[name] = true
				}
			}
			return true
		})
	}
	for name := range partial {
		if !used[name] {
			t.Errorf("%s is no longer the one value that the table leaves out", name)
		}
	}
	if tables < 35 {
		t.Errorf("found %d tables, want at least 35", tables)
	}
}
