package client_test

import (
	"context"
	"flag"
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
	"time"
)

var deviatingRuns = flag.Int("deviate.runs", runsByDefault, "how often the tests against the server run with deviations, each time with another seed")

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
	"TestCopyKilled":                 bytewise,
	"TestCopyMoved":                  bytewise,
	"TestCopyRejects":                bytewise,
}

// TestServerTestsDeviate runs the tests against the reference server once more, with responses in other forms that have
// the same meaning.
func TestServerTestsDeviate(t *testing.T) {
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
	for seed := 1; seed <= *deviatingRuns; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			args := []string{"-test.run", "^(" + strings.Join(tests, "|") + ")$", "-deviate", fmt.Sprint(seed), "-test.timeout", "50s"}
			if out, err := exec.CommandContext(ctx, os.Args[0], args...).CombinedOutput(); err != nil {
				t.Errorf("%v; go test ./client %s\n%s", err, strings.ReplaceAll(strings.Join(args[2:4], " "), "-test.", "-"), out)
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
