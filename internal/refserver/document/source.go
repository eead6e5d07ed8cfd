package document

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// module is the prefix of the import paths of this repository.
const module = "github.com/commerceplatform/commerce-go/"

// source reads Go types from the files of the repository, including unexported ones.
type source struct {
	root     string
	packages map[string]*parsed
}

// parsed is a package as it is written.
type parsed struct {
	dir       string
	files     []*ast.File
	types     map[string]declared
	functions map[string]*ast.FuncDecl
	// special are the types that write their own JSON.
	special map[string]bool
}

// declared is a type with the imports of its file, which give the directory by the name.
type declared struct {
	*ast.TypeSpec
	imports map[string]string
}

// in returns the package in a directory below the root, without its tests.
func (s *source) in(dir string) (*parsed, error) {
	if p := s.packages[dir]; p != nil {
		return p, nil
	}
	files, err := filepath.Glob(filepath.Join(s.root, dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("package %s: there are no files, %w", dir, os.ErrNotExist)
	}
	p := &parsed{
		dir: dir, types: map[string]declared{}, functions: map[string]*ast.FuncDecl{}, special: map[string]bool{},
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
		p.read(file)
	}
	s.packages[dir] = p
	return p, nil
}

// read notes the types and the functions of a file.
func (p *parsed) read(file *ast.File) {
	imports := map[string]string{}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value) // the parser accepts nothing else
		name := path[strings.LastIndex(path, "/")+1:]
		imports[name] = strings.TrimPrefix(path, module)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil:
				p.functions[d.Name.Name] = d
			case d.Name.Name == "MarshalJSON":
				p.special[strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.types[spec.Name.Name] = declared{spec, imports}
				}
			}
		}
	}
}

// of returns the schema of a type of a package, such as "carrier.requestJSON" below internal/refserver.
func (s *source) of(name string) (schema, error) {
	dir, kind, _ := strings.Cut(name, ".")
	p, err := s.in("internal/refserver/" + dir)
	if err != nil {
		return nil, err
	}
	return s.named(p, kind)
}

// named is the schema of a type of a package by its name.
func (s *source) named(p *parsed, name string) (schema, error) {
	t, ok := p.types[name]
	if !ok {
		return nil, fmt.Errorf("%s.%s: there is no such type", p.dir, name)
	}
	if p.special[name] {
		return schema{}, nil // the form is that of bodies that were seen
	}
	out, err := s.expr(p, t.imports, t.Type)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", p.dir, name, err)
	}
	return out, nil
}

// basic are the schemas of types that are not structs of the repository.
var basic = map[string]schema{
	"string": {"type": "string"}, "bool": {"type": "boolean"}, "int": {"type": "integer"}, "int64": {"type": "integer"},
	"float64": {"type": "number"}, "any": {}, "encoding/json.Number": {"type": "number"}, "encoding/json.RawMessage": anything(),
}

// expr is the schema of a type as it is written.
func (s *source) expr(p *parsed, imports map[string]string, e ast.Expr) (schema, error) {
	switch e := e.(type) {
	case *ast.Ident:
		if b, ok := basic[e.Name]; ok {
			return b.clone(), nil
		}
		return s.named(p, e.Name)
	case *ast.SelectorExpr:
		dir := imports[e.X.(*ast.Ident).Name]
		if b, ok := basic[dir+"."+e.Sel.Name]; ok {
			return b.clone(), nil
		}
		if !strings.HasPrefix(dir, "internal/") {
			return schema{}, nil
		}
		other, err := s.in(dir)
		if err != nil {
			return nil, err
		}
		return s.named(other, e.Sel.Name)
	case *ast.StarExpr:
		out, err := s.expr(p, imports, e.X)
		return out.nullable(), err
	case *ast.ArrayType:
		items, err := s.expr(p, imports, e.Elt)
		return schema{"type": "array", "items": items}, err
	case *ast.MapType:
		values, err := s.expr(p, imports, e.Value)
		return schema{"type": "object", "additionalProperties": values}, err
	case *ast.StructType:
		out := object()
		return out, s.fields(out, p, imports, e)
	}
	return nil, fmt.Errorf("a type of the kind %T has no schema", e)
}

// instant matches the names of members that are times, or null.
var instant = regexp.MustCompile(`_(at|date)$`)

// fields adds the members of a struct to the schema of an object.
func (s *source) fields(to schema, p *parsed, imports map[string]string, t *ast.StructType) error {
	for _, f := range t.Fields.List {
		name, omitted := "", false
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			var options string
			name, options, _ = strings.Cut(reflect.StructTag(text).Get("json"), ",")
			omitted = strings.Contains(options, "omit")
		}
		kind := f.Type
		if pointer, ok := kind.(*ast.StarExpr); ok && (omitted || name == "") {
			kind = pointer.X // nil is left out, and so never null
		}
		member, err := s.expr(p, imports, kind)
		if len(member) == 0 && instant.MatchString(name) {
			member = text().nullable()
		}
		switch {
		case err != nil:
			return err
		case name == "":
			to.embed(member)
		default:
			to.set(name, member, !omitted)
		}
	}
	return nil
}
