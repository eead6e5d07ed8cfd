package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The Go blocks of README are parts of a program that compiles and is run by its
// own test: what stands between "// README: name" and "// end" there, in this order.
func TestReadmeCodeCompiles(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(root + "/examples/callsites/callsites.go")
	if err != nil {
		t.Fatal(err)
	}
	want := regions(string(program))
	var got []string
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		got = append(got, m[1])
	}
	if len(got) != len(want) || len(got) < 5 {
		t.Fatalf("README has %d Go blocks, the program %d regions", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("block %d of README is\n%s\nthe program has\n%s", i+1, got[i], want[i])
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
