package contract

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// covered are the resources whose endpoints testdata/coverage.md follows from the table to the tests.
var covered = []string{
	"blogs", "business_rules", "email_templates", "external_invoices", "price_tables", "transactions",
}

const coverageIntro = `# Endpoints, methods, operations and tests

This page follows each endpoint of some resources through the repository: the client's method, the reference server's
operation, and the tests that call either. It is generated:
` + "`go test ./internal/contract -run TestCoverage -update`" + `.

- An endpoint is a row of [testdata/endpoints.tsv](../../../testdata/endpoints.tsv).
- A method is marked with ` + "`//api:endpoint`" + `. A test of it calls it as the method of an API's field, or in
  a test file that is named after the resource.
- An operation is a row of a table in internal/refserver/res. A test of it is in a test file there that is named after
  the resource, and sends a request whose text can be that of the operation and of none with a shorter path, or plays a
  refusal that names the operation.
- A cell names three tests at most. It changes only if one of them is gone.
- A cell that is empty fails the test. To have another resource here, name it in coverage_test.go.

| Endpoint | Method | Tests of the method | Operation | Tests of the operation |
|---|---|---|---|---|
`

// TestCoverage compares testdata/coverage.md with the table of endpoints, the client, the server and their tests.
func TestCoverage(t *testing.T) {
	const file = "testdata/coverage.md"
	got, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	before := rowsBefore(string(got))
	var page strings.Builder
	page.WriteString(coverageIntro)
	all, ops, seen := exercises(t), map[string]api.Op{}, map[string]bool{}
	for _, op := range res.Ops() {
		ops[op.Method+" "+op.Path] = op
	}
	for _, e := range table(t) {
		if !slices.Contains(covered, e.resource) {
			continue
		}
		seen[e.resource] = true
		var callers []string
		for _, method := range e.methods() {
			callers = append(callers, all.of(method, e.field(t, method), e.resource)...)
		}
		op, was := ops[e.key()], before[e.key()]
		cells := []string{
			"`" + e.key() + "`", strings.Join(e.methods(), ", "), listed(callers, was[2]), op.ID,
			listed(all.sending(op, e.resource), was[4]),
		}
		for i, empty := range []string{"endpoint", "method", "test of the method", "operation", "test of the operation"} {
			if cells[i] == "" {
				t.Errorf("line %d, %s: no %s", e.line, e.key(), empty)
			}
		}
		fmt.Fprintf(&page, "| %s |\n", strings.Join(cells, " | "))
	}
	for _, resource := range covered {
		if !seen[resource] {
			t.Errorf("the table of endpoints has no resource %s", resource)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != page.String() && !*update {
		t.Errorf("%s is stale: run this test with -update", file)
	}
}

// rowsBefore returns the cells of the page by endpoint.
func rowsBefore(page string) map[string][5]string {
	rows := map[string][5]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) == 5 {
			rows[strings.Trim(cells[0], "`")] = [5]string(cells)
		}
	}
	return rows
}

// exercise is what a test, an example or a list of refusals calls.
type exercise struct {
	dir, file, name string
	methods         map[string]bool // "Get", and "Products.Get" where the field is named
	texts           []string        // those that it has, with what is not known of them left open
}

type exerciseList []exercise

// entry is the name of what go test runs, or what returns the cases of TestRefusals.
var entry = regexp.MustCompile(`^(Test|Example|Fuzz)|Refusals$`)

// exercises returns what the tests of the root module do.
func exercises(t *testing.T) (all exerciseList) {
	t.Helper()
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !entry.MatchString(f.Name.Name) {
				continue
			}
			x := exercise{s.dir, s.name, f.Name.Name, map[string]bool{}, nil}
			if strings.HasSuffix(x.name, "Refusals") {
				x.name = "TestRefusals"
			}
			ast.Inspect(f, x.look)
			all = append(all, x)
		}
	}
	return all
}

// look notes the calls of methods and the texts of a node.
func (x *exercise) look(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		if method, ok := call.Fun.(*ast.SelectorExpr); ok {
			x.methods[method.Sel.Name] = true
			if field, ok := method.X.(*ast.SelectorExpr); ok {
				x.methods[field.Sel.Name+"."+method.Sel.Name] = true
			}
		}
	}
	if e, ok := n.(ast.Expr); ok {
		if text := known(e, 0); text != open {
			x.texts = append(x.texts, text)
		}
	}
	return true
}

