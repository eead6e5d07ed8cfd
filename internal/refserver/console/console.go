package console

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

//go:embed assets
var assets embed.FS

// policy lets a page load its own style and script, send its own forms and nothing else. No text becomes markup.
const policy = "default-src 'none'; style-src 'self'; img-src data:; script-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Console serves the pages. It is an http.Handler and safe for concurrent use. New makes one.
type Console struct {
	api       http.Handler
	documents fs.FS
	acts      []act.Act
	mux       *http.ServeMux
	outcomes  outcomes
}

// New returns the pages of a control API. They show documents, which are the contract as files.
func New(api *control.API, documents fs.FS) *Console {
	acts := slices.DeleteFunc(control.Acts(), func(a act.Act) bool { return a.Streams }) // which have no end
	c := &Console{api: api, documents: documents, acts: acts, mux: http.NewServeMux()}
	for _, p := range pages() {
		c.mux.HandleFunc("GET "+p.path, func(w http.ResponseWriter, r *http.Request) { c.show(w, r, p) })
	}
	c.mux.HandleFunc("POST /do", c.do)
	c.mux.HandleFunc("GET /contract/{name...}", c.document)
	c.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { c.show(w, r, notFound) })
	for _, name := range []string{"style.css", "console.mjs"} {
		c.mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, assets, "assets/"+name)
		})
	}
	return c
}

// ServeHTTP serves a page, or performs what a form asks for.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Content-Security-Policy":    policy,
		"X-Frame-Options":            "DENY",
		"Referrer-Policy":            "same-origin", // with no-referrer, browsers send forms with the origin null
		"Cross-Origin-Opener-Policy": "same-origin",
	} {
		w.Header().Set(name, value)
	}
	c.mux.ServeHTTP(w, r)
}

// refusal is an answer of the control API that is none of 200.
type refusal struct {
	Status  int    `json:"-"`
	Message string `json:"error"`
	Hint    string `json:"hint"`
}

func (e *refusal) Error() string { return e.Message }

// call makes a call of the control API and returns its answer.
func (c *Console) call(ctx context.Context, method, path string, body []byte) (json.RawMessage, error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1"+control.Prefix+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = "127.0.0.1:1" // the guard has admitted the browser
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	c.api.ServeHTTP(w, r)
	if w.status == http.StatusOK {
		return w.body.Bytes(), nil
	}
	e := &refusal{Status: w.status}
	if json.Unmarshal(w.body.Bytes(), e) != nil {
		return nil, fmt.Errorf("%s %s: status %d", method, path, w.status)
	}
	return nil, e
}

// answer is what the control API writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// asked is a page that is being made: the calls that it makes, and the first of their errors.
type asked struct {
	*Console
	r     *http.Request
	title string // of the tab: record and state
	err   error
}

// get reads an answer of the control API; nothing once a call has failed.
func (a *asked) get(path string) value {
	if a.err != nil {
		return value{}
	}
	raw, err := a.call(a.r.Context(), http.MethodGet, path, nil)
	if err != nil {
		a.err = err
		return value{}
	}
	return parse(raw)
}

// query is a parameter of the page.
func (a *asked) query(name string) string { return a.r.URL.Query().Get(name) }

// store is the store that the page is about: that of the parameter, or that of the demo.
func (a *asked) store() string {
	if s := a.query("store"); s != "" {
		return escape(s)
	}
	if s := a.get("info").text("store_id"); s != "0" {
		return s
	}
	if all := a.get("stores?limit=1").list("items"); len(all) > 0 {
		return all[0].text("id")
	}
	if a.err == nil {
		a.err = errors.New("there is no store yet: add one on the page Stores")
	}
	return "0"
}

// show serves a page.
func (c *Console) show(w http.ResponseWriter, r *http.Request, p pageOf) {
	a := &asked{Console: c, r: r}
	live := a.get("changes").text("n") // what changes while the page is made is not on it
	made := p.make(a)
	v, status := c.view(a, p, made), http.StatusOK
	if v.Live = live; a.err != nil {
		v.Live, status = "", statusOf(a.err)
	}
	write(w, status, v)
}

// notFound is the page of an address without a page.
var notFound = pageOf{Name: "Not found", make: nowhere}

func nowhere(a *asked) []section {
	a.err = &refusal{Status: http.StatusNotFound, Message: "404 page not found: " + clip(a.r.URL.Path)}
	return []section{{Title: "There is no such page", Links: []cell{
		{Text: "Overview", Link: "/"}, {Text: "Search the log", Link: "/log"}, {Text: "Records", Link: "/entities"},
	}}}
}

// statusOf is the status of a page that could not be made.
func statusOf(err error) int {
	if e, ok := errors.AsType[*refusal](err); ok {
		return e.Status
	}
	return http.StatusConflict
}

// explain is an error with what to do about it.
func explain(err error) string {
	if e, ok := errors.AsType[*refusal](err); ok && e.Hint != "" {
		return strings.TrimSuffix(e.Message, ".") + ": " + e.Hint
	}
	return err.Error()
}
