package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// mostForm is how many bytes of a form are read.
const mostForm = 2 << 20

// do makes the call of a form, and leads back to its page. If the call is rejected, the page is shown again with the
// reason at the form.
func (c *Console) do(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	method, path, ok := strings.Cut(r.PostForm.Get("call"), " ")
	back, err := url.Parse(r.PostForm.Get("back"))
	if !ok || err != nil || back.Host != "" || back.Scheme != "" || !isPage(back.Path) {
		http.Error(w, "the form has no call, or leads back to no page", http.StatusBadRequest)
		return
	}
	then, err := url.Parse(cmp.Or(r.PostForm.Get("then"), back.RequestURI()))
	if err != nil || then.Host != "" || then.Scheme != "" || !isPage(then.Path) {
		http.Error(w, "the form leads on to no page", http.StatusBadRequest)
		return
	}
	body, err := bodyOf(r.PostForm)
	var got json.RawMessage
	if err == nil {
		path, err = fill(path, r.PostForm)
	}
	if err == nil {
		got, err = c.call(r.Context(), method, path, body)
	}
	switch {
	case err != nil:
		c.again(w, r, back, err)
	case r.PostForm.Get("shows") != "":
		c.answered(w, r, back, got)
	default:
		http.Redirect(w, r, then.RequestURI(), http.StatusSeeOther)
	}
}

// isPage reports whether a path is that of a page.
func isPage(path string) bool {
	return slices.ContainsFunc(pages(), func(p pageOf) bool { return p.Address() == path })
}

// answered shows the answer to a call.
func (c *Console) answered(w http.ResponseWriter, _ *http.Request, back *url.URL, got json.RawMessage) {
	write(w, http.StatusOK, view{
		Name: "Answer", Pages: pages(), Back: "/",
		Sections: []section{{
			Facts: []fact{{"Back to", cell{Text: back.Path, Link: back.RequestURI()}}},
			Text:  parse(got).whole(),
		}},
	})
}

// again shows the page of a form with why its call was refused.
func (c *Console) again(w http.ResponseWriter, r *http.Request, back *url.URL, why error) {
	for _, p := range pages() {
		if p.Address() != back.Path {
			continue
		}
		was := r.Clone(r.Context())
		was.Method, was.URL = http.MethodGet, back
		a := &asked{Console: c, r: was}
		made := p.make(a)
		v := view{Name: p.name, Path: p.Address(), Back: back.RequestURI(), Pages: pages(), Sections: made}
		if !place(made, r.PostForm, explain(why)) {
			v.Error = explain(why)
		}
		write(w, statusOf(why), v)
		return
	}
}

// place puts an error at the form that was sent, with the typed values, and reports whether the form still exists.
func place(sections []section, sent url.Values, why string) bool {
	for i := range sections {
		for j := range sections[i].Forms {
			f := &sections[i].Forms[j]
			if f.Call != sent.Get("call") || f.Label != sent.Get("label") {
				continue
			}
			f.Error = why
			for k, e := range f.Fields {
				if e.Kind != "hidden" {
					f.Fields[k].Value = sent.Get(e.Kind + ":" + e.Name)
				}
			}
			return true
		}
	}
	return false
}
