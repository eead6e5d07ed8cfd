package contract

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds of a corpus, so that it shows a reader what matters and is no dump.
const (
	leastInputs, mostInputs = 10, 40
	mostBytes               = 4 << 10
)

// targets lists the fuzz targets of all modules, as "client/testdata/fuzz/FuzzMoney".
func targets(t *testing.T) []string {
	t.Helper()
	var all []string
	for name := range tests(t) {
		if dir, test, _ := strings.Cut(name, "."); strings.HasPrefix(test, "Fuzz") {
			all = append(all, filepath.Join(root, dir, "testdata", "fuzz", test))
		}
	}
	return all
}

// Every fuzz target has a corpus that is committed: what it is meant to hold is tried
// with every run of the tests, and fuzzing begins at what is interesting.
func TestEveryFuzzTargetHasACorpus(t *testing.T) {
	all, inputs := targets(t), 0
	for _, dir := range all {
		files, err := os.ReadDir(dir)
		if len(files) < leastInputs || len(files) > mostInputs {
			t.Errorf("%s has %d inputs, want %d to %d (%v)", dir, len(files), leastInputs, mostInputs, err)
		}
		seen := map[string]string{}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, f.Name()))
			switch same, twice := seen[string(data)]; {
			case err != nil:
				t.Error(err)
			case len(data) > mostBytes || !bytes.HasPrefix(data, []byte("go test fuzz v1\n")):
				t.Errorf("%s/%s has %d bytes, want an input of at most %d", dir, f.Name(), len(data), mostBytes)
			case twice:
				t.Errorf("%s: %s and %s are the same", dir, same, f.Name())
			}
			seen[string(data)] = f.Name()
			inputs++
		}
	}
	if len(all) < 20 {
		t.Errorf("found %d targets, want those of all modules", len(all))
	}
	t.Logf("%d targets with %d inputs", len(all), inputs)
}
