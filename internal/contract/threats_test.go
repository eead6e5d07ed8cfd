package contract

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
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

// defects returns the test that catches each defect which internal/proof/cmd/mutants plants, as directory.TestName.
func defects(t *testing.T) map[string]string {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(root, "internal/proof/cmd/mutants/mutants.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all, name, dir := map[string]string{}, "", ""
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "# "):
			name = strings.TrimSpace(line[2:])
		case strings.HasPrefix(line, "file "):
			dir = path.Dir(words[1])
		case strings.HasPrefix(line, "test "):
			if len(words) == 3 {
				dir = path.Clean(words[2])
			}
			all[name] = dir + "." + words[1]
		}
	}
	return all
}

// Every threat has tests, which exist, and at least one defect that lets it through, which one of these tests catches
// when internal/proof/cmd/mutants plants it.
func TestThreats(t *testing.T) {
	const threats = 32
	data, err := os.ReadFile("testdata/threats.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known, named, planted, caught := tests(t), map[string]bool{}, defects(t), map[string]bool{}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	if len(lines) != threats {
		t.Errorf("%d threats, want %d", len(lines), threats)
	}
	for i, line := range lines {
		columns := strings.Split(line, "\t")
		if len(columns) != 4 || columns[0] != fmt.Sprint("T", i+1) || columns[1] == "" {
			t.Fatalf("line %d: %q: must be T%d, threat, tests, and defects that they detect", i+2, line, i+1)
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
		if columns[3] == "-" && columns[2] == "internal/contract.TestDependencies" {
			continue // no code is at fault
		}
		for name := range strings.SplitSeq(columns[3], "; ") {
			caught[name] = true
			if by := planted[name]; by == "" {
				t.Errorf("%s: no defect %q is planted", columns[0], name)
			} else if !slices.Contains(holding, by) {
				t.Errorf("%s: %s catches the defect %q, and is not among the tests", columns[0], by, name)
			}
		}
	}
	t.Logf("%d threats, %d tests of %d, %d defects of %d", len(lines), len(named), len(known), len(caught), len(planted))
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
	reasons, err := os.ReadFile(filepath.Join(root, "internal/contract/decisions.md"))
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
			t.Errorf("decisions.md does not say what %s is for", words[0])
		}
		if !strings.Contains(string(sum), words[0]+" "+words[1]+" h1:") {
			t.Errorf("go.sum does not know %s %s", words[0], words[1])
		}
	}
	if direct == 0 || direct > most {
		t.Errorf("%d direct dependencies, want %d at most", direct, most)
	}
}
