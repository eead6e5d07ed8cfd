package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// mostForm is how many bytes of a form are read.
const mostForm = 2 << 20

// do makes the call of a form, and leads back to its page, where the outcome follows the button. If the call is
// rejected, the page is shown again with the reason there.
func (c *Console) do(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form cannot be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	back, ok := pageAt(r.PostForm.Get("back"))
	then, leads := pageAt(cmp.Or(r.PostForm.Get("then"), r.PostForm.Get("back")))
	if !ok || !leads || !strings.Contains(r.PostForm.Get("call"), " ") {
		http.Error(w, "the form has no call, or leads to no page", http.StatusBadRequest)
		return
	}
	a := &asked{Console: c, r: r}
	if r.PostForm.Get("loses") != "" && r.PostForm.Get("sure") == "" {
		c.question(w, a, back)
		return
	}
	o, err := a.perform(r.PostForm)
	if err != nil {
		c.again(w, r, back, err)
		return
	}
	q := then.Query()
	q.Set("did", c.outcomes.add(o))
	then.RawQuery, then.Fragment = q.Encode(), o.Key
	http.Redirect(w, r, then.String(), http.StatusSeeOther)
}

// pageAt is the address of a page of this console.
func pageAt(address string) (*url.URL, bool) {
	at, err := url.Parse(address)
	ok := err == nil && at.Host == "" && at.Scheme == "" &&
		slices.ContainsFunc(pages(), func(p pageOf) bool { return p.Address() == at.Path })
	return at, ok
}

// perform makes the calls of a form.
func (a *asked) perform(sent url.Values) (*outcome, error) {
	since, label := a.heard(), sent.Get("label")
	kept := ""
	if sent.Get("loses") != "" {
		kept = "before " + label
		if err := a.keep(&kept); err != nil {
			return nil, err
		}
	}
	got, store, err := a.send(sent)
	if err != nil {
		return nil, err
	}
	for _, text := range sent["step"] {
		var next struct {
			Call string
			Body json.RawMessage
		}
		if err := json.Unmarshal([]byte(text), &next); err != nil {
			return nil, fmt.Errorf("a further call cannot be read: %w", err)
		}
		method, path, _ := strings.Cut(next.Call, " ")
		if got, err = a.call(a.r.Context(), method, path, bytes.TrimSuffix(next.Body, []byte("null"))); err != nil {
			return nil, err
		}
	}
	o := outcomeOf(label, store, parse(got))
	if len(sent["step"]) > 0 && parse(got).at("answer").of != nil {
		o.Text, o.Answer = label+": done.", ""
	}
	o.Key = sent.Get("key")
	if kept != "" {
		o.Text += fmt.Sprintf(" The state before is kept as %q.", kept)
		undo := a.ask("snapshots.restore", "Restore the state before", of{kept})
		undo.Back, undo.Key = sent.Get("back"), id("undo", kept)
		o.Undo = &undo
	}
	if ran := a.ran(since); len(ran) > 0 {
		o.More = append(o.More, cell{Text: "Since then:", Parts: ran})
	}
	return o, nil
}

// keep stores the present state under a name that is still free. If there are too many, the oldest of its kind goes.
func (a *asked) keep(name *string) error {
	taken := a.get("snapshots?limit=200").list("items")
	is := func(name string) bool {
		return slices.ContainsFunc(taken, func(s value) bool { return s.text("name") == name })
	}
	for i, plain := 2, *name; is(*name); i++ {
		*name = fmt.Sprintf("%s %d", plain, i)
	}
	if len(taken) >= 32 {
		for _, s := range taken {
			if old := s.text("name"); strings.HasPrefix(old, "before ") {
				_, _ = a.call(a.r.Context(), "DELETE", "snapshots/"+escape(old), nil) // then there is still no room
				break
			}
		}
	}
	body, err := json.Marshal(map[string]string{"name": *name})
	if err == nil {
		_, err = a.call(a.r.Context(), "POST", "snapshots", body)
	}
	return err
}

