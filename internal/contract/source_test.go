package contract

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/commerceplatform/commerce-go"
)

// source is a Go file of one of the modules.
type source struct {
	dir    string // from the root: "client/v1"; "." for the root
	name   string
	nested bool // of another module than the root's
	file   *ast.File
	fset   *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// parsed has every Go file of every module. Parsing takes longer than all that tests ask of it, so it
// is done once; nobody may change what it returns.
var parsed = sync.OnceValues(parse)

func parse() ([]source, error) {
	var all []source
	fset, nested := token.NewFileSet(), map[string]bool{}
	instead, err := planted()
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == root:
			return nil
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir():
			_, missing := os.Stat(filepath.Join(p, "go.mod"))
			nested[p] = missing == nil || nested[filepath.Dir(p)]
			return nil
		case !strings.HasSuffix(p, ".go"):
			return nil
		}
		full, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, cmp.Or(instead[full], p), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		all = append(all, source{path.Dir(filepath.ToSlash(rel)), d.Name(), nested[filepath.Dir(p)], file, fset})
		return err
	})
	return all, err
}

// planted returns which files the build took in place of others, by absolute path: internal/proof/cmd/mutants says so when it
// plants a defect.
func planted() (map[string]string, error) {
	var overlay struct{ Replace map[string]string }
	name := os.Getenv("MUTANTS_OVERLAY")
	if name == "" {
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(data, &overlay)
	return overlay.Replace, err
}

// allSources returns every Go file of every module.
func allSources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("found %d files, want the whole repository", len(all))
	}
	return all
}

// sources returns every Go file of the root module.
func sources(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(allSources(t)), func(s source) bool { return s.nested })
}

// public reports whether a directory holds a package that others may import.
func public(dir string) bool {
	return !slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool { return s == "internal" || s == "examples" })
}
