package contract

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client/contract"
)

// command matches a shell command of a page and the answer that the page shows.
var command = regexp.MustCompile("(?s)```sh\n(.*?)```.*?```http\n(.*?)```")

// received is a request of a page.
type received struct {
	path   string
	header http.Header
	body   []byte
}

// receiver is a program that gives the answer of a page.
type receiver struct {
	mu      sync.Mutex
	answer  *http.Response
	body    []byte
	request received
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.request = received{q.URL.Path, q.Header, body}
	w.Header().Set("Content-Type", r.answer.Header.Get("Content-Type"))
	w.WriteHeader(r.answer.StatusCode)
	_, _ = w.Write(r.body)
}

// TestPagesRun runs each command of the pages with the files next to it. What arrives is a call of the document, with a
// right signature, and the answer of the page is one of its answers.
func TestPagesRun(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	pages, err := fs.Glob(contract.Files, "*.md")
	if err != nil || len(pages) != 7 {
		t.Fatalf("pages %s, %v", pages, err)
	}
	for _, page := range pages {
		if page == "README.md" {
			continue // has no call
		}
		text, err := contract.Files.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all := command.FindAllStringSubmatch(string(text), -1)
		if len(all) == 0 {
			t.Errorf("%s has no command with an answer", page)
		}
		for _, one := range all {
			r := play(t, dir, one[1], one[2])
			name := strings.ReplaceAll(strings.TrimPrefix(r.request.path, "/"), "/", "_")
			if name == "webhooks" {
				name = "order/paid"
			}
			if err := c.Call(name, "POST", r.request.body, r.answer.StatusCode, r.body); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			verified(t, dir, page, r.request)
		}
	}
}

// play runs a command against a program that gives the answer.
func play(t *testing.T, dir, shell, answer string) *receiver {
	t.Helper()
	has(t, "sh", "curl", "openssl", "python3")
	r := &receiver{}
	head, body, _ := strings.Cut(answer, "\n\n")
	var err error
	if r.answer, err = http.ReadResponse(bufio.NewReader(strings.NewReader(head+"\n\n")), nil); err != nil {
		t.Fatal(err)
	}
	_ = r.answer.Body.Close()
	r.body = bytes.TrimSpace([]byte(body))
	server := httptest.NewServer(r)
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", strings.ReplaceAll(shell, "http://127.0.0.1:3000", server.URL))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Equal(bytes.TrimSpace(out), r.body) {
		t.Fatalf("%s: %v\n%s", shell, err, out)
	}
	return r
}

// verified has the function of verify.py accept the signature of a call that has one.
func verified(t *testing.T, dir, page string, q received) {
	t.Helper()
	program := "import sys, json, verify; body = sys.stdin.buffer.read()\n"
	switch page {
	case "webhooks.md":
		program += "ok = verify.webhook('s3cr3t', body, '" + q.header.Get("X-Platform-Hmac-Sha256") + "')"
	case "payments.md":
		program += "key = json.load(open('vectors.json'))['payments']['public_key']; at = '" + q.header.Get("X-Timestamp") + "'\n" +
			"ok = verify.payment(key, 'https://pay.example" + q.path + "', at, body, '" + q.header.Get("X-Signature") + "', int(at))"
	default:
		return
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", program+"\nsys.exit(0 if ok else 1)")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(q.body)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: the signature: %v\n%s", page, err, out)
	}
}
