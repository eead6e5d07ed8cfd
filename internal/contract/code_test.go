package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// region is a marked part of a program.
type region struct {
	file, name, code string
	used             bool
}

// The Go blocks of README and of the pages are parts of programs that compile and are run by their own tests: what
// stands between "// README: name" and "// end" there. Each part is shown by a page. After a change of a program,
// -update rewrites the blocks that were most like its parts.
func TestPagesShowCodeThatRuns(t *testing.T) {
	programs := marked(t)
	blocks, block := 0, regexp.MustCompile("(?s)```go\n(.*?)```")
	shown := map[string]string{} // the page of a block, without README
	for _, page := range append(guides(t), "README.md") {
		before := text(t, page)
		after := block.ReplaceAllStringFunc(before, func(whole string) string {
			blocks++
			got := block.FindStringSubmatch(whole)[1]
			if shown[got] != "" && page != "README.md" {
				t.Errorf("%s repeats a block of %s: link to it\n%s", page, shown[got], got)
			}
			shown[got] = page
			for _, p := range programs {
				if p.code == got {
					p.used = true
					return whole
				}
			}
			near := slices.MaxFunc(programs, func(a, b *region) int { return likeness(a.code, got) - likeness(b.code, got) })
			if *update && likeness(near.code, got) > 20 {
				near.used = true
				return "```go\n" + near.code + "```"
			}
			t.Errorf("%s has a block that no program has:\n%s\nmost like it is %q of %s:\n%s", page, got, near.name, near.file, near.code)
			return whole
		})
		if after != before {
			if err := os.WriteFile(filepath.Join(root, page), []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, p := range programs {
		if !p.used {
			t.Errorf("no page shows %q of %s", p.name, p.file)
		}
	}
	if blocks < 25 || len(programs) < 25 {
		t.Errorf("found %d blocks and %d parts of programs", blocks, len(programs))
	}
}

// likeness returns how many of a hundred lines of two blocks are in both. Lines that any block has do not count.
func likeness(a, b string) int {
	of := map[string]bool{}
	for line := range strings.Lines(b) {
		of[strings.TrimSpace(line)] = true
	}
	both, all := 0, len(of)
	for line := range strings.Lines(a) {
		line = strings.TrimSpace(line)
		if all++; len(line) > 3 && of[line] && line != "if err != nil {" && !strings.HasPrefix(line, "return nil, err") {
			both++
		}
	}
	return 200 * both / all
}

// marked returns the marked parts of all examples and tests.
func marked(t *testing.T) (all []*region) {
	t.Helper()
	for _, s := range allSources(t) {
		if s.dir == "internal/contract" && s.name == "code_test.go" {
			continue
		}
		program := text(t, s.dir+"/"+s.name)
		if !strings.Contains(program, "// README: ") {
			continue
		}
		if !strings.HasPrefix(s.dir, "examples/") && !s.test() {
			t.Errorf("%s/%s has a marked part, and is neither an example nor a test", s.dir, s.name)
		}
		for _, r := range regions(program) {
			if slices.ContainsFunc(all, func(o *region) bool { return o.code == r.code }) {
				t.Errorf("%s/%s: the part %q is there twice", s.dir, s.name, r.name)
			}
			r.file = s.dir + "/" + s.name
			all = append(all, r)
		}
	}
	return all
}

// regions returns the marked parts, those of one name joined, without the
// indentation of their first line.
func regions(program string) (all []*region) {
	name, indent := "", ""
	for line := range strings.Lines(program) {
		trimmed := strings.TrimLeft(line, "\t")
		switch next, ok := strings.CutPrefix(strings.TrimSpace(line), "// README: "); {
		case ok:
			name, indent = next, line[:len(line)-len(trimmed)]
			if len(all) == 0 || all[len(all)-1].name != name {
				all = append(all, &region{name: name})
				continue
			}
			indent = "\t" // a part that goes on stands as deep as it began
		case strings.TrimSpace(line) == "// end":
			if name = ""; len(all) > 0 {
				last := all[len(all)-1]
				last.code = strings.TrimRight(last.code, "\n") + "\n"
			}
		case name != "":
			all[len(all)-1].code += strings.TrimPrefix(line, indent)
		}
	}
	return all
}
