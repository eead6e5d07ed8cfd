package contract

import (
	"go/ast"
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
