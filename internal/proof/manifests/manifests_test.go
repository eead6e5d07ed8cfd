package manifests

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// compareAll returns what does not fit in the manifests, and their containers; if one file was changed, what may have
// come of that.
func (p *flagship) compareAll(ctx context.Context, all manifests, changed string) (f findings, runs []container) {
	if changed != kubernetes {
		f, runs = p.compareCompose(ctx, all)
	}
	if changed != compose {
		more, also := p.compareKubernetes(all)
		f, runs = append(f, more...), append(runs, also...)
	}
	return f, runs
}

// containers returns those of the manifests as they are.
func (p *flagship) containers(t *testing.T) []container {
	t.Helper()
	f, all := p.compareAll(t.Context(), read(t), "")
	if len(all) != 3 {
		t.Fatalf("found %d containers: %q", len(all), f)
	}
	return all
}

func TestManifests(t *testing.T) {
	f, _ := program.compareAll(t.Context(), read(t), "")
	for _, finding := range f {
		t.Error(finding)
	}
}

// mutation is a change of a manifest that must be found.
type mutation struct{ file, old, new, want string }

// TestMutations sees each comparison fail. What the comparisons let pass, the program must refuse when it is started.
func TestMutations(t *testing.T) {
	p, right := program, read(t)
	var seen strings.Builder
	ran := 0
	for _, m := range mutations {
		t.Run(m.want, func(t *testing.T) {
			ran++
			if !strings.Contains(right[m.file], m.old) {
				t.Fatalf("%s has no %q", m.file, m.old)
			}
			wrong := maps.Clone(right)
			wrong[m.file] = strings.Replace(right[m.file], m.old, m.new, 1)
			f, runs := p.compareAll(t.Context(), wrong, m.file)
			if len(f) == 0 {
				f = p.refuses(t, runs)
			}
			seen.WriteString(strings.Join(f, "\n") + "\n")
			if !strings.Contains(strings.Join(f, "\n"), m.want) {
				t.Errorf("%s: %q instead of %q: found %q", m.file, m.new, m.old, f)
			}
		})
	}
	for _, words := range comparisons(t) {
		if ran == len(mutations) && !regexp.MustCompile("(?m)^"+words+"$").MatchString(seen.String()) {
			t.Errorf("no mutation is found by: %s", words)
		}
	}
}

// comparisons returns an expression for the finding of each comparison in this package.
func comparisons(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || method.Sel.Name != "add" && method.Sel.Name != "check" {
				return true
			}
			for _, argument := range call.Args[:min(2, len(call.Args))] { // the words are the first or the second
				if words, ok := argument.(*ast.BasicLit); ok {
					text := regexp.QuoteMeta(strings.Trim(words.Value, `"`))
					all = append(all, regexp.MustCompile(`%\w`).ReplaceAllString(text, `.*`))
					break
				}
			}
			return true
		})
	}
	if len(all) < 50 {
		t.Fatalf("found %d comparisons", len(all))
	}
	return all
}

// refuses starts the containers, and returns why they do not start or what they do not answer.
func (p *flagship) refuses(t *testing.T, runs []container) (f findings) {
	t.Helper()
	for i := range runs {
		c := &runs[i]
		if err := p.try(t.Context(), c.here(local(t)), c.env); err != nil {
			f.add("%s: %v", c.name, err)
			continue
		}
		f.join(c.answers(t.Context(), p.run(t, c, local(t), c.env))...)
	}
	return f
}
