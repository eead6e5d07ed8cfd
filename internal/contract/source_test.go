package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/commerceplatform/commerce-go"
)

// source is a Go file of the root module.
type source struct {
	dir  string // from the root: "client/v1"; "." for the root
	name string
	file *ast.File
	fset *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// sources parses every Go file of the root module.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(p, "go.mod"))
			if p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || nested == nil) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		all = append(all, source{path.Dir(filepath.ToSlash(rel)), d.Name(), file, fset})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("found %d files, want the whole module", len(all))
	}
	return all
}

// packages returns the directories that hold packages which others may import.
func public(dir string) bool {
	return !slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool { return s == "internal" || s == "examples" })
}
