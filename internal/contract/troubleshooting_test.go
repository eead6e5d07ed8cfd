package contract

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// The page about errors has a row for each error that a user can compare with, and for no other; and one for each
// reason of a refused request.
func TestTroubleshootingNamesEveryError(t *testing.T) {
	const page = "client/docs/troubleshooting.md"
	in := text(t, page)
	var want []string
	for _, s := range allSources(t) {
		if !public(s.dir) || s.test() {
			continue
		}
		for _, decl := range s.file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				for _, n := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(n.Name, "Err") && s.dir != "client/access" { // package client has the same errors
						want = append(want, path.Base(s.dir)+"."+n.Name)
					}
				}
			}
		}
	}
	got := firsts("`([a-z0-9]+\\.Err[A-Za-z]+)`", in)
	for _, name := range want {
		if !slices.ContainsFunc(strings.Split(in, "\n"), func(line string) bool {
			first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
			return strings.HasPrefix(line, "| ") && strings.Contains(first, "`"+name+"`")
		}) {
			t.Errorf("%s has no row for %s", page, name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s names %s, which is not exported", page, name)
		}
	}
	if len(want) < 60 {
		t.Errorf("found %d errors", len(want))
	}
	reasons := firsts(`RefusedReason = "([a-z_]+)"`, text(t, "client/access/refused.go"))
	for _, reason := range reasons {
		if !strings.Contains(in, "| `"+reason+"` |") {
			t.Errorf("%s has no row for the reason %q", page, reason)
		}
	}
	if len(reasons) < 13 {
		t.Errorf("found the reasons %q", reasons)
	}
}
