package browsertest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// recorder is a test that only notes what is reported to it.
type recorder struct {
	testing.TB
	reported []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.reported = append(r.reported, fmt.Sprintf(format, args...))
}

// site serves pages by path, each with the policy that pages of this module have.
func site(t *testing.T, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, found := pages[r.URL.Path]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-a'; "+
				"require-trusted-types-for 'script'; trusted-types 'none'")
		if !found {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Page</title>
			<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
			<main><h1>A page</h1>`+page+`</main></html>`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Each kind of defect is reported, and a page without one is not.
func TestCheck(t *testing.T) {
	defects := map[string]struct{ page, want string }{
		"/fine":      {`<p>Fine</p>`, ""},
		"/missing":   {"", ""}, // the status is that of the page itself
		"/console":   {`<script nonce="a">console.log("hello", 7)</script>`, "console.log: \"hello\" 7"},
		"/exception": {`<script nonce="a">none()</script>`, "none is not defined"},
		"/policy":    {`<script>document.title = ""</script>`, "Content Security Policy"},
		"/markup":    {`<script nonce="a">document.body.innerHTML = "x"</script>`, "TrustedHTML"},
		"/request":   {`<img alt="a" src="/none.png">`, "none.png"},
		"/dialog":    {`<script nonce="a">alert("hi")</script>`, "dialog alert: hi"},
		"/wide":      {`<p style="width: 500px">Wide</p>`, "wider than the view: 5"},
		"/contrast":  {`<p style="color: #ccc">Pale</p>`, "axe color-contrast"},
		"/label":     {`<input>`, "axe label"},
	}
	pages := map[string]string{}
	for path, d := range defects {
		if path != "/missing" {
			pages[path] = d.page
		}
	}
	at, r := site(t, pages), &recorder{TB: t}
	p := browser.Open(r, View{Width: Phone})
	for path, d := range defects {
		r.reported = nil
		p.Visit(at+path, "A page")
		p.Check()
		if got := strings.Join(r.reported, "\n"); !strings.Contains(got, d.want) || d.want == "" && got != "" {
			t.Errorf("%s: reported %q, want %q", path, got, d.want)
		}
	}
}

// A step never takes the page before for the new one, even if they are the same.
func TestFollow(t *testing.T) {
	at := site(t, map[string]string{"/": `<a href="/">Again</a>`})
	for _, view := range []View{{}, {NoScript: true}} {
		p := browser.Open(t, view)
		p.Visit(at, "A page")
		for range 5 {
			p.Follow("A page", chromedp.Click(chromedp.CSS("a")))
			if n := Value[int](p, "performance.getEntriesByType('navigation').length"); n != 1 {
				t.Errorf("%d navigations", n)
			}
		}
	}
}

// A view is what the page sees.
func TestView(t *testing.T) {
	at := site(t, map[string]string{"/": `<p id="p">Old</p><script nonce="a">p.textContent = "New"</script>`})
	for _, tt := range []struct {
		view        View
		text, name  string
		width       int
		dark, still bool
	}{
		{View{}, "New", "1280-light", 1280, false, false},
		{View{Width: Phone, Dark: true, Still: true, NoScript: true}, "Old", "390-dark-still-noscript", 390, true, true},
	} {
		p := browser.Open(t, tt.view)
		p.Visit(at, tt.text)
		p.Check()
		dark := Value[bool](p, "matchMedia('(prefers-color-scheme: dark)').matches")
		still := Value[bool](p, "matchMedia('(prefers-reduced-motion: reduce)').matches")
		if width := Value[int](p, "innerWidth"); width != tt.width || dark != tt.dark || still != tt.still {
			t.Errorf("%s: width %d, dark %v, still %v", tt.view, width, dark, still)
		}
		if tt.view.String() != tt.name {
			t.Errorf("%s, want %s", tt.view, tt.name)
		}
		picture, err := os.ReadFile(p.Picture(t.TempDir(), "page"))
		if err != nil || !strings.HasPrefix(string(picture), "\x89PNG") {
			t.Errorf("no picture: %v", err)
		}
	}
}

// A page is checked in each view, and what is wrong in one view only is reported.
func TestCheckViews(t *testing.T) {
	at := site(t, map[string]string{"/": `<style nonce="a">@media (prefers-color-scheme: dark) { #wide { width: 900px } }</style>
		<div id="wide">Page</div>`})
	r := &recorder{TB: t}
	p := browser.Open(r, View{})
	p.Visit(at, "Page")
	p.CheckViews()
	if len(r.reported) != 1 || !strings.Contains(r.reported[0], "390-dark") || !strings.Contains(r.reported[0], "wider than the view") {
		t.Errorf("reported %q, want that 390-dark is too wide", r.reported)
	}
	for _, view := range Views() {
		p.Look(view)
		width, dark := Value[int](p, "screen.width"), Value[bool](p, "matchMedia('(prefers-color-scheme: dark)').matches")
		if view.Width == Phone && width != Phone || dark != view.Dark {
			t.Errorf("%s: width %d, dark %v", view, width, dark)
		}
	}
}

// The focus is followed, and one that nobody sees is reported.
func TestTabTo(t *testing.T) {
	at, r := site(t, map[string]string{"/": `<a href="#1">One</a> <a href="#2" style="outline: none">Two</a>
		<label>Three <input></label> <a href="#4" style="position: absolute; left: -999px">Four</a>`}), &recorder{TB: t}
	p := browser.Open(r, View{})
	p.Visit(at, "A page")
	var names []string
	for _, f := range p.TabTo("Four") {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"One", "Two", "Three", "Four"}) {
		t.Errorf("the focus was on %q", names)
	}
	if len(r.reported) != 2 || !strings.Contains(r.reported[0], "Two") || !strings.Contains(r.reported[1], "Four") {
		t.Errorf("reported %q, want what nobody sees", r.reported)
	}
	p.Press(kb.Enter)
	p.Await("location.hash === '#4'")
}