// about reports whether the test file is named after a resource.
func (x exercise) about(resource string) bool {
	return strings.HasPrefix(x.file, strings.TrimSuffix(resource, "s"))
}

// of returns the tests that call a method, "PriceTable.Get", of a field of an API.
func (all exerciseList) of(method, field, resource string) (found []string) {
	_, name, _ := strings.Cut(method, ".")
	for _, x := range all {
		if x.methods[field+"."+name] || x.methods[name] && x.about(resource) && public(x.dir) {
			found = append(found, x.dir+" "+x.name)
		}
	}
	return found
}

// sending returns the tests of the server that send the request of an operation.
func (all exerciseList) sending(op api.Op, resource string) (found []string) {
	for _, x := range all {
		sends := func(text string) bool { return names(text, op) }
		if x.dir == resources && x.about(resource) && slices.ContainsFunc(x.texts, sends) {
			found = append(found, x.name)
		}
	}
	return found
}

// names reports whether a text is the id of an operation, as refusals have it, or can be its request.
func names(text string, op api.Op) bool {
	_, act, _ := strings.Cut(op.ID, ".")
	if text == op.ID || text == act {
		return true
	}
	_, path, ok := strings.Cut(text, op.Method+" ")
	if path, _, _ = strings.Cut(path, "?"); !ok || !sent(path, op.Path) {
		return false
	}
	prefix, _, _ := strings.Cut(op.ID, ".")
	return !slices.ContainsFunc(res.Ops(), func(other api.Op) bool {
		return strings.HasPrefix(other.ID, prefix+".") && other.Method == op.Method &&
			strings.Count(other.Path, "/") < strings.Count(op.Path, "/") && sent(path, other.Path)
	})
}

// segment is a parameter of a path.
var segment = regexp.MustCompile(`\{\w+\}`)

// sent reports whether a text can be a path. What is left open can be any parts of it, but ends with a parameter.
func sent(text, path string) bool {
	parts := strings.Split(text, open)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	can := regexp.MustCompile("^" + strings.Join(parts, ".+") + "$")
	return can.MatchString(segment.ReplaceAllString(path, "7")) &&
		(strings.HasSuffix(path, "}") || !strings.HasSuffix(text, open))
}

// open is a part of a text that is known only when the test runs.
const open = "\x00"

// verb is one of a format.
var verb = regexp.MustCompile(`%[a-z]`)

// known is what is known of a text: literals, what is put together of them, and the variables that they are given to.
func known(e ast.Expr, depth int) string {
	const deepest = 5
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return known(e.X, depth) + known(e.Y, depth)
		}
	case *ast.Ident:
		if depth < deepest && e.Obj != nil {
			return given(e, depth+1)
		}
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprint" {
			var text string
			for _, arg := range e.Args {
				text += known(arg, depth)
			}
			return text
		} else if ok && f.Sel.Name == "Sprintf" {
			return verb.ReplaceAllString(known(e.Args[0], depth), open)
		}
	}
	return open
}

// given is what is known of the value that a variable or constant was declared with.
func given(e *ast.Ident, depth int) string {
	switch d := e.Obj.Decl.(type) {
	case *ast.AssignStmt:
		for i, name := range d.Lhs {
			if ident, ok := name.(*ast.Ident); ok && ident.Name == e.Name && len(d.Lhs) == len(d.Rhs) {
				return known(d.Rhs[i], depth)
			}
		}
	case *ast.ValueSpec:
		for i, name := range d.Names {
			if name.Name == e.Name && i < len(d.Values) {
				return known(d.Values[i], depth)
			}
		}
	}
	return open
}

// listed shows some of several tests: those that the page has, as long as all of them are there, so that a new test
// changes nothing, or else the three with the shortest names.
func listed(tests []string, page string) string {
	const most = 3
	known := strings.Split(page, ", ")
	if !slices.ContainsFunc(known, func(name string) bool { return !slices.Contains(tests, name) }) {
		return page
	}
	slices.SortFunc(tests, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	tests = slices.Compact(tests)
	return strings.Join(tests[:min(len(tests), most)], ", ")
}
