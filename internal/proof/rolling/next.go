package rolling

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// root is the repository, seen from the folder of an engine's proof.
const root = "../../../.."

// next builds the next release of an engine and returns the program and the version of its tables. Its source is that
// of this release, and one more migration: webhook/ENGINE/testdata/next.sql.
func next(t *testing.T, engine string) (program string, version int) {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(root, "webhook", engine)
	migrations, err := filepath.Glob(filepath.Join(module, "migrations", "*.sql"))
	if err != nil || len(migrations) == 0 {
		t.Fatalf("%d migrations of %s, %v", len(migrations), engine, err)
	}
	version = len(migrations) + 1
	added := filepath.Join(module, "migrations", fmt.Sprintf("%04d.sql", version))
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {added: filepath.Join(module, "testdata", "next.sql")},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	flags := proctest.BuildFlags()
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, flags)
	program = filepath.Join(root, ".bin", fmt.Sprintf("rolling-%s-%08x.exe", engine, hash.Sum32()))
	// It takes no time if the program is there and up to date.
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", file, "-o", program, "./next")
	build.Env = append(os.Environ(), "GOFLAGS="+flags, "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the next release: %v\n%s", err, out)
	}
	return program, version
}
