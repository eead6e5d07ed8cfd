package oauth

import (
	"errors"
	"html/template"
	"net/http"
)

// page is all that the default pages show. Detail is the only foreign text, and clean has been over it.
type page struct {
	Title, Text, Detail string
	Retry               bool
}

// The link to "?" is this same address without its query, which begins an install.
var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
{{with .Detail}}<p>The platform said: {{.}}</p>
{{end}}{{if .Retry}}<p><a href="?">Start the installation again</a></p>
{{end}}</html>
`))

func successPage(w http.ResponseWriter) {
	showPage(w, http.StatusOK, page{Title: "The app is installed", Text: "You can close this page."})
}

func failurePage(w http.ResponseWriter, status int, err error) {
	p := page{Title: "The app was not installed", Retry: true}
	var refused *Error
	switch {
	case errors.Is(err, ErrUnsolicited):
		p.Text = "The installation did not start on this site, so we cannot tell who started it."
	case errors.Is(err, ErrState):
		p.Text = "This link was used already, is too old, or belongs to another browser."
	case errors.Is(err, ErrSuperseded):
		p.Title, p.Text, p.Retry = "The app is installed", "Another installation ended after this one.", false
	case errors.As(err, &refused):
		p.Text, p.Detail = "The platform refused the installation.", refused.Code
		if refused.Status == 0 && refused.Code == "access_denied" {
			p.Text = "You declined the installation."
		}
	case status == http.StatusBadRequest, status == http.StatusMethodNotAllowed:
		p.Text = "The request cannot be understood."
	case status == http.StatusBadGateway:
		p.Text = "The platform could not be reached, or did not answer."
	case status == http.StatusServiceUnavailable:
		p.Text = "There are too many installations at the moment."
	default:
		p.Text = "Something went wrong on our side."
	}
	showPage(w, status, p)
}

func showPage(w http.ResponseWriter, status int, p page) {
	guard(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_ = pageTemplate.Execute(w, p) // fails only when the browser has gone
}
