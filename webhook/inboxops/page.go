package inboxops

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"age": age, "entries": entries, "number": number, "printable": printable, "several": several, "spark": spark, "stamp": stamp,
	"mostFailures": func() int { return webhook.MostFailures },
	"moment": func(text string) string {
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return stamp(t)
		}
		return printable(text)
	},
	"link": func(page string, q query) string { return page + "?" + q.values().Encode() },
	"act": func(do action, q query) string {
		values := q.values()
		values.Set("do", string(do))
		return "confirm?" + values.Encode()
	},
	"one": func(do action, key string) string {
		return "confirm?" + url.Values{"do": {string(do)}, "key": {key}}.Encode()
	},
	"entry": func(key string) string { return "entry?" + url.Values{"key": {key}}.Encode() },
}).ParseFS(assets, "assets/*.html"))

// view is the data of a page.
type view struct {
	Title string
	Name  string // of the page
	Jobs  bool   // there are queues
	Data  any
}

// addPages adds the pages. All are in one directory, so that their links work under any path.
func (h *Handler) addPages() {
	for path, serve := range map[string]func(w http.ResponseWriter, r *http.Request) (status int, name string, data any,
		err error){
		"GET /{$}":     h.overview,
		"GET /entries": h.list,
		"GET /entry":   h.entry,
		"GET /confirm": h.confirm,
		"POST /act":    h.act,
		"GET /done":    h.done,
		"GET /jobs":    h.jobs,
		"GET /job":     h.job,
		"POST /job":    h.change,
	} {
		h.routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			status, name, data, err := serve(w, r)
			if err != nil {
				status, name, data = statusOf(err), "problem", inWords(err)
			}
			if name != "" {
				h.render(w, status, name, data)
			}
		})
	}
	for path, kind := range map[string]string{"style.css": "text/css; charset=utf-8",
		"ops.mjs": "text/javascript; charset=utf-8"} {
		h.routes.HandleFunc("GET /"+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			http.ServeFileFS(w, r, assets, "assets/"+path)
		})
	}
	h.routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.render(w, http.StatusNotFound, "problem", "There is no such page.")
	})
}

func (h *Handler) render(w http.ResponseWriter, status int, name string, data any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name+".html", view{cmp.Or(h.Title, "Inbox"), name, len(h.Queues) > 0, data}); err != nil {
		http.Error(w, "inboxops: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

// errInput is a mistake in a request.
type errInput struct{ error }

func (e errInput) Unwrap() error { return e.error }

// inWords returns an error for people.
func inWords(err error) string {
	switch {
	case errors.Is(err, webhook.ErrNoEntry):
		return "The inbox has no entry with this key. Entries are deleted some time after they are handled."
	case errors.Is(err, errNotDead):
		return "The entry is not dead any more, so it cannot be replayed or purged."
	}
	return printable(err.Error())
}

// statusOf returns the status of an error.
func statusOf(err error) int {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, new(errInput)):
		return http.StatusBadRequest
	case errors.Is(err, webhook.ErrNoEntry), errors.Is(err, client.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, errNotDead):
		return http.StatusConflict
	}
	return http.StatusServiceUnavailable
}

// redirect answers a form. The address is relative to the page.
func redirect(w http.ResponseWriter, page string, values url.Values) {
	w.Header().Set("Location", page+"?"+values.Encode())
	w.WriteHeader(http.StatusSeeOther)
}

// within returns a context that ends shortly after the budget of a request.
func (h *Handler) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, h.budget()+5*time.Second)
}

func (h *Handler) budget() time.Duration { return cmp.Or(h.Budget, DefaultBudget) }
