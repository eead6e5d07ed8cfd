package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
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
	for _, name := range []string{"bulk", "key", "back"} { // of a button for several rows
		if v := r.URL.Query().Get(name); v != "" {
			r.PostForm.Set(name, v)
		}
	}
	back, ok := pageAt(r.PostForm.Get("back"))
	then, leads := pageAt(cmp.Or(r.PostForm.Get("then"), r.PostForm.Get("back")))
	bulk := r.PostForm.Get("bulk") != ""
	if !ok || !leads || !bulk && !strings.Contains(r.PostForm.Get("call"), " ") {
		http.Error(w, "the form has no call, or leads to no page", http.StatusBadRequest)
		return
	}
	a := &asked{Console: c, r: r}
	if r.PostForm.Get("loses") != "" && r.PostForm.Get("sure") == "" {
		c.question(w, a, back)
		return
	}
	act := a.perform
	if bulk {
		act = func(sent url.Values) (*outcome, error) { return a.performEach(back, sent) }
	}
	o, err := act(r.PostForm)
	if err != nil {
		a.again(w, back, err)
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
	got, store, err := a.sendAll(sent)
	if err != nil {
		return nil, err
	}
	o := outcomeOf(label, store, parse(got))
	if len(sent["step"]) > 0 && parse(got).at("answer").of != nil {
		o.Text, o.Answer = label+": done.", ""
	}
	o.Key = sent.Get("key")
	if kept != "" {
		o.Text += fmt.Sprintf(" The previous state is kept as %q.", kept)
		undo := a.ask("snapshots.restore", "Restore the previous state", of{kept})
		undo.Back, undo.Key = sent.Get("back"), id("undo", kept)
		o.Undo = &undo
	}
	o.follow(a.ran(since))
	return o, nil
}

// performEach presses a button for each of the picked rows of a page. The outcome is one sentence with counts.
func (a *asked) performEach(back *url.URL, sent url.Values) (*outcome, error) {
	since, label := a.heard(), sent.Get("bulk")
	p, of := a.of(back)
	var each func(id string) (form, bool)
	for _, s := range p.make(of) {
		if s.Picker != nil {
			for _, b := range s.Picker.Buttons {
				if b.Label == label {
					each = b.each
				}
			}
		}
	}
	switch {
	case each == nil:
		return nil, fmt.Errorf("the page has no button %q for picked rows", label)
	case len(sent["with"]) == 0:
		return nil, errors.New("pick at least one row")
	}
	done, none, refused, why := 0, 0, 0, error(nil)
	for _, id := range sent["with"] {
		f, ok := each(id)
		if of.err != nil {
			return nil, of.err
		}
		if !ok {
			none++
			continue
		}
		if _, _, err := a.sendAll(f.values()); err != nil {
			refused, why = refused+1, cmp.Or(why, err)
			continue
		}
		done++
	}
	o := &outcome{Key: sent.Get("key"), Text: fmt.Sprintf("%s: %d of %s done", label, done, traffic.Count(len(sent["with"]), "row"))}
	if none > 0 {
		o.Text += fmt.Sprintf(", %d not possible", none)
	}
	if refused > 0 {
		o.Text += fmt.Sprintf(", %d refused (%s)", refused, explain(why))
	}
	o.Text, o.Bad = o.Text+".", refused > 0
	o.follow(a.ran(since))
	return o, nil
}

// values are the fields of a form as a browser sends them.
func (f form) values() url.Values {
	out := url.Values{"call": {f.Call}, "label": {f.Label}, "step": f.Steps}
	for _, e := range f.Fields {
		name := e.Kind + ":" + e.Name
		if e.Kind == "hidden" {
			name = e.Name
		}
		out.Set(name, e.Value)
	}
	return out
}

// sendAll makes the call of a form and those after it, and returns the last answer.
func (a *asked) sendAll(sent url.Values) (got json.RawMessage, store string, err error) {
	if got, store, err = a.send(sent); err != nil {
		return nil, "", err
	}
	for _, text := range sent["step"] {
		var next struct {
			Call string
			Body json.RawMessage
		}
		if err := json.Unmarshal([]byte(text), &next); err != nil {
			return nil, "", fmt.Errorf("a further call cannot be read: %w", err)
		}
		method, path, _ := strings.Cut(next.Call, " ")
		if got, err = a.call(a.r.Context(), method, path, bytes.TrimSuffix(next.Body, []byte("null"))); err != nil {
			return nil, "", err
		}
	}
	return got, store, nil
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
	text := fmt.Sprintf("%d in %s", n, traffic.Count(len(all.list("items")), "store"))
	if all.text("next") != "" {
		text += ", and those of further stores"
	}
	return text
}

// of is the page at an address, without the outcome before, for a request that acts.
func (a *asked) of(at *url.URL) (pageOf, *asked) {
	was := a.r.Clone(a.r.Context())
	q := at.Query()
	q.Del("did")
	to := *at
	to.RawQuery = q.Encode()
	was.Method, was.URL = http.MethodGet, &to
	i := slices.IndexFunc(pages(), func(p pageOf) bool { return p.Address() == at.Path })
	return pages()[i], &asked{Console: a.Console, r: was}
}

// again shows the page of a form with why its call was refused.
func (a *asked) again(w http.ResponseWriter, back *url.URL, why error) {
	p, of := a.of(back)
	made := p.make(of)
	v := a.view(of, p, made)
	if !v.refuse(a.r.PostForm, explain(why)) {
		v.Error = explain(why)
	}
	status := statusOf(why)
	if a.r.PostForm.Get("script") != "" {
		status = http.StatusOK // browsers log others as faults of the page
	}
	write(w, status, v)
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
