package main

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const root = "../../../.."

// The list keeps up with the code: every defect can be planted, and has its test.
func TestList(t *testing.T) {
	defects, err := parse(list)
	if err != nil {
		t.Fatal(err)
	}
	if len(defects) < 25 {
		t.Errorf("%d defects, want 25 or more", len(defects))
	}
	names := map[string]bool{}
	for _, d := range defects {
		if names[d.name] {
			t.Errorf("%s: twice", d.name)
		}
		names[d.name] = true
		bad, err := d.apply(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), d.file, bad, 0); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
		if !hasTest(t, filepath.Join(root, d.dir), d.test) {
			t.Errorf("%s: there is no %s in %s", d.name, d.test, d.dir)
		}
	}
}

func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(source, []byte("func "+name+"(")) {
			return true
		}
	}
	return false
}

// What a test does not notice, what does not compile and what cannot be planted is told.
func TestPlanter(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.com/sum\n\ngo 1.26.0\n",
		"sum.go":           "package sum\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\nfunc Sub(a, b int) int {\n\treturn a - b\n}\n",
		"sum_test.go":      "package sum\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Error()\n\t}\n}\n\nfunc TestBroken(t *testing.T) { t.Error() }\n",
		"nested/go.mod":    "module example.com/nested\n\ngo 1.26.0\n",
		"nested/n.go":      "package nested\n\nconst N = 1\n",
		"nested/n_test.go": "package nested\n\nimport \"testing\"\n\nfunc TestN(t *testing.T) {\n\tif N != 1 {\n\t\tt.Error()\n\t}\n}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defects, err := parse(`# caught
file sum.go
-	return a + b
+	return a + b + 1
test TestAdd

# caught in another module
file nested/n.go
-const N = 1
+const N = 2
test TestN

# survives
file sum.go
-	return a - b
+	return a - b + 1
test TestAdd

# does not compile
file sum.go
-	return a + b
+	return a + c
test TestAdd

# is not there
file sum.go
-	return a * b
+	return a
test TestAdd

# has no test
file sum.go
-	return a + b
+	return a
test TestMul

# fails anyway
file sum.go
-	return a + b
+	return a
test TestBroken
`)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	p := planter{root: dir, out: &out, healthy: map[string]error{}}
	if caught, err := p.all(t.Context(), defects); caught != 2 || err != nil {
		t.Errorf("%d were caught, %v; want 2", caught, err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if caught, err := p.all(interrupted, defects); caught != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %d were caught, %v; want 0 and context.Canceled", caught, err)
	}
	for name, want := range map[string]string{
		"caught": "caught by TestAdd", "caught in another module": "caught by TestN", "survives": "NOT CAUGHT: not caught: TestAdd passes with it",
		"does not compile": "NOT CAUGHT: go test:", "is not there": "NOT CAUGHT: is not there: the lines are 0 times in sum.go",
		"has no test": "NOT CAUGHT: TestMul without the defect: there is no test TestMul", "fails anyway": "NOT CAUGHT: TestBroken without the defect: the test fails",
	} {
		told := false
		for line := range strings.Lines(out.String()) {
			told = told || strings.HasPrefix(line, name+"  ") && strings.Contains(line, want)
		}
		if !told {
			t.Errorf("%s: want %q in\n%s", name, want, &out)
		}
	}
}

// A word that is in no name is a mistake: nothing was planted.
func TestNothingPlanted(t *testing.T) {
	if err := run(t.Context(), []string{"nosuchdefect"}); err == nil || !strings.Contains(err.Error(), "nosuchdefect") {
		t.Errorf("run: %v, want an error that names the word", err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"file x.go", "# a\nfile x.go\ntest TestX", "# a\n-x\n+y\ntest TestX", "# a\nfile x.go\n-x\n+y", "# a\nfile x.go\n+y\ntest TestX", "# a\nwhat\n"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
