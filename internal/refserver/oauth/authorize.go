package oauth

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

//go:embed consent.html
var consentHTML string

var consent = template.Must(template.New("consent").Parse(consentHTML))

// authorize asks the merchant, or skips the question if the store has approved
// all that the app asks for. Where there are several stores, the merchant says which by
// store_id or on the page: otherwise the first would keep the others from it.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request, app world.App) {
	query, err := api.ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(w, api.Coded(http.StatusBadRequest, "Problems parsing the query"))
		return
	}
	state := query.Get("state")
	stores := s.o.World.Stores()
	if len(stores) == 0 {
		refuse(w, api.Coded(http.StatusConflict, "There is no store to install into"))
		return
	}
	text := r.FormValue("store_id")
	store, chosen := s.first(app, stores), text != "" || len(stores) == 1
	if text != "" {
		store, _ = api.ParseID(text) // 0 is no store's
	}
	if _, ok := s.o.World.Store(store); !ok {
		refuse(w, api.NotFound(""))
		return
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		in, installed := s.o.World.Installed(app.ID, store)
		if s.o.AutoApprove || (chosen && installed && in.Scopes.Covers(app.Scopes)) {
			s.redirect(w, r, app, http.StatusFound, url.Values{"code": {s.issue(app, store)}}, state)
			return
		}
		ask(w, app, stores, store, state)
	case http.MethodPost:
		s.decide(w, r, app, store)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		refuse(w, api.Coded(http.StatusMethodNotAllowed, ""))
	}
}

// first is the store that the page proposes: the first without the app, or else the first.
func (s *Server) first(app world.App, stores []world.Store) int64 {
	for _, st := range stores {
		if _, installed := s.o.World.Installed(app.ID, st.ID); !installed {
			return st.ID
		}
	}
	return stores[0].ID
}

func ask(w http.ResponseWriter, app world.App, stores []world.Store, store int64, state string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	// The page is small and the template is fixed. So an error here is the connection's, and nobody is left to report
	// it to.
	_ = consent.Execute(w, struct {
		App    world.App
		Stores []world.Store
		Store  int64
		State  string
	}{app, stores, store, state})
}

// decide sends the merchant back to the app with a code or a refusal.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, app world.App, store int64) {
	if err := s.protect.Check(r); err != nil {
		refuse(w, api.Forbidden(err.Error()))
		return
	}
	answer := url.Values{"error": {"access_denied"}}
	if r.PostFormValue("decision") == "approve" {
		answer = url.Values{"code": {s.issue(app, store)}}
	}
	s.redirect(w, r, app, http.StatusSeeOther, answer, r.PostFormValue("state"))
}

// redirect sends the browser to the app. The state is echoed if there is one.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, app world.App, status int, answer url.Values, state string) {
	u, err := url.Parse(app.RedirectURL)
	if err != nil || u.Host == "" {
		refuse(w, api.Coded(http.StatusConflict, "The app has no redirect URL"))
		return
	}
	q := u.Query()
	for name, values := range answer {
		q[name] = values
	}
	if state != "" {
		q.Set("state", state)
	}
	u.RawQuery = q.Encode()
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, u.String(), status)
}
