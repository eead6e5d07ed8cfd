package contract

import (
	"regexp"
	"strings"
	"testing"
)

var (
	wordAfterPeriod = regexp.MustCompile(`^[a-z]+( |$)`)
	listItem        = regexp.MustCompile(`^ *(-|\d+\.) `)
	completeLine    = regexp.MustCompile(`[.:;!?)]["')]*$`)
)

// remnants returns the lines of a comment that look like a part of another text: a line that continues no sentence, and
// a list item, or the rest of one, that is not indented.
func remnants(lines []string) (all []string) {
	for i, line := range lines {
		before := func(n int) string {
			if i < n {
				return ""
			}
			return lines[i-n]
		}
		switch {
		case strings.HasPrefix(line, "- "):
			all = append(all, line) // go doc does not show a list
		case strings.HasSuffix(before(1), ".") && wordAfterPeriod.MatchString(line):
			all = append(all, line)
		case i+1 < len(lines) && before(1) == "" && listItem.MatchString(before(2)) && !completeLine.MatchString(before(2)) &&
			line != "" && !listItem.MatchString(line) && listItem.MatchString(lines[i+1]):
			all = append(all, line)
		}
	}
	return all
}

// Comments have no remnants of an earlier text.
func TestCommentsAreWhole(t *testing.T) {
	comments := 0
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		for _, group := range s.file.Comments {
			comments++
			lines := strings.Split(strings.TrimSpace(group.Text()), "\n")
			for _, line := range remnants(lines) {
				t.Errorf("%s/%s:%d: the comment has a remnant: %q", s.dir, s.name, s.fset.Position(group.Pos()).Line, line)
			}
		}
	}
	if comments < 1000 {
		t.Errorf("read %d comments", comments)
	}
}

// A remnant is found, and a whole text has none.
func TestRemnantsAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"It is safe for concurrent use.\nbe safe for concurrent use.":               1,
		"Limits:\n\n  - One limits\n\nthe other.\n  - Two limits the rest.":         1,
		"Limits:\n\n  - One limits\n    the other.\n  - Two limits the rest.":       0,
		"It is:\n\n- one thing\n- another":                                          2,
		"It ends the\nprocess. Then\nanother begins.":                               0,
		"It ends.\n\nencoding/json is not used.\nnet/http handles the panic of it.": 0,
	} {
		if got := remnants(strings.Split(text, "\n")); len(got) != want {
			t.Errorf("%q: got %q, want %d", text, got, want)
		}
	}
}
