package deviate

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Sending is one form in which the platform, or a proxy in front of a handler, may send a request without a change of
// its meaning. Sendings returns the table.
type Sending struct {
	Name string
	// HTTP2 is set if the request is sent over HTTP/2.
	HTTP2 bool

	json   string                                  // the deviation of the body, by name
	header func(h http.Header) bool                // changes the header; false if it does not apply
	body   func(q *http.Request, body []byte) bool // changes how the body is sent
}

// bodies are the deviations that requests share with responses.
var bodies = []string{
	"members in reverse order", "members in random order", "unknown members", "ids as strings", "ids as numbers",
	"whole numbers with a fraction", "whole numbers with an exponent", "amounts as numbers", "amounts as strings",
	"measures as strings", "counts as strings", `\u escapes of every character`, `\/`, "line breaks and indents",
	"a lot of white space",
}

// Sendings returns every form of a request.
func Sendings() []Sending {
	forms := []Sending{
		{Name: "HTTP/2", HTTP2: true},
		{Name: "chunks", body: chunked(1 << 10)},
		{Name: "chunks of one byte", body: chunked(1)},
		{Name: "Expect: 100-continue", header: set("Expect", "100-continue")},
		{Name: "the last request of its connection", header: set("Connection", "close")},
		{Name: "header names in lower case", header: named(strings.ToLower)},
		{Name: "header names in upper case", header: named(strings.ToUpper)},
		{Name: "Content-Type with a charset", header: set("Content-Type", "application/json; charset=utf-8")},
		{Name: "Content-Type in upper case", header: set("Content-Type", "Application/JSON;charset=UTF-8")},
		{Name: "no Content-Type", header: set("Content-Type")},
		{Name: "Content-Encoding: identity", header: set("Content-Encoding", "identity")},
		{Name: "unknown headers", header: set("X-Unknown", "a", "b")},
		{Name: "traces", header: set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")},
		{Name: "a forwarded address with a port", header: set("X-Forwarded-For", "192.0.2.7:50000")},
		{Name: "a forwarded address in white space", header: set("X-Forwarded-For", "  192.0.2.7  ")},
		{Name: "a forwarded address that is mapped into IPv6", header: set("X-Forwarded-For", "::ffff:192.0.2.7")},
		{Name: "forwarded addresses of a stranger before it", header: set("X-Forwarded-For", "198.51.100.1, 192.0.2.7")},
		{Name: "forwarded addresses in two lines", header: set("X-Forwarded-For", "198.51.100.1", "192.0.2.7")},
	}
	for _, name := range bodies {
		forms = append(forms, Sending{Name: name, json: name})
	}
	return forms
}

// Body returns the body in this form, and in how many places it differs. It must be signed afterwards. The seed decides
// about details such as the order of members.
func (s Sending) Body(seed uint64, body []byte) (changed []byte, places int) {
	if s.json == "" {
		return body, 0
	}
	all := All()
	at := slices.IndexFunc(all, func(d Deviation) bool { return d.Name == s.json })
	a := &answer{request: &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/"}}, status: http.StatusOK, json: parse(body)}
	h := fnv.New64a()
	_, _ = h.Write(body) // never fails
	places = all[at].change(a, rand.New(rand.NewPCG(seed, h.Sum64())))
	return a.print(a.json), places
}

// Request changes a signed request into this form. It returns false if the form is about bodies only, or HTTP2.
func (s Sending) Request(q *http.Request, body []byte) bool {
	switch {
	case s.header != nil:
		return s.header(q.Header)
	case s.body != nil:
		return s.body(q, body)
	}
	return false
}

// set sets or removes a header.
func set(name string, values ...string) func(http.Header) bool {
	return func(h http.Header) bool {
		h[name] = values
		if len(values) == 0 {
			h[name] = nil // the transport adds none
		}
		return true
	}
}

// named changes the names of headers.
func named(form func(string) string) func(http.Header) bool {
	return func(h http.Header) bool {
		names := make([]string, 0, len(h))
		for name := range h {
			names = append(names, name)
		}
		for _, name := range names {
			values := h[name]
			delete(h, name)
			h[form(name)] = values
		}
		return len(names) > 0
	}
}

// chunked sends a body of unknown length in chunks of a size.
func chunked(size int) func(*http.Request, []byte) bool {
	return func(q *http.Request, body []byte) bool {
		q.ContentLength, q.GetBody = -1, nil
		q.Body = io.NopCloser(&pieces{bytes.NewReader(body), size})
		return len(body) > 0
	}
}

// pieces returns at most size bytes at a time. The transport sends each separately.
type pieces struct {
	from io.Reader
	size int
}

func (p *pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.size)]) }

// String returns the name.
func (s Sending) String() string { return fmt.Sprintf("%q", s.Name) }
