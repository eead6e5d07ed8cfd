package contract

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tests returns the names of all tests of all modules, as directory.TestName.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, s := range allSources(t) {
		if !s.test() {
			continue
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				all[s.dir+"."+f.Name.Name] = true
			}
		}
	}
	return all
}

// Every threat has tests, and they exist.
func TestThreats(t *testing.T) {
	const threats = 32
	data, err := os.ReadFile("testdata/threats.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known, named := tests(t), map[string]bool{}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(lines) != threats {
		t.Errorf("%d threats, want %d", len(lines), threats)
	}
	for i, line := range lines {
		columns := strings.Split(line, "\t")
		if len(columns) != 3 || columns[0] != fmt.Sprint("T", i+1) || columns[1] == "" {
			t.Fatalf("line %d: %q: want T%d, what could happen, and tests", i+2, line, i+1)
		}
		holding := strings.Fields(columns[2])
		if len(holding) == 0 {
			t.Errorf("%s has no test", columns[0])
		}
		for _, name := range holding {
			named[name] = true
			if !known[name] {
				t.Errorf("%s: there is no %s", columns[0], name)
			}
		}
	}
	t.Logf("%d threats, %d tests of %d", len(lines), len(named), len(known))
}

// What others bring in is little, has a reason, and is what they published.
func TestDependencies(t *testing.T) {
	const most = 12
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for line := range strings.Lines(string(mod)) {
		words := strings.Fields(line)
		if len(words) > 0 && (words[0] == "replace" || words[0] == "exclude") {
			t.Errorf("go.mod says %q: those who import the module would get another one", strings.TrimSpace(line))
		}
		if len(words) < 2 || !strings.Contains(words[0], ".") || !strings.HasPrefix(words[1], "v") {
			continue
		}
		if !strings.Contains(line, "// indirect") {
			direct++
		}
		if !strings.Contains(string(reasons), "\n| `"+words[0]+"` | ") {
			t.Errorf("CONTRIBUTING.md does not say what %s is for", words[0])
		}
		if !strings.Contains(string(sum), words[0]+" "+words[1]+" h1:") {
			t.Errorf("go.sum does not know %s %s", words[0], words[1])
		}
	}
	if direct == 0 || direct > most {
		t.Errorf("%d direct dependencies, want %d at most", direct, most)
	}
}
