package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// pathsIn finds what looks like a path from the root: names with slashes between them.
var pathsIn = regexp.MustCompile(`[\w.<>-]+(?:/[\w.<>-]+)+`)

// elsewhere are the paths in texts for contributors that are not from the root, with the reason.
var elsewhere = map[string]string{
	"testdata/fuzz":                        "of the package that is tested",
	"internal/refserver/res/<resource>.go": "a file for each resource",
	"client/<resource>.go":                 "a file for each resource",
	"client/otelcommerce/vX.Y.Z":           "a tag",
	"webhook/sqlite/vX.Y.Z":                "a tag",
	"webhook/postgres/vX.Y.Z":              "a tag",
}

// Every file and directory that contributors are sent to exists.
func TestContributorsFindWhatIsNamed(t *testing.T) {
	top := map[string]bool{}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		top[e.Name()] = true
	}
	found, named := 0, map[string]bool{}
	for _, text := range []string{"CONTRIBUTING.md", "internal/contract/decisions.md", "internal/contract/paths.md"} {
		data, err := os.ReadFile(root + "/" + text)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range pathsIn.FindAllString(string(data), -1) {
			path = strings.TrimSuffix(strings.TrimPrefix(strings.TrimRight(path, "."), "./"), "/")
			first, _, _ := strings.Cut(path, "/")
			named[path] = true
			if !top[first] || elsewhere[path] != "" {
				continue
			}
			found++
			if _, err := os.Stat(root + "/" + path); err != nil {
				t.Errorf("%s names %s, which does not exist", text, path)
			}
		}
	}
	for path := range elsewhere {
		if !named[path] {
			t.Errorf("%s is listed as elsewhere, but no text names it", path)
		}
	}
	if found < 60 {
		t.Errorf("found %d paths, want those of both pictures and the map", found)
	}
}
