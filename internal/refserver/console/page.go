package console

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"strings"
)

// pageOf is a row of the table of pages.
type pageOf struct {
	path, name string
	make       func(a *asked) []section
}

// pages is the one list of pages: the mux and the navigation are made from it.
func pages() []pageOf {
	return []pageOf{
		{"/{$}", "Overview", overview},
		{"/stores", "Stores", stores},
		{"/entities", "Entities", entities},
		{"/cart", "Cart and checkout", cart},
		{"/webhooks", "Webhooks", webhooks},
		{"/orders", "Orders and states", orders},
		{"/payments", "Payments", payments},
		{"/requests", "Requests", requests},
		{"/faults", "Faults", faults},
		{"/acts", "Acts", acts},
	}
}

// section is a part of a page. Empty fields are not drawn.
type section struct {
	Title, Note string
	Find        *finder
	Facts       []fact
	Links       []cell // to other views of the section; that of now has a class
	Heads       []string
	Rows        [][]cell
	// Empty says what to do first, if there are no rows.
	Empty    string
	More     string // the address of the next rows
	MoreText string // of the link to them; empty is "Next rows"
	Forms    []form
	Text     string // as it is, in lines
	Copy     bool   // a click selects the whole text
	Meter    *meter
	Graph    *graph
}

// Drawn reports whether the section has more than its title.
func (s section) Drawn() bool {
	return s.Note+s.Empty+s.Text != "" || len(s.Facts)+len(s.Links)+len(s.Rows)+len(s.Forms) > 0 || s.Graph != nil || s.Meter != nil || s.Find != nil
}

// finder chooses what the rows are. Its fields are parameters of the page, so the address can be sent to others.
type finder struct {
	Path   string
	Fields []field
}

type fact struct {
	Name  string
	Value cell
}

// cell is text, or a link, and then what it is made of.
type cell struct {
	Text, Link string
	Class      string // of good, bad, warn, number, time, whole (on one line) code or key
	Parts      []cell
}

// meter is a part of a whole, such as the milliseconds of 800.
type meter struct {
	Value, Of, Label string
}

// form is a call of the control API.
type form struct {
	Call   string // method and path
	Label  string // of the button
	Fields []field
	// Shows is set if the answer is shown instead of the page.
	Shows bool
	// Then is the page that a call leads to which takes away what the page is about; empty leads back.
	Then   string
	Danger bool
	Muted  bool // of what is refused now
	Error  string
}

// field is a member of the body, or with the kind path a part of the path. Kind is text, number, check, json, list,
// path or hidden; the name of a hidden one begins with its kind and a colon.
type field struct {
	Name, Label, Kind, Value string
	Choices                  []choice
	Optional                 bool
}

// choice is a value that may be chosen, with its text.
type choice struct{ Value, Text string }

// choose are choices whose text is the value.
func choose(of ...string) []choice {
	var out []choice
	for _, s := range of {
		out = append(out, choice{s, s})
	}
	return out
}

// view is what the template draws.
type view struct {
	Name, Path, Back string
	// Live is the count of changes when the page was made, empty for a page that does not change.
	Live     string
	Pages    []pageOf
	Error    string
	Sections []section
}

// Address is where the page of a row is.
func (p pageOf) Address() string {
	if p.path == "/{$}" {
		return "/"
	}
	return p.path
}

// Name is what navigation calls the page.
func (p pageOf) Name() string { return p.name }

var draw = template.Must(template.New("page.html").Funcs(template.FuncMap{
	// id depends on what a field is of, and not on where that is: a form that stays while others come and go would have
	// the id of another one.
	"id": func(of ...string) string {
		sum := fnv.New64a()
		for _, s := range of {
			fmt.Fprintf(sum, "%q", s)
		}
		return fmt.Sprintf("f%x", sum.Sum64())
	},
	"clip": func(most int, s string) string {
		if len(s) <= most {
			return s
		}
		return fmt.Sprintf("%s… (%d more bytes: the control API has all)", strings.ToValidUTF8(s[:most], ""), len(s)-most)
	},
	"rowKey": func(row []cell) string {
		if len(row) == 0 {
			return ""
		}
		return row[0].Text[:min(len(row[0].Text), 100)]
	},
	"head": func(heads []string, i int) string {
		if i < len(heads) {
			return heads[i]
		}
		return ""
	},
}).ParseFS(assets, "assets/page.html"))

// render draws a page, with the error if it could not be made.
func (c *Console) render(w http.ResponseWriter, r *http.Request, p pageOf, live string, sections []section, err error) {
	v := view{Name: p.name, Path: p.Address(), Back: r.URL.RequestURI(), Live: live, Pages: pages(), Sections: sections}
	status := http.StatusOK
	if err != nil {
		v.Error, v.Live, status = explain(err), "", statusOf(err)
	}
	write(w, status, v)
}

func write(w http.ResponseWriter, status int, v view) {
	var b bytes.Buffer
	if err := draw.Execute(&b, v); err != nil {
		http.Error(w, "the page cannot be drawn: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // an error here is the connection's
}
