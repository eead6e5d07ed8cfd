package contract

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// symbol is something exported that users can reach.
type symbol struct {
	name   string // "Handler.Budget"
	kind   string // type, func, method, value or field
	is     string // of a type: interface, or empty
	doc    string
	around string // of a value or a field: the comments of its group or type, and of its neighbours
	pos    token.Pos
}

// recurring are the members that mean the same in every record. The documentation of package client explains them.
var recurring = regexp.MustCompile(`\.(ID|CreatedAt|UpdatedAt|Extra)$`)

// documented reports whether there is a comment on a symbol: its own; for a value or a field also one on its group,
// its type or a neighbour that names it.
func (s symbol) documented() bool {
	switch {
	case strings.TrimSpace(s.doc) != "":
		return true
	case s.kind != "value" && s.kind != "field":
		return false
	}
	name := s.name[strings.LastIndex(s.name, ".")+1:]
	return recurring.MatchString(s.name) || regexp.MustCompile(`(^|[^A-Za-z0-9_.])`+name+`([^A-Za-z0-9_]|$)`).MatchString(s.around)
}

// Every exported symbol that users can reach says what it promises: types, functions, methods, values and fields.
// What a function or a type says begins with its name.
func TestExportedSymbolsAreDocumented(t *testing.T) {
	all, documented := map[string]int{}, map[string]int{}
	for _, s := range allSources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		for _, sym := range symbols(s.file) {
			all[sym.kind]++
			at := s.fset.Position(sym.pos)
			switch {
			case !sym.documented():
				t.Errorf("%s: %s %s has no comment", at, sym.kind, sym.name)
				continue
			case !opens(sym):
				t.Errorf("%s: the comment of %s does not begin with its name: %.50q", at, sym.name, sym.doc)
				continue
			}
			documented[sym.kind]++
		}
	}
	total, good := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%-6s  %4d of %4d", kind, documented[kind], all[kind])
		total, good = total+all[kind], good+documented[kind]
	}
	t.Logf("%.2f %% of %d exported symbols are documented", 100*float64(good)/float64(total), total)
	if total < 2000 {
		t.Errorf("found %d exported symbols, want those of all public packages", total)
	}
}

// opens reports whether a comment begins as godoc wants it: with the name, perhaps behind an article.
func opens(s symbol) bool {
	if s.kind == "value" || s.kind == "field" {
		return true
	}
	name := s.name[strings.LastIndex(s.name, ".")+1:]
	words := strings.Fields(s.doc)
	if s.kind == "type" && slices.Contains([]string{"A", "An", "The"}, words[0]) {
		words = words[1:]
	}
	return len(words) > 0 && strings.TrimRight(words[0], ",.:;'s") == strings.TrimRight(name, "s")
}

// symbols returns what a file exports.
func symbols(file *ast.File) []symbol {
	var all []symbol
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			if d.Recv == nil {
				all = append(all, symbol{name: d.Name.Name, kind: "func", doc: d.Doc.Text(), pos: d.Pos()})
			} else if of := receiver(d); ast.IsExported(of) {
				all = append(all, symbol{name: of + "." + d.Name.Name, kind: "method", doc: d.Doc.Text(), pos: d.Pos()})
			}
		case *ast.GenDecl:
			all = append(all, declared(d)...)
		}
	}
	return all
}

// declared returns what a declaration of types, constants or variables exports. The comment of a group is that of
// none of the values in it, unless there is one only.
func declared(d *ast.GenDecl) []symbol {
	var all []symbol
	around, own := d.Doc.Text(), ""
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			around += v.Doc.Text() + v.Comment.Text()
		}
	}
	if len(d.Specs) == 1 {
		own = d.Doc.Text()
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				doc := own + s.Doc.Text()
				is := ""
				if _, ok := s.Type.(*ast.InterfaceType); ok {
					is = "interface"
				}
				all = append(all, symbol{name: s.Name.Name, kind: "type", is: is, doc: doc, pos: s.Pos()})
				all = append(all, fields(s.Name.Name, doc, s.Type)...)
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.IsExported() {
					all = append(all, symbol{name: n.Name, kind: "value", doc: own + s.Doc.Text() + s.Comment.Text(), around: around, pos: n.Pos()})
				}
			}
		}
	}
	return all
}

// fields returns the exported fields of a struct and the methods of an interface. Embedded ones have the
// comment of their type.
func fields(of, doc string, typ ast.Expr) []symbol {
	var list *ast.FieldList
	kind := "field"
	switch x := typ.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list, kind = x.Methods, "method"
	default:
		return nil
	}
	var all []symbol
	around := doc
	for _, f := range list.List {
		around += f.Doc.Text() + f.Comment.Text()
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.IsExported() {
				all = append(all, symbol{name: of + "." + n.Name, kind: kind, doc: f.Doc.Text() + f.Comment.Text(), around: around, pos: n.Pos()})
			}
		}
	}
	return all
}

// receiver returns the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// Every package opens with a comment that tells what it is for, in doc.go: the first file that a reader opens. The one
// of a program in examples stands in main.go, above what it says.
func TestPackagesAreDocumented(t *testing.T) {
	docs := map[string]string{}
	for _, s := range allSources(t) {
		if s.test() || s.dir == "." {
			continue
		}
		in := "doc.go"
		if strings.HasPrefix(s.dir, "examples/") {
			in = "main.go"
		}
		docs[s.dir] += ""
		switch {
		case s.name == in:
			docs[s.dir] = s.file.Doc.Text()
		case s.file.Doc != nil:
			t.Errorf("%s/%s has a package comment: want it in %s", s.dir, s.name, in)
		}
	}
	for dir, doc := range docs {
		if !strings.HasPrefix(doc, "Package ") && !strings.HasPrefix(doc, "Command ") {
			t.Errorf("%s: the package comment is %.40q, want one that opens with Package or Command", dir, doc)
		}
	}
	t.Logf("%d packages", len(docs))
}

// A reader finds the guarantees of each public package, and the packages and pages next to it, under the same names.
func TestPackagesHaveTheSameSections(t *testing.T) {
	packages := 0
	for _, s := range allSources(t) {
		if s.name != "doc.go" || !public(s.dir) {
			continue
		}
		packages++
		for _, section := range []string{"# Guarantees", "# See also"} {
			if n := strings.Count(s.file.Doc.Text(), "\n"+section+"\n"); n != 1 {
				t.Errorf("%s has the section %q %d times, want once", s.dir, section, n)
			}
		}
		if _, after, _ := strings.Cut(s.file.Doc.Text(), "\n# See also\n"); strings.Contains(after, "\n# ") {
			t.Errorf("%s has a section after See also, want it last", s.dir)
		}
	}
	if packages < 30 {
		t.Errorf("%d packages", packages)
	}
}

// The packages that own a state machine draw all of its states.
func TestStatesAreDrawn(t *testing.T) {
	docs := map[string]string{}
	for _, s := range sources(t) {
		if s.name == "doc.go" {
			docs[s.dir] = s.file.Doc.Text()
		}
	}
	drawn := func(dir string, states ...string) {
		for _, state := range states {
			if !strings.Contains(docs[dir], state) {
				t.Errorf("%s: state %s is not drawn", dir, state)
			}
		}
	}
	drawn("client", res.OrderStates().States...)
	drawn("client", slices.DeleteFunc(res.PaymentStates().States, func(s string) bool { return s == "abandoned" })...) // nothing leads there
	for _, state := range res.CategoryVisibility().States {
		drawn("client", string(state))
	}
	for _, state := range res.DisputeStates().States {
		drawn("disputes", string(state))
	}
}
