package act_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// The faces of the acts, from this directory.
const (
	controlDir = "../control"
	consoleDir = "../console"
	commandDir = "../../cmd/refserver"
	goTestDir  = "../../../client/clienttest"
)

// source is a directory that is read.
type source struct {
	*token.FileSet
	files []*ast.File
}

func read(t *testing.T, dir string) source {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no source: %v", dir, err)
	}
	s := source{FileSet: token.NewFileSet()}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.FileSet, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, file)
	}
	return s
}

// declarations calls each with the functions, types and variables of the source.
func (s source) declarations(each func(ast.Decl)) {
	for _, file := range s.files {
		for _, d := range file.Decls {
			each(d)
		}
	}
}

// literal returns the text that an expression begins with: "a" of "a" + b.
func literal(e ast.Expr) (string, bool) {
	for {
		sum, ok := e.(*ast.BinaryExpr)
		if !ok {
			break
		}
		e = sum.X
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// called returns the name of a function or method, and the arguments.
func called(n ast.Node) (string, []ast.Expr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name, call.Args
	case *ast.SelectorExpr:
		return f.Sel.Name, call.Args
	}
	return "", nil
}

// has reports whether an act has a member of a name, or one that is JSON around it.
func has(a act.Act, name string) bool {
	if _, ok := a.Member(name); ok {
		return true
	}
	within, _, inside := strings.Cut(name, ".")
	m, ok := a.Member(within)
	return inside && ok && m.Kind == act.JSON
}

// Every form of the console is one of an act, and its fields are members of it.
func TestConsole(t *testing.T) {
	s, acts, forms := read(t, consoleDir), control.Acts(), 0
	s.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			name, args := called(n)
			if name != "ask" || len(args) < 3 {
				return true
			}
			of, ok := literal(args[0])
			if !ok {
				return true // the page of all acts
			}
			forms++
			a, ok := act.Find(acts, of)
			if !ok {
				t.Errorf("%s: the console has a form of %q, which is no act", s.Position(n.Pos()), of)
			}
			for _, arg := range args[3:] {
				field, ok := literal(arg)
				field, _, _ = strings.Cut(field, "=")
				field, _, _ = strings.Cut(field, "|")
				if field = strings.TrimRight(field, "?!"); ok && field != "" && field[0] != '/' && !has(a, field) {
					t.Errorf("%s: the form of %s in the console has the field %q, which is no member", s.Position(n.Pos()), of, field)
				}
			}
			return true
		})
	})
	if forms < 50 {
		t.Errorf("read %d forms", forms)
	}
}

// Every act that the command performs exists, and what it sends are members of an act that the function names.
func TestCommand(t *testing.T) {
	s, acts, performed := read(t, commandDir), control.Acts(), 0
	s.declarations(func(d ast.Decl) {
		var named []act.Act
		ast.Inspect(d, func(n ast.Node) bool {
			name, args := called(n)
			i := map[string]int{"do": 1, "elements": 1, "show": 2, "list": 2, "newest": 2, "installation": 2}[name]
			if lit, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := lit.Key.(*ast.Ident); ok && key.Name == "act" {
					name, args, i = "act", []ast.Expr{lit.Value, lit.Value}, 1
				}
			}
			if i == 0 || len(args) <= i {
				return true
			}
			if of, ok := literal(args[i]); ok {
				performed++
				a, ok := act.Find(acts, of)
				if !ok {
					t.Errorf("%s: the command performs %q, which is no act", s.Position(n.Pos()), of)
				}
				named = append(named, a)
			}
			return true
		})
		ast.Inspect(d, func(n ast.Node) bool {
			for _, member := range sent(n) {
				fits := func(a act.Act) bool { return has(a, member) }
				if !slices.ContainsFunc(named, fits) && (len(named) > 0 || !slices.ContainsFunc(acts, fits)) {
					t.Errorf("%s: the command sends %q, which is no member of its acts", s.Position(n.Pos()), member)
				}
			}
			return true
		})
	})
	if performed < 30 {
		t.Errorf("read %d acts", performed)
	}
}

// sent returns the members of a literal of type members, and the member that arguments set.
func sent(n ast.Node) (out []string) {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	switch of := lit.Type.(type) {
	case *ast.Ident:
		if of.Name != "members" {
			return nil
		}
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if member, ok := literal(pair.Key); ok {
					out = append(out, member)
				}
			}
		}
	}
	return out
}

// Every member that the console and the command read is one that an answer or a record has.
func TestAnswersAreRead(t *testing.T) {
	known := answered(t)
	reads := map[string]bool{
		"text": true, "list": true, "at": true, "names": true, "pretty": true, "is": true, "body": true, "number": true,
		"texts": true, "cell": true,
	}
	for _, dir := range []string{consoleDir, commandDir} {
		s, count := read(t, dir), 0
		check := func(n ast.Node, path string) {
			path = strings.TrimRight(path, "#~")
			for name := range strings.SplitSeq(path, ".") {
				count++
				if !known[name] && name != "" {
					t.Errorf("%s: reads %q, which no answer and no record has", s.Position(n.Pos()), name)
				}
			}
		}
		s.declarations(func(d ast.Decl) {
			ast.Inspect(d, func(n ast.Node) bool {
				name, args := called(n)
				if reads[name] && len(args) == 1 {
					if path, ok := literal(args[0]); ok && isPath(n) {
						check(n, path)
					}
				}
				if lit, ok := n.(*ast.CompositeLit); ok && fmt.Sprint(lit.Type) == "columns" {
					for _, e := range lit.Elts {
						column, _ := literal(e)
						_, path, _ := strings.Cut(column, " ")
						check(e, path)
					}
				}
				return true
			})
		})
		if count < 80 {
			t.Errorf("%s: read %d members", dir, count)
		}
	}
}

