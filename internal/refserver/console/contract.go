package console

import (
	"bufio"
	"io/fs"
	"net/http"
	"strings"
)

// contractOf names the document about the calls of a kind.
var contractOf = map[string]string{
	"webhook": "webhooks.md", "cart": "discounts.md", "rate": "rates.md", "rule": "rules.md", "label": "labels.md",
	"payment": "payments.md", "request": "openapi.json",
}

// contract lists the documents of the contract.
func contract(a *asked) []section {
	s := section{Heads: []string{"Document", "Contents"}, Empty: "This build has no contract files.",
		Note: "The command refserver contract prints them too."}
	a.err = fs.WalkDir(a.documents, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(name, ".go") {
			s.Rows = append(s.Rows, []cell{{Text: name, Link: "/contract/" + name}, {Text: a.heading(name)}})
		}
		return err
	})
	return []section{s}
}

// heading is the heading of a page, and the sort of any other document.
func (c *Console) heading(name string) string {
	f, err := c.documents.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	first, _ := bufio.NewReader(f).ReadString('\n')
	if title, ok := strings.CutPrefix(first, "# "); ok {
		return strings.TrimSpace(title)
	}
	switch {
	case name == "openapi.json":
		return "the API: OpenAPI 3.1"
	case name == "callbacks.json":
		return "the calls of the platform: OpenAPI 3.1 webhooks"
	case strings.HasPrefix(name, "examples/"):
		return "an example body"
	case strings.HasPrefix(name, "vectors."):
		return "signed examples"
	}
	return "a program that verifies the signed examples"
}

// document serves a document as text.
func (c *Console) document(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if info, err := fs.Stat(c.documents, name); err != nil || info.IsDir() {
		c.show(w, r, notFound)
		return
	}
	kind := "text/plain; charset=utf-8"
	if strings.HasSuffix(name, ".json") {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeFileFS(w, r, c.documents, name)
}
