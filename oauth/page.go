package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
)

// page is the content of a default page. From the request it contains only a state that was checked.
type page struct {
	Title, Text string
	Button      string // label; empty for none
	Href        string // of the button; "?" is this address without its query, "" is this address
	Post        bool   // the button repeats a request that was not a GET
	Style       template.CSS
}

// style names every colour, so that the contrast is the same in every browser: at least 7 to 1 in both schemes.
const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: #fff; color: #1c1f24; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
.button { display: inline-block; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; font: inherit; text-decoration: none; cursor: pointer; }
.button { background: #124a94; color: #fff; }
.button:focus-visible { outline: .2rem solid #124a94; outline-offset: .2rem; }
@media (prefers-color-scheme: dark) {
body { background: #16181c; color: #eceef1; }
.button { background: #a8c7fa; color: #10151c; }
.button:focus-visible { outline-color: #a8c7fa; }
}
`

// A button leaves frames, because the cookie exists at the top level only.
var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
{{if .Post}}<form method="post" target="_top"><button class="button">{{.Button}}</button></form>
{{else if .Button}}<p><a class="button" href="{{.Href}}" target="_top">{{.Button}}</a></p>
{{end}}</main>
</body>
</html>
`))

// styleHash allows only this style in the Content-Security-Policy.
var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

func (h *Handler) successPage(w http.ResponseWriter) {
	p := page{Title: "{App} is installed", Text: "Open {app} from the admin of your store. You can close this page."}
	h.showPage(w, http.StatusOK, p, false)
}

// failurePage describes the outcome of an installation. again is the state whose return path a new installation uses;
// it may be empty.
func (h *Handler) failurePage(w http.ResponseWriter, err error, again string) {
	row := rowOf(err)
	p := page{Title: row.title, Text: row.text}
	switch row.next {
	case nextBegin:
		p.Button, p.Href = row.button, "?"
		if again != "" {
			p.Href += "again=" + again
		}
	case nextReload:
		p.Button = row.button
	}
	h.showPage(w, row.status, p, row.is == ErrNoCookie) // a frame that sent no Sec-Fetch-Dest ends there
}

// framePage shows a button that opens the same address outside the frame.
func (h *Handler) framePage(w http.ResponseWriter, r *http.Request) {
	p := page{
		Title: "Continue in a full window", Button: "Continue", Post: r.Method != http.MethodGet,
		Text: "{App} cannot be installed inside another page. Continue in a full window.",
	}
	h.showPage(w, http.StatusOK, p, true)
}

// showPage sends a page. Other sites may show it in a frame only if framed is set. The page is then the way out of a
// frame, and its button has the same effect as a visit.
func (h *Handler) showPage(w http.ResponseWriter, status int, p page, framed bool) {
	policy := "default-src 'none'; style-src " + styleHash + "; base-uri 'none'"
	if !p.Post { // it would also stop the platform's redirects
		policy += "; form-action 'none'"
	}
	guard(w)
	header := w.Header()
	if !framed {
		policy += "; frame-ancestors 'none'"
		header.Set("X-Frame-Options", "DENY")
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	name := h.App.shownName()
	p.Title, p.Text, p.Style = name.in(p.Title), name.in(p.Text), style
	_ = pageTemplate.Execute(w, p) // fails only if the browser has left
}
