package client_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// bytewise is why tests of copies are exact.
const bytewise = "it compares records byte for byte, and counts pages"

// exact are tests against the server that look at how a response was written. They cannot run with deviations.
var exact = map[string]string{
	"TestSyncByTheServersClock":      "it compares marks with the Date of responses, to the second",
	"TestPagesAgainstTheServer":      "it checks how many records a page has",
	"TestCopyOverwritesNothingNewer": bytewise,
	"TestCopyMarksBeforeTheCrawl":    bytewise,
	"TestCopyBringsNothingBack":      bytewise,
	"TestCopyResumesAtItsPage":       bytewise,
	"TestCopyReconciles":             bytewise,
	"TestCopyOfWhatCannotBeRead":     bytewise,
	"TestCopyConfirmsDeletions":      bytewise,
	"TestCopyOfManyOrders":           bytewise,
	"TestCopyStateIsBounded":         bytewise,
	"TestProofCopyKilled":            bytewise,
	"TestCopyMoved":                  bytewise,
	"TestCopyRejects":                bytewise,
	"TestTombstonesEnd":              bytewise,
}

// TestProofServerTestsDeviate runs the tests against the reference server once more, with responses in other forms that
// have the same meaning. Each run has another seed.
func TestProofServerTestsDeviate(t *testing.T) {
	if *deviation != 0 {
		return // this is such a run
	}
	tests := serverTests(t)
	for name := range exact {
		if !slices.Contains(tests, name) {
			t.Errorf("%s is no test against the server: it needs no exception", name)
		}
	}
	tests = slices.DeleteFunc(tests, func(name string) bool { return exact[name] != "" })
	if len(tests) < 30 {
		t.Errorf("%d tests against the server, want at least 30: %v", len(tests), tests)
	}
	for seed := 1; seed <= tier.Size(1, 4, 300); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			repeat := []string{"-deviate", fmt.Sprint(seed), "-client.seed", fmt.Sprint(seed)}
			args := append(repeat, "-test.run", "^("+strings.Join(tests, "|")+")$")
			if out, err := exec.CommandContext(t.Context(), os.Args[0], args...).CombinedOutput(); err != nil {
				t.Errorf("%v; go test ./client %s\n%s", err, strings.Join(repeat, " "), out)
			}
		})
	}
}

// serverTests returns the tests that start a server with newServer or startServer, also by way of other functions.
func serverTests(t *testing.T) (tests []string) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{} // by function
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name.Name != "client_test" {
			continue
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Body == nil {
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					calls[f.Name.Name] = append(calls[f.Name.Name], id.Name)
				}
				return true
			})
		}
	}
	starts := map[string]bool{"newServer": true, "startServer": true}
	for before := 0; before != len(starts); {
		before = len(starts)
		for f, called := range calls {
			if slices.ContainsFunc(called, func(name string) bool { return starts[name] }) {
				starts[f] = true
			}
		}
	}
	for f := range starts {
		if strings.HasPrefix(f, "Test") {
			tests = append(tests, f)
		}
	}
	slices.Sort(tests)
	return tests
}
