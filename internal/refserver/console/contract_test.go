package console_test

import (
	"io"
	"strings"
	"testing"
	"testing/fstest"
)

// documents are the contract of these tests.
var documents = fstest.MapFS{
	"webhooks.md":        {Data: []byte("# Webhooks\n\n<script>alert(1)</script>\n")},
	"openapi.json":       {Data: []byte("{}")},
	"examples/cart.json": {Data: []byte("{}")},
}

// The contract is listed and served as text, and the page of a call links to its document.
func TestContract(t *testing.T) {
	d := open(t)
	d.furnish()
	_, list := d.get("/contract")
	_, call := d.get("/log?id=1")
	for _, want := range []string{`href="/contract/webhooks.md">`, "Webhooks", `href="/contract/examples/cart.json">`, "OpenAPI 3.1"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q:\n%s", want, list)
		}
	}
	if !strings.Contains(call, `href="/contract/webhooks.md">`) {
		t.Errorf("a webhook links to no document:\n%s", call)
	}
	for path, want := range map[string]struct {
		status     int
		kind, text string
	}{
		"/contract/webhooks.md":    {200, "text/plain; charset=utf-8", "<script>alert(1)</script>"},
		"/contract/openapi.json":   {200, "application/json", "{}"},
		"/contract/nothing.md":     {404, "text/html; charset=utf-8", "Not found"},
		"/contract/examples":       {404, "text/html; charset=utf-8", "Not found"},
		"/contract/..%2fpage.go":   {404, "text/html; charset=utf-8", "Not found"},
		"/contract/%2e%2e/openapi": {404, "text/html; charset=utf-8", "Not found"},
	} {
		answer, err := d.client.Get(d.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.Body.Close() != nil {
			t.Fatal(err)
		}
		kind := answer.Header.Get("Content-Type")
		if answer.StatusCode != want.status || kind != want.kind || !strings.Contains(string(body), want.text) {
			t.Errorf("%s: %d %s %.200s, want %+v", path, answer.StatusCode, kind, body, want)
		}
		if want.status == 200 && answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: a browser may take it for a page", path)
		}
	}
}
