package console

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"strings"
)

// pageOf is a row of the table of pages.
type pageOf struct {
	path string
	Name string
	Key  string // after g, on the keyboard
	make func(a *asked) []section
}

// pages is the one list of pages: the mux, the navigation and the keys are made from it.
func pages() []pageOf {
	return []pageOf{
		{"/{$}", "Overview", "o", overview},
		{"/log", "Log", "l", log},
		{"/charts", "Charts", "h", charts},
		{"/cart", "Carts", "c", cart},
		{"/orders", "Orders", "r", orders},
		{"/entities", "Records", "e", entities},
		{"/stores", "Stores", "s", stores},
		{"/faults", "Faults", "f", faults},
		{"/acts", "Acts", "a", acts},
		{"/contract", "Contract", "t", contract},
	}
}

// Address is where the page of a row is.
func (p pageOf) Address() string {
	if p.path == "/{$}" {
		return "/"
	}
	return p.path
}

// view is the whole page, as the template draws it.
type view struct {
	Title, Name, Path, Back string
	// Live is the count of changes when the page was made, empty for a page that does not change.
	Live     string
	Did      string // the number of the last outcome on the page
	Pages    []pageOf
	Error    string
	News     *outcome // of a form that is no longer there
	Clock    section
	Sections []section
}

var draw = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"clip": func(most int, s string) string {
		if len(s) <= most {
			return s
		}
		return fmt.Sprintf("%s… (%d more bytes: the control API has all)", strings.ToValidUTF8(s[:most], ""), len(s)-most)
	},
	"rowKey": func(row []cell) string { // its link, which is unique, or else its text
		for _, c := range row {
			if c.Link != "" {
				return c.Link
			}
		}
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

// view is the page of a request. Its sections are made, or there is the error of a call.
func (c *Console) view(a *asked, p pageOf, sections []section) view {
	v := view{
		Title: cmp.Or(a.title, p.Name), Name: p.Name, Path: p.Address(), Back: a.r.URL.RequestURI(), Pages: pages(),
		Clock: (&asked{Console: c, r: a.r}).clock(), Sections: sections,
	}
	if a.err != nil {
		v.Error, v.Title = explain(a.err), "Problem"
	}
	v.prepare()
	if o := c.outcomes.of(a.query("did")); o != nil {
		v.Did = a.query("did")
		v.place(o)
	}
	return v
}

// forms calls a function with each form of the page.
func (v *view) forms(with func(s *section, f *form)) {
	all := append([]*section{&v.Clock}, make([]*section, 0, len(v.Sections))...)
	for i := range v.Sections {
		all = append(all, &v.Sections[i])
	}
	for _, s := range all {
		if s.Picker != nil {
			with(s, &s.Picker.form)
		}
		for i := range s.Forms {
			with(s, &s.Forms[i])
		}
		for _, row := range s.Rows {
			for i := range row {
				for j := range row[i].Forms {
					with(s, &row[i].Forms[j])
				}
			}
		}
	}
}

// prepare gives each form its key, which is unique on the page.
func (v *view) prepare() {
	v.forms(func(s *section, f *form) {
		of := []string{s.Title, f.Call, f.Label}
		for _, e := range f.Fields {
			if e.Kind == "hidden" && !strings.Contains(e.Name, ":body") {
				of = append(of, e.Name, e.Value)
			}
		}
		f.Back, f.Key = v.Back, id(of...)
		for i, e := range f.Fields {
			f.Fields[i].ID = id(f.Key, e.Name)
		}
	})
}

// place puts an outcome after its form, or above the page if the form is no longer there.
func (v *view) place(o *outcome) {
	v.News = o
	v.forms(func(_ *section, f *form) {
		if f.Key == o.Key {
			f.Said, v.News = o, nil
		}
	})
}

// id is an id that depends on texts alone: a form that stays while others come and go keeps it.
func id(of ...string) string {
	sum := fnv.New64a()
	for _, s := range of {
		fmt.Fprintf(sum, "%q", s)
	}
	return fmt.Sprintf("f%x", sum.Sum64())
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
