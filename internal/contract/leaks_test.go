package contract

import (
	"go/ast"
	"regexp"
	"testing"
)

// isRun is the name of what go test runs without being asked: benchmarks are of other people's code as well.
var isRun = regexp.MustCompile(`^(Test|Fuzz|Example)`)

// Every package with tests, of every module, checks that they leave no goroutine behind: where its tests begin
// and end, not in one of them.
func TestEveryPackageChecksForLeaks(t *testing.T) {
	tested, checked := map[string]bool{}, map[string]bool{}
	for _, s := range allSources(t) {
		if !s.test() {
			continue
		}
		main, leaks := false, false
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				tested[s.dir] = tested[s.dir] || n.Recv == nil && isRun.MatchString(n.Name.Name)
				main = main || n.Recv == nil && n.Name.Name == "TestMain"
			case *ast.SelectorExpr:
				pkg, ok := n.X.(*ast.Ident)
				leaks = leaks || ok && pkg.Name == "goleak" && (n.Sel.Name == "VerifyTestMain" || n.Sel.Name == "Find")
			}
			return true
		})
		checked[s.dir] = checked[s.dir] || main && leaks // beside each other: TestMain may call what looks
	}
	for dir, has := range tested {
		if has && !checked[dir] {
			t.Errorf("%s has no TestMain with goleak.VerifyTestMain", dir)
		}
	}
}
