package document

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the files of client/contract")

const root = "../../.."

// TestFilesAreCurrent compares the committed documents with the tables that they are made from.
func TestFilesAreCurrent(t *testing.T) {
	files, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		path := filepath.Join(root, "client/contract", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the tables, %v: go test ./internal/refserver/document -update writes it", name, err)
		}
	}
}
