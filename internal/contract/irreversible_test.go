package contract

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// irreversible are the names of functions that destroy, end or pay something.
var irreversible = map[string]bool{
	"Charge": true, "Delete": true, "Erase": true, "Forget": true, "OnGone": true, "Purge": true, "Refund": true,
	"Repay": true, "Retire": true, "Uninstall": true, "Void": true, "Withdraw": true,
}

// endings are names of values that end something where they are used.
var endings = regexp.MustCompile(`^(StatusUninstalled|Act(EndPromotions|Erase|Retire)|[a-z]\w*Tombstones?|tombstone\w*)$`)

// endOfEntry are members of a result that end an entry of an inbox where they are set.
var endOfEntry = map[string]bool{"Dead": true, "Dropped": true}

// destroying are the statements of databases that destroy a row or give it up.
var destroying = regexp.MustCompile(`DELETE FROM|SET state = 'dead'|TRUNCATE TABLE|DROP TABLE`)

// notProduct are the directories in which an act costs no merchant anything.
var notProduct = regexp.MustCompile(`^(examples|internal/(cmd|contract|deviate|proof|refserver|tools))(/|$)|[a-z]test$`)

// deletesByName is the one site of all methods that delete the record that the app names.
const deletesByName = "//api:endpoint DELETE"

// acts returns the sites of a file that destroy, end or pay something, as directory.Type.Function or directory.name of
// a constant or variable.
func acts(s source) []string {
	var found []string
	for _, decl := range s.file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && destroys(d.Body) {
				found = append(found, siteOf(s.dir, d))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && slices.ContainsFunc(v.Values, func(e ast.Expr) bool { return destroys(e) }) {
					found = append(found, s.dir+"."+v.Names[0].Name)
				}
			}
		}
	}
	return found
}

// siteOf names a function; methods of an endpoint that deletes share one name.
func siteOf(dir string, d *ast.FuncDecl) string {
	if d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, deletesByName)
	}) {
		return deletesByName
	}
	name := d.Name.Name
	if d.Recv != nil {
		name = receiver(d) + "." + name
	}
	return dir + "." + name
}

// destroys reports whether code calls, names or sends to a database anything that destroys, ends or pays something.
func destroys(code ast.Node) bool {
	found := false
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || destroysBy(n.Fun)
		case *ast.Ident:
			found = found || endings.MatchString(n.Name)
		case *ast.AssignStmt:
			found = found || n.Tok != token.ADD_ASSIGN && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return setsEnd(e, n.Rhs[0]) })
		case *ast.CompositeLit:
			of, _ := n.Type.(*ast.Ident)
			found = found || of != nil && of.Name == "Failed" && slices.ContainsFunc(n.Elts, namesEnd)
		case *ast.BasicLit:
			found = found || n.Kind == token.STRING && destroying.MatchString(n.Value)
		}
		return !found
	})
	return found
}

// setsEnd reports whether an assignment ends an entry.
func setsEnd(to, value ast.Expr) bool {
	member, ok := to.(*ast.SelectorExpr)
	return ok && endOfEntry[member.Sel.Name] && !isFalse(value)
}

// namesEnd reports whether a member of a literal ends an entry.
func namesEnd(e ast.Expr) bool {
	pair, ok := e.(*ast.KeyValueExpr)
	return ok && setsEnd(&ast.SelectorExpr{Sel: pair.Key.(*ast.Ident)}, pair.Value)
}

func isFalse(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "false"
}

// destroysBy reports whether a called function has the name of an act. Elements of slices and maps are no merchant's.
func destroysBy(called ast.Expr) bool {
	switch f := called.(type) {
	case *ast.IndexExpr:
		return destroysBy(f.X)
	case *ast.SelectorExpr:
		of, _ := f.X.(*ast.Ident)
		return irreversible[f.Sel.Name] && (of == nil || of.Name != "slices" && of.Name != "maps")
	}
	return false
}

// Every site of the product that destroys, ends or pays something has one row that says which evidence the act
// requires, how it is undone, and which tests play both. Its last column names the tests that give the act false
// evidence of each kind, or says why no evidence from outside decides it. A row names nothing that is not there.
func TestIrreversibleActs(t *testing.T) {
	const columns = 6
	data, err := os.ReadFile("testdata/irreversible.tsv")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for _, s := range allSources(t) {
		if !s.test() && !notProduct.MatchString(s.dir) {
			for _, site := range acts(s) {
				open[site] = true
			}
		}
	}
	if len(open) < 20 {
		t.Fatalf("found %d sites, want those of all packages", len(open))
	}
	found, known := maps.Clone(open), tests(t)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		row := strings.Split(line, "\t")
		if len(row) != columns || slices.Contains(row, "") {
			t.Fatalf("line %d: %q: must be act, sites, evidence, undone by, tests, tests of false evidence", i+2, line)
		}
		for site := range strings.SplitSeq(row[1], "; ") {
			if !open[site] {
				t.Errorf("%s: %s is no act, or another row has it: %t", row[0], site, found[site])
			}
			delete(open, site)
		}
		named := strings.Fields(row[4])
		if !strings.HasPrefix(row[5], "none: ") {
			named = append(named, strings.Fields(row[5])...)
		}
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s: there is no test %s", row[0], name)
			}
		}
	}
	for _, site := range slices.Sorted(maps.Keys(open)) {
		t.Errorf("%s destroys, ends or pays something, and no row of irreversible.tsv has it", site)
	}
}