// isPath reports whether a call is a method, with a whole literal.
func isPath(n ast.Node) bool {
	call := n.(*ast.CallExpr)
	_, method := call.Fun.(*ast.SelectorExpr)
	_, whole := call.Args[0].(*ast.BasicLit)
	return method && whole
}

// answered are the names of the members in the answers of the control API: those that its source writes, the fields of
// records, and the examples of the table.
func answered(t *testing.T) map[string]bool {
	known := map[string]bool{}
	for _, dir := range []string{controlDir, "../world"} {
		s := read(t, dir)
		s.declarations(func(d ast.Decl) {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.KeyValueExpr:
					if key, ok := literal(n.Key); ok {
						known[key] = true
					}
				case *ast.IndexExpr: // out["name"] = …
					if key, ok := literal(n.Index); ok {
						known[key] = true
					}
				case *ast.Field:
					if n.Tag != nil {
						tag, _ := strconv.Unquote(n.Tag.Value)
						name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
						known[name] = true
					}
					for _, name := range n.Names {
						known[snake(name.Name)] = true
					}
				}
				return true
			})
		})
	}
	return known
}

// A method of clienttest that performs an act exists. Its parameters, and the fields of their types, are members of it.
func TestGoTests(t *testing.T) {
	s := read(t, goTestDir)
	fields, methods := map[string][]string{}, map[string]*ast.FuncDecl{}
	s.declarations(func(d ast.Decl) {
		maps.Copy(fields, structs(d))
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			if of, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				methods[fmt.Sprint(of.X)+"."+f.Name.Name] = f
			}
		}
	})
	named := 0
	for _, a := range control.Acts() {
		for _, name := range a.InGo {
			named++
			f := methods[name]
			if f == nil {
				t.Errorf("%s: clienttest has no method %s", a.Name, name)
				continue
			}
			for _, parameter := range parameters(f, a, fields) {
				if !takes(a, parameter) {
					t.Errorf("%s: %s has the parameter %q, which is no member of %s", s.Position(f.Pos()), name, parameter, a.Name)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("read %d methods", named)
	}
}

// structs returns the fields of the struct types that a declaration has.
func structs(d ast.Decl) map[string][]string {
	out := map[string][]string{}
	ast.Inspect(d, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					out[spec.Name.Name] = append(out[spec.Name.Name], name.Name)
				}
			}
		}
		return true
	})
	return out
}

// parameters returns the parameters of a method without its context. A struct that is no member of the act as a whole
// is replaced by its fields.
func parameters(f *ast.FuncDecl, a act.Act, fields map[string][]string) (out []string) {
	for _, p := range f.Type.Params.List {
		of, named := p.Type, len(p.Names) > 0 && takes(a, p.Names[0].Name)
		if rest, ok := of.(*ast.Ellipsis); ok {
			of = rest.Elt
		}
		name, _ := of.(*ast.Ident)
		if name != nil && fields[name.Name] != nil && !named {
			out = append(out, fields[name.Name]...)
			continue
		}
		for _, n := range p.Names {
			if n.Name != "ctx" {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// otherwise are the names of Go that differ from those of the control API.
var otherwise = map[string]string{"CreditCardCompany": "company"}

// takes reports whether an act takes what Go names so, in its body or its path.
func takes(a act.Act, name string) bool {
	if other, ok := otherwise[name]; ok {
		name = other
	}
	plain := strings.TrimSuffix(snake(name), "_id")
	if slices.Contains(a.Parameters(), plain) || len(a.Parameters()) > 0 && plain == "id" {
		return true
	}
	return slices.ContainsFunc(a.Members(), func(m act.Member) bool {
		first, _, _ := strings.Cut(m.Name, ".")
		return first == plain || first == snake(name)
	})
}

// snake writes a name of Go as one of JSON.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// The names are unique, and every example of a body has only members.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range control.Acts() {
		if seen[a.Name] || a.Name == "" {
			t.Errorf("two acts are named %q", a.Name)
		}
		seen[a.Name] = true
		if a.Does == "" || a.Answer == "" {
			t.Errorf("%s has no help or no example", a.Name)
		}
	}
	if _, err := os.Stat(controlDir + "/api.md"); err != nil {
		t.Error(err)
	}
}

// Every read of the console is an act: each part of its path that is written in the source is that of one.
func TestConsoleReads(t *testing.T) {
	s, reads := read(t, consoleDir), 0
	s.declarations(func(d ast.Decl) {
		ast.Inspect(d, func(n ast.Node) bool {
			name, args := called(n)
			if name != "get" && name != "last" || len(args) != 1 {
				return true
			}
			path := pathOf(args[0])
			if path, _, _ = strings.Cut(path, "?"); path == "" || strings.HasPrefix(path, "*") {
				return true // the rest of a path that was begun elsewhere
			}
			reads++
			if !slices.ContainsFunc(control.Acts(), func(a act.Act) bool { return a.Reads() && leads(a.Path, path) }) {
				t.Errorf("%s: the console reads %q, which is no act", s.Position(n.Pos()), path)
			}
			return true
		})
	})
	if reads < 35 {
		t.Errorf("read %d paths", reads)
	}
}

// pathOf returns the path that an expression makes, with * for what the source does not say.
func pathOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return pathOf(e.X) + pathOf(e.Y)
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.Ident:
		if e.Name == "at" {
			return "stores/*/"
		}
	}
	return "*"
}

// leads reports whether a path is one of an act.
func leads(of, path string) bool {
	want, got := strings.Split(of, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		parameter := strings.HasPrefix(want[i], "{") && got[i] == "*" || want[i] == "{resource}"
		if want[i] != got[i] && !parameter {
			return false
		}
	}
	return true
}
