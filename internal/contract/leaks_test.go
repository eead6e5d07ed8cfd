package contract

import (
	"strconv"
	"testing"
)

// Every package with tests checks that they leave no goroutine behind.
func TestEveryPackageChecksForLeaks(t *testing.T) {
	checked := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		checked[s.dir] = checked[s.dir] || false
		for _, spec := range s.file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path == "go.uber.org/goleak" {
				checked[s.dir] = true
			}
		}
	}
	for dir, ok := range checked {
		if !ok {
			t.Errorf("%s has no TestMain with goleak.VerifyTestMain", dir)
		}
	}
}
