package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// A program that receives webhooks and calls no endpoint has nothing of the pipeline of a call in it. Of
// go-retryablehttp the linker keeps what the package initializes: its default client and four patterns.
func TestReceiverLinksNoPipeline(t *testing.T) {
	program := filepath.Join(t.TempDir(), "receiver")
	build := exec.Command("go", "build", "-o", program, "./testdata/receiver")
	build.Env = append(os.Environ(), "GOFLAGS="+proctest.BuildFlags()) // with the packages that are compiled already
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	const engine = module + "/internal/engine."
	seen := 0
	for line := range strings.Lines(string(symbols)) {
		seen++
		for _, part := range []string{
			engine + "(*limiter)", engine + "(*breaker)", engine + "(*call)", engine + "(*Core)", engine + "New", "sony/gobreaker",
			"go-retryablehttp.(*Client).Do",
		} {
			if strings.Contains(line, part) {
				t.Errorf("the program has %s", strings.TrimSpace(line))
			}
		}
	}
	if seen < 1000 {
		t.Errorf("%d symbols: the program was not read", seen)
	}
}
