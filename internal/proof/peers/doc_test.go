package peers

import (
	"os"
	"strings"
	"testing"
)

// The documentation names the releases that go.mod requires.
func TestVersions(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(doc)) {
		release, is := strings.CutPrefix(strings.TrimSpace(line), "//   - ")
		if is && !strings.Contains(string(mod), "\t"+release) {
			t.Errorf("go.mod does not require %s", release)
		}
	}
}