// send makes the first call of a form. A move of the clock is repeated until the time is reached.
func (a *asked) send(sent url.Values) (got json.RawMessage, store string, err error) {
	method, path, _ := strings.Cut(sent.Get("call"), " ")
	body, err := bodyOf(sent)
	if err == nil {
		path, err = fill(path, sent)
	}
	if err != nil {
		return nil, "", err
	}
	if below, ok := strings.CutPrefix(path, "stores/"); ok {
		store, _, _ = strings.Cut(below, "/")
	}
	until := ""
	if by, bad := time.ParseDuration(parse(body).text("by")); path == "clock/advance" && bad == nil {
		if now, bad := time.Parse(time.RFC3339Nano, a.get("clock").text("now")); bad == nil {
			until = now.Add(by).Format(time.RFC3339Nano)
		}
	} else if path == "clock/to" {
		until = parse(body).text("at")
	}
	got, err = a.call(a.r.Context(), method, path, body)
	return a.goOn(got, until, err), store, err
}

// goOn moves the clock on to a time that one call has not reached.
func (a *asked) goOn(got json.RawMessage, until string, err error) json.RawMessage {
	const most = 10 // calls
	ran := parse(got).int("ran")
	for i := 0; err == nil && until != "" && parse(got).text("done") == "no" && i < most; i++ {
		body, _ := json.Marshal(map[string]string{"at": until})
		var next json.RawMessage
		if next, err = a.call(a.r.Context(), "POST", "clock/to", body); err == nil {
			ran += parse(next).int("ran")
			got, _ = json.Marshal(map[string]any{"now": parse(next).text("now"), "ran": ran,
				"done": parse(next).text("done") == "yes"})
		}
	}
	return got
}

// question asks before an act that loses data, and names the number of records.
func (c *Console) question(w http.ResponseWriter, a *asked, back *url.URL) {
	sent := a.r.PostForm
	f := form{Call: sent.Get("call"), Label: sent.Get("label"), Then: sent.Get("then"), Loses: sent.Get("loses")}
	for name, values := range sent {
		if !slices.Contains([]string{"call", "label", "then", "loses", "back", "key"}, name) {
			f.Fields = append(f.Fields, hidden(name, values[0]))
		}
	}
	f.Fields = append(f.Fields, hidden("sure", "yes"))
	s := section{
		Title: f.Label + "?", Note: f.Loses +
			" The present state is kept first, so it can be brought back.", Forms: []form{f},
		Facts: []fact{
			{"Records now", cell{Text: a.recordCount()}}, {"Cancel", cell{Text: "back to the page",
				Link: back.RequestURI()}},
		},
	}
	v := view{Title: s.Title, Name: "Sure?", Back: back.RequestURI(), Pages: pages(), Sections: []section{s}}
	v.prepare()
	v.Sections[0].Forms[0].Key = sent.Get("key")
	write(w, http.StatusOK, v)
}

// recordCount is the number of records of the first stores, in words.
func (a *asked) recordCount() string {
	all, n := a.get("stores?limit=10"), 0
	for _, st := range all.list("items") {
		counts, _ := a.get("stores/" + st.text("id") + "/entities").at("resources").of.(map[string]any)
		for name := range counts {
			n += value{counts}.int(name)
		}
	}
	text := fmt.Sprintf("%d in %s", n, count(len(all.list("items")), "store"))
	if all.text("next") != "" {
		text += ", and those of further stores"
	}
	return text
}

// again shows the page of a form with why its call was refused.
func (c *Console) again(w http.ResponseWriter, r *http.Request, back *url.URL, why error) {
	for _, p := range pages() {
		if p.Address() != back.Path {
			continue
		}
		was := r.Clone(r.Context())
		q := back.Query()
		q.Del("did") // the outcome before
		back.RawQuery = q.Encode()
		was.Method, was.URL = http.MethodGet, back
		a := &asked{Console: c, r: was}
		made := p.make(a)
		v := c.view(a, p, made)
		if !v.refuse(r.PostForm, explain(why)) {
			v.Error = explain(why)
		}
		status := statusOf(why)
		if r.PostForm.Get("script") != "" {
			status = http.StatusOK // browsers log others as faults of the page
		}
		write(w, status, v)
		return
	}
}

// refuse puts an error at the form that was sent, with the typed values, and reports whether the form still exists.
func (v *view) refuse(sent url.Values, why string) (found bool) {
	v.forms(func(_ *section, f *form) {
		if found || f.Key != sent.Get("key") {
			return
		}
		found, f.Error = true, why
		for k, e := range f.Fields {
			if e.Kind != "hidden" {
				f.Fields[k].Value = sent.Get(e.Kind + ":" + e.Name)
			}
		}
	})
	return found
}
