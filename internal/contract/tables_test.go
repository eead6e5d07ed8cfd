package contract

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// keepers are the packages that keep rows in a database of the app.
var keepers = []string{"oauth/sqlstore", "client/sqljournal", "client/sqlcopy", "client/multistore", "payments/sqlledger", "shipping/sqlrates"}

// Transactions begin and rows are read in internal/tables alone, which asks for the level of isolation and repeats what
// the database has rolled back. A package that did so itself failed where the default level was another.
func TestRowsAreReadInOnePlace(t *testing.T) {
	forbidden := []string{"Begin", "BeginTx", "Query", "QueryContext", "QueryRow", "QueryRowContext", "Conn"}
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if s.test() || !slices.Contains(keepers, s.dir) {
			continue
		}
		seen[s.dir] = true
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			to, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(forbidden, to.Sel.Name) {
				return true
			}
			if of, ok := to.X.(*ast.Ident); ok && of.Name == "tables" {
				return true
			}
			t.Errorf("%s/%s calls %s: must use Run, Exec or Query of internal/tables", s.dir, s.name, to.Sel.Name)
			return true
		})
	}
	if len(seen) != len(keepers) {
		t.Errorf("found the packages %v, want %v", seen, keepers)
	}
}

// A logical copy of a database has the rows and not the sequences, so numbers of a copy begin at 1 again. The packages
// take the numbers that their rows are compared by from the rows themselves, or at random.
func TestRowsHaveNoSequences(t *testing.T) {
	sequences := regexp.MustCompile(`(?i)\b(small|big)?serial\b|\bsequence\b|\bidentity\b|\bautoincrement\b|\bnextval\b`)
	for _, dir := range keepers {
		files, err := filepath.Glob(filepath.Join(root, dir, "migrations", "*.sql"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has the migrations %v, %v", dir, files, err)
		}
		for _, file := range files {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if found := sequences.Find(script); found != nil {
				t.Errorf("%s has %q", file, found)
			}
		}
	}
}
