package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The versions of the packages that npm downloads.
const (
	openapiValidator = "@seriousme/openapi-schema-validator@2.11.0"
	typesMaker       = "openapi-typescript@7.10.1"
	typescript       = "typescript@5.9.3"
)

// has skips a test whose programs this machine lacks.
func has(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// npm runs a command of packages of npm.
func npm(t *testing.T, dir, packages string, command ...string) string {
	t.Helper()
	has(t, "node", "npm")
	args := []string{"exec", "--yes"}
	for name := range strings.FieldsSeq(packages) {
		args = append(args, "--package="+name)
	}
	cmd := exec.CommandContext(t.Context(), "npm", append(append(args, "--"), command...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("npm %s: %v\n%.3000s", command, err, out)
	}
	return string(out)
}

// TestDocumentsInNode has a validator of OpenAPI in Node read both documents.
func TestDocumentsInNode(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"openapi.json", "callbacks.json"} {
		if out := npm(t, dir, openapiValidator, "validate-api", name); !strings.Contains(out, `"valid": true`) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestTypesCompile makes TypeScript types of both documents and compiles a program with them.
func TestTypesCompile(t *testing.T) {
	dir := folder(t)
	for from, to := range map[string]string{"openapi.json": "api.ts", "callbacks.json": "calls.ts"} {
		npm(t, dir, typesMaker, "openapi-typescript", from, "-o", to)
	}
	program, err := os.ReadFile("testdata/use.ts")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "use.ts"), program, 0o600); err != nil {
		t.Fatal(err)
	}
	npm(t, dir, typescript, "tsc", "--noEmit", "--strict", "--skipLibCheck", "use.ts")
}
