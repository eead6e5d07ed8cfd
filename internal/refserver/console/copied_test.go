package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// logged is a request as the control API shows it.
type logged struct {
	Seq    int64
	Method string
	Path   string
	Body   json.RawMessage
}

// entry is an entry of the log.
type entry struct {
	ID          int64
	Kind, State string
}

// logged are entries of the log.
func (f *shopfloor) logged(query string) []entry {
	f.Helper()
	var page struct{ Items []entry }
	f.api("GET", "log"+query, "", &page)
	return page.Items
}

// requests are those that the API got after one.
func (f *shopfloor) requests(after int64) []logged {
	f.Helper()
	var page struct{ Items []logged }
	f.api("GET", fmt.Sprintf("requests?limit=200&after=%d", after), "", &page)
	return page.Items
}

var textShape = regexp.MustCompile(`(?s)<h2>(As \w+)</h2>.*?<pre[^>]*>(.*?)</pre>`)

// copied is the text of a section of the page of a request.
func (f *shopfloor) copied(seq int64, section string) string {
	f.Helper()
	requests := f.logged("?kind=request&order=oldest&limit=200")
	_, page := f.get(fmt.Sprintf("/log?id=%d", requests[seq-1].ID))
	for _, m := range textShape.FindAllStringSubmatch(page, -1) {
		if m[1] == section {
			return html.UnescapeString(m[2])
		}
	}
	f.Fatalf("request %d has no %q:\n%s", seq, section, page)
	return ""
}

// every is each byte that a JSON text can have, and what a shell, curl or Go would take for something of theirs.
func every() string {
	var b strings.Builder
	for c := range rune(256) {
		b.WriteRune(c)
	}
	return b.String() + "@file $HOME `id` $(id) !! \\\\ '\"'\"' %s %41 {a,b} [1-3] \u2028 \u00e9 \U0001F600\ufffd"
}

// bodies are those whose copies are tried. The last is no JSON, which only curl sends.
func bodies(t *testing.T) []string {
	t.Helper()
	raw, err := json.Marshal(every())
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		"", `{}`, `[]`, `{"b":1,"a":{"z":1.50,"y":12345678901234567890}}`, `{"name":{"en":` + string(raw) + `}}`,
		`{"name":{"en":"@x"}}`, `"@x"`,
		"@/etc/hostname", "{'no': $JSON `x`}\n\ttwo lines \\",
	}
}

// paths that are tried: globs of curl, dots that it would take away, and escapes.
var tried = []string{
	"/categories", "/products/sku/a%2Fb%20c%27d%5B1-2%5D%7Bx%7D", "/products?q=it%27s&a=1&a=2&b=%26%3D",
	"/products/../store?x[1-3]={a,b}", "/products/12/variants",
}

// A command that is copied makes the same request again: run in a shell, byte for byte.
func TestCopyAsCurl(t *testing.T) {
	for _, program := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	f := openFloor(t)
	for i, body := range bodies(t) {
		f.request("POST", tried[i%len(tried)], body)
	}
	for _, path := range tried {
		f.request("GET", path, "")
	}
	f.request("DELETE", "/products/12", "")
	sent := f.requests(0)
	for _, was := range sent {
		last := f.requests(0)
		command := exec.CommandContext(t.Context(), "sh", "-eu")
		command.Stdin = strings.NewReader(f.copied(was.Seq, "As curl"))
		command.Env = append(os.Environ(), "COMMERCE_TOKEN="+f.token)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", f.copied(was.Seq, "As curl"), err, out)
		}
		f.same(was, last[len(last)-1].Seq)
	}
}

// same reports the next request of the log if it is not like another.
func (f *shopfloor) same(was logged, after int64) {
	f.Helper()
	got := f.requests(after)
	if len(got) != 1 {
		f.Fatalf("%d requests instead of %+v", len(got), was)
	}
	if got[0].Method != was.Method || got[0].Path != was.Path || string(got[0].Body) != string(was.Body) {
		f.Errorf("%s %s %s\nwas %s %s %s", got[0].Method, got[0].Path, got[0].Body, was.Method, was.Path, was.Body)
	}
}

// A program that is copied is whole: go run makes the same request again.
func TestCopyAsGo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	f := openFloor(t)
	all := bodies(t)
	f.request("POST", "/categories", all[4])
	f.request("PUT", "/products/sku/a%2Fb%20c%27d", all[3])
	f.request("GET", "/products?q=it%27s&page=2", "")
	f.request("POST", "/categories", all[len(all)-1])
	sent := f.requests(0)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, was := range sent[:3] {
		last := f.requests(0)
		program := filepath.Join(t.TempDir(), "main.go")
		text := f.copied(was.Seq, "As Go")
		if strings.Contains(text, "c.Do(") != (was.Method == "PUT") { // no method calls PUT /products/sku
			t.Errorf("%s %s:\n%s", was.Method, was.Path, text)
		}
		if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), "go", "run", program)
		command.Dir = root
		command.Env = append(os.Environ(), "COMMERCE_TOKEN="+f.token, "GOWORK=off", "GOFLAGS="+proctest.BuildFlags())
		out, err := command.CombinedOutput()
		if err != nil && len(f.requests(last[len(last)-1].Seq)) == 0 { // a request that is refused again is made again
			t.Fatalf("%s\n%v\n%s", text, err, out)
		}
		f.sameMeaning(was, last[len(last)-1].Seq, string(out))
	}
	requests := f.logged("?kind=request&order=oldest&limit=200")
	if _, page := f.get(fmt.Sprintf("/log?id=%d", requests[sent[3].Seq-1].ID)); !strings.Contains(page, "The body is not JSON") {
		t.Error(page)
	}
}

// sameMeaning is same for bodies whose JSON is written in another way.
func (f *shopfloor) sameMeaning(was logged, after int64, out string) {
	f.Helper()
	got := f.requests(after)
	if len(got) == 0 {
		f.Fatalf("no request like %+v: %s", was, out)
	}
	var a, b any
	_ = json.Unmarshal(was.Body, &a)
	_ = json.Unmarshal(got[0].Body, &b)
	path := strings.ReplaceAll(was.Path, "q=it%27s&page=2", "page=2&q=it%27s")
	if got[0].Method != was.Method || got[0].Path != path || fmt.Sprint(a) != fmt.Sprint(b) {
		f.Errorf("%s %s %s\nwas %s %s %s\n%s", got[0].Method, got[0].Path, got[0].Body, was.Method, was.Path, was.Body, out)
	}
}
