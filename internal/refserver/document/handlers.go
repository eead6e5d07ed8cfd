package document

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// resources is the package of the operations.
const resources = "internal/refserver/res"

// record is the type that an operation answers, by its name, and whether it answers a list of them.
type record struct {
	kind   string
	isList bool
}

// answerTypes finds the types of the answers of operations in the source: that of the record which the handler shows.
// Operations whose answer has no type of its own, or an id that is not a literal, are left out.
func (s *source) answerTypes() (map[string]record, error) {
	p, err := s.in(resources)
	if err != nil {
		return nil, err
	}
	out := map[string]record{}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			id, handler := operationRow(row)
			if id == "" || handler == nil {
				return true
			}
			if kind, isList := p.shown(handler); kind != "" {
				out[id] = record{kind, isList}
			}
			return false
		})
	}
	return out, nil
}

// operationRow returns the id and the handler of a row of a table of operations, "" for other literals.
func operationRow(row *ast.CompositeLit) (id string, handler ast.Expr) {
	for _, e := range row.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, _ := pair.Key.(*ast.Ident)
		switch text, _ := pair.Value.(*ast.BasicLit); {
		case name == nil:
		case name.Name == "ID" && text != nil:
			id, _ = strconv.Unquote(text.Value)
		case name.Name == "Handler":
			handler = pair.Value
		}
	}
	return id, handler
}

// shown is the name of the type that a handler shows, and whether it lists it.
func (p *parsed) shown(handler ast.Expr) (kind string, isList bool) {
	call, ok := handler.(*ast.CallExpr)
	if !ok {
		return p.result(handler, 0), false
	}
	maker, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return "", false
	}
	return p.result(call.Args[1], 0), maker.Sel.Name != "Record"
}

// deepest bounds how far calls are followed.
const deepest = 5

// result is the name of the struct that a function returns first: the type of a literal in one of its returns, or of
// a function that is called there.
func (p *parsed) result(of ast.Expr, depth int) string {
	name, ok := of.(*ast.Ident)
	if !ok || depth > deepest {
		return ""
	}
	f := p.functions[name.Name]
	if f == nil || f.Body == nil {
		return ""
	}
	if declared, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && strings.HasSuffix(declared.Name, "JSON") {
		return declared.Name
	}
	return p.returned(f.Body, depth)
}

// returned is the name of the struct that a body returns first. Functions within it have results of their own.
func (p *parsed) returned(body *ast.BlockStmt, depth int) (kind string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || len(r.Results) == 0 || kind != "" {
			return true
		}
		if kind = p.kind(r.Results[0], depth); kind == "" {
			if v, ok := r.Results[0].(*ast.Ident); ok {
				kind = p.local(body, v.Name, depth)
			}
		}
		return kind == ""
	})
	return kind
}

// kind is the name of the struct of a literal, or of what a function returns that is called.
func (p *parsed) kind(of ast.Expr, depth int) string {
	switch v := of.(type) {
	case *ast.CompositeLit:
		if t, ok := v.Type.(*ast.Ident); ok {
			return t.Name
		}
	case *ast.CallExpr:
		return p.result(v.Fun, depth+1)
	case *ast.FuncLit: // of a function that makes the one that shows a record
		return p.returned(v.Body, depth)
	}
	return ""
}

// local is the name of the struct that a variable of a function is set to first.
func (p *parsed) local(body *ast.BlockStmt, name string, depth int) (kind string) {
	ast.Inspect(body, func(n ast.Node) bool {
		set, ok := n.(*ast.AssignStmt)
		if !ok || kind != "" || set.Tok != token.DEFINE {
			return true
		}
		if to, ok := set.Lhs[0].(*ast.Ident); !ok || to.Name != name {
			return true
		}
		kind = p.kind(set.Rhs[0], depth)
		return true
	})
	return kind
}
