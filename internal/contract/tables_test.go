package contract

import (
	"go/ast"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// keepers are the packages that keep rows in a database of the app.
var keepers = []string{
	"oauth/sqlstore", "client/sqljournal", "client/sqlcopy", "client/sqljobs", "client/multistore", "payments/sqlledger", "shipping/sqlrates",
}

// engines are inboxes, which have connections of their own drivers. Their transactions begin in these functions, for
// the reason.
var engines = map[string]map[string]string{
	"webhook/postgres": {
		"within BeginTxFunc": "READ COMMITTED and the settings of the inbox",
		"attempt Acquire":    "a batch with the settings, which repeats what the server rolled back and closes an unfit connection",
		"pooled AcquireFunc": "asks for the process of the server, in no transaction",
		"beside BeginFunc":   "holds a session of a pooler, and executes nothing of the inbox",
	},
	"webhook/sqlite": {
		"Transact BeginTx": "the transaction of a handler, after its turn",
		"migrate BeginTx":  "patient repeats it while the file is busy",
		"verify BeginTx":   "takes the write lock, and writes nothing",
		"newWriter Conn":   "the connection of the collector, which writes all else",
	},
}

// Transactions begin and rows are read in internal/tables alone, which asks for the level of isolation and repeats what
// the database has rolled back. A package that did so itself failed where the default level was another.
func TestRowsAreReadInOnePlace(t *testing.T) {
	begins := []string{"Begin", "BeginTx", "BeginFunc", "BeginTxFunc", "Conn", "Acquire", "AcquireFunc"}
	reads := []string{"Query", "QueryContext", "QueryRow", "QueryRowContext"}
	seen := map[string]bool{}
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		reasons, engine := engines[s.dir]
		forbidden := begins
		if !engine {
			forbidden = slices.Concat(begins, reads)
		}
		if !engine && !slices.Contains(keepers, s.dir) {
			continue
		}
		seen[s.dir] = true
		for in, name := range callsOf(s.file, forbidden) {
			if place := in + " " + name; reasons[place] == "" {
				t.Errorf("%s/%s: %s: must use Run, Exec or Query of internal/tables", s.dir, s.name, place)
			} else {
				seen[s.dir+" "+place] = true
			}
		}
	}
	for _, dir := range keepers {
		if !seen[dir] {
			t.Errorf("%s has no source", dir)
		}
	}
	for dir, places := range engines {
		for place := range places {
			if !seen[dir+" "+place] {
				t.Errorf("%s: %s is not there", dir, place)
			}
		}
	}
}

// callsOf yields the calls of methods with these names, except those of internal/tables: the function and the method.
func callsOf(file *ast.File, names []string) iter.Seq2[string, string] {
	return func(yield func(in, name string) bool) {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for n := range ast.Preorder(f) {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					continue
				}
				to, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(names, to.Sel.Name) || to.Sel.Name == "Conn" && len(call.Args) == 0 {
					continue
				}
				if of, ok := to.X.(*ast.Ident); ok && of.Name == "tables" {
					continue
				}
				if !yield(f.Name.Name, to.Sel.Name) {
					return
				}
			}
		}
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
