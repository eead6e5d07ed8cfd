package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// readmePrograms hold the Go blocks of README, in its order.
func readmePrograms() []string {
	return []string{
		"examples/callsites/install.go", "examples/callsites/catalog.go", "examples/callsites/once.go", "examples/callsites/hooks.go", "examples/callsites/leave.go",
		"examples/receiver/sqlite.go", "examples/receiver/postgres.go", "examples/receiver/receive.go",
		"examples/callsites/offers.go", "examples/callsites/checkout.go", "examples/callsites/rates.go", "examples/callsites/chargebacks.go", "examples/callsites/pay.go",
		"examples/flagship/app.go", "examples/flagship/copies.go",
		"examples/callsites/main_test.go", "examples/callsites/versions.go",
	}
}

// The Go blocks of README are parts of programs that compile and are run by their
// own tests: what stands between "// README: name" and "// end" there, in this order.
func TestReadmeCodeCompiles(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range readmePrograms() {
		program, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, regions(string(program))...)
	}
	var got []string
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		got = append(got, m[1])
	}
	if len(got) != len(want) || len(got) < 5 {
		t.Fatalf("README has %d Go blocks, the programs %d regions", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("block %d of README is\n%s\nthe program has\n%s", i+1, got[i], want[i])
		}
	}
}

// Every test that README names exists, in the package that it names.
func TestReadmeNamesTestsThatExist(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	known, named := tests(t), 0
	test := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	for line := range strings.Lines(string(readme)) {
		for part := range strings.SplitSeq(line, ";") {
			_, dir, _ := strings.Cut(part, "` in ")
			dir, _, _ = strings.Cut(dir, " ")
			for _, m := range test.FindAllStringSubmatch(part, -1) {
				if named++; !known[dir+"."+m[1]] {
					t.Errorf("README names %s in %s, which does not exist", m[1], dir)
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("README names %d tests", named)
	}
}

// Every file that README and the pages beside it link to exists.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(root + "/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(root + "/" + m[1]); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}

// regions returns the marked parts, those of one name joined, without the
// indentation of their first line.
func regions(program string) []string {
	var names, parts []string
	name, indent := "", ""
	for line := range strings.Lines(program) {
		trimmed := strings.TrimLeft(line, "\t")
		switch next, ok := strings.CutPrefix(strings.TrimSpace(line), "// README: "); {
		case ok:
			name, indent = next, line[:len(line)-len(trimmed)]
			if len(names) == 0 || names[len(names)-1] != name {
				names, parts = append(names, name), append(parts, "")
				continue
			}
			indent = "\t" // a part that goes on stands as deep as it began
		case strings.TrimSpace(line) == "// end":
			name = ""
		case name != "":
			parts[len(parts)-1] += strings.TrimPrefix(line, indent)
		}
	}
	return parts
}
