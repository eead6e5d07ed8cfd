package contract

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// The client of TypeScript types, and the generator of Go clients.
const (
	fetcher     = "openapi-fetch@0.15.0"
	goGenerator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goRuntime   = "github.com/oapi-codegen/runtime@v1.9.0"
)

// TestGoClientCompiles makes a client in Go of the document. The generator knows no member of several types, such as an
// id that is a number or a text, so these become members of any type.
func TestGoClientCompiles(t *testing.T) {
	dir := folder(t)
	raw, err := os.ReadFile(filepath.Join(dir, "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if raw, err = json.Marshal(anyOf(doc)); err == nil {
		err = os.WriteFile(filepath.Join(dir, "openapi.json"), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	ran(t, dir, "go", "mod", "init", "client.example")
	ran(t, dir, "go", "run", goGenerator, "-generate", "types,client", "-package", "api", "-o", "api.go", "openapi.json")
	ran(t, dir, "go", "get", goRuntime)
	ran(t, dir, "go", "build", "api.go")
}

// anyOf is a part of a document in which members of several types have none.
func anyOf(part any) any {
	switch part := part.(type) {
	case []any:
		for i, one := range part {
			part[i] = anyOf(one)
		}
	case map[string]any:
		if types, _ := part["type"].([]any); len(slices.DeleteFunc(slices.Clone(types), isNull)) > 1 {
			return map[string]any{}
		}
		for name, one := range part {
			part[name] = anyOf(one)
		}
	}
	return part
}

func isNull(name any) bool { return name == "null" }

// watched passes calls on to a server and compares them with the document.
type watched struct {
	http.Handler // the server
	checker      *Checker
	mu           sync.Mutex
	calls        int
	wrong        []error
}

func (w *watched) ServeHTTP(out http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body) // a part is found invalid
	q.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	w.Handler.ServeHTTP(answer, q)
	err := w.checker.API(q.Method, q.URL.Path, body, answer.Code, answer.Body.Bytes())
	w.mu.Lock()
	if w.calls++; err != nil {
		w.wrong = append(w.wrong, err)
	}
	w.mu.Unlock()
	for name, values := range answer.Header() {
		out.Header()[name] = values
	}
	out.WriteHeader(answer.Code)
	_, _ = out.Write(answer.Body.Bytes()) // the client may have hung up
}

// TestForeignClient has a client in TypeScript, which is made of the document, call the server. The document describes
// each call that the server accepts.
func TestForeignClient(t *testing.T) {
	has(t, "node", "npm")
	srv := refserver.New(refserver.Options{})
	defer srv.Close()
	shop, err := seed.Demo(srv, nil)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := New()
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Handler: srv, checker: checker}
	front := httptest.NewServer(w)
	defer front.Close()
	dir := folder(t)
	program, err := os.ReadFile("testdata/shop.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"shop.ts": string(program), "package.json": `{"type":"module"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	npm(t, dir, typesMaker, "openapi-typescript", "openapi.json", "-o", "api.ts")
	ran(t, dir, "npm", "install", "--no-audit", "--no-fund", fetcher, typescript, "@types/node@22.19.0")
	ran(t, dir, "npx", "tsc", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext", "--moduleResolution",
		"bundler", "--outDir", "out", "shop.ts")
	store := strconv.FormatInt(shop.Store.ID, 10)
	if out := ran(t, dir, "node", "out/shop.js", front.URL, store, shop.Install.Token); strings.TrimSpace(out) != "404" {
		t.Errorf("the program printed %q", out)
	}
	if w.calls != 7 || len(w.wrong) > 0 {
		t.Errorf("%d calls, %v", w.calls, w.wrong)
	}
}

// ran is the output of a command.
func ran(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.3000s", command, err, out)
	}
	return string(out)
}
