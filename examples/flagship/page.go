package main

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

//go:embed page.html page.css
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "page.html"))

var errNoPage = errors.New("there is no such page")

// pages are the merchants' pages. A form of another site cannot change anything.
func (a *app) pages() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", a.signedIn(a.show))
	mux.Handle("POST /offer", a.signedIn(a.changeOffer))
	mux.Handle("POST /changes/retry", a.signedIn(a.retry))
	mux.Handle("GET /data-requests/{request}", a.signedIn(a.export))
	mux.Handle("POST /data-requests/{request}/answered", a.signedIn(a.answered))
	mux.Handle("POST /sign-out", a.signedIn(a.signOut))
	mux.Handle("GET /page.css", http.FileServerFS(assets))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { a.fail(w, r, errNoPage) })
	return http.NewCrossOriginProtection().Handler(mux)
}

// signedIn serves merchants. Installing the app signs a merchant in, as opening it from the platform does.
func (a *app) signedIn(f func(w http.ResponseWriter, r *http.Request, store client.ID) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		in, err := a.Sessions.Of(r)
		switch {
		case errors.Is(err, oauth.ErrSignedOut) && r.URL.Path == "/":
			err = a.draw(w, http.StatusOK, shown{})
		case errors.Is(err, oauth.ErrSignedOut):
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		case err == nil:
			err = f(w, r, in.StoreID)
		}
		if err != nil {
			a.fail(w, r, err)
		}
	})
}

// fail shows a page about an error instead of the page that was requested.
func (a *app) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, v := http.StatusNotFound, shown{Failure: "This page does not exist."}
	if !errors.Is(err, errNoPage) {
		slog.ErrorContext(r.Context(), "a page cannot be shown", "error", err)
		status, v.Failure = http.StatusInternalServerError, "The page cannot be shown at the moment. Try again later."
	}
	if err := a.draw(w, status, v); err != nil {
		http.Error(w, v.Failure, status)
	}
}

// shown is the content of the page. Store 0 means that nobody is signed in.
type shown struct {
	Name     string
	Failure  string // the page has nothing else
	Store    client.ID
	Notice   string // an act that was done
	Offer    offer
	Error    string // the reason why the offer was not changed
	Today    figures
	Requests []client.ID
	Changes  []change
}

// notices are the sentences about acts that were done, by the value of the cookie.
var notices = map[string]string{
	"saved":    "The offer was saved. The next cart gets it.",
	"answered": "The request was marked as answered.",
	"retried":  "The failed products are changed again.",
}

const noticeCookie = "notice"

// done ends an act: the browser gets the page, which shows a notice once.
func (a *app) done(w http.ResponseWriter, r *http.Request, notice string) {
	http.SetCookie(w, a.notice(notice, 60))
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (a *app) notice(value string, age int) *http.Cookie {
	return &http.Cookie{
		Name: noticeCookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(a.PublicURL, "https://"),
	}
}

// show shows the page of a store.
func (a *app) show(w http.ResponseWriter, r *http.Request, store client.ID) error {
	return a.showWith(w, r, store, nil, nil)
}

// showWith shows the page, with an offer that was not stored and the reason.
func (a *app) showWith(w http.ResponseWriter, r *http.Request, store client.ID, entered *offer, wrong error) error {
	ctx := r.Context()
	v := shown{Store: store}
	if c, err := r.Cookie(noticeCookie); err == nil {
		v.Notice = notices[c.Value]
		http.SetCookie(w, a.notice("", -1))
	}
	var failed [4]error
	v.Offer, failed[0] = a.offerOf(ctx, store)
	v.Requests, failed[1] = a.dataRequests(ctx, store)
	v.Today, failed[2] = a.today(ctx, store, v.Offer)
	v.Changes, failed[3] = a.changes(ctx, store)
	if err := errors.Join(failed[:]...); err != nil {
		return err
	}
	status := http.StatusOK
	if wrong != nil {
		v.Offer, v.Error, status = *entered, wrong.Error(), http.StatusUnprocessableEntity
	}
	return a.draw(w, status, v)
}

// changeOffer stores the form of the offer.
func (a *app) changeOffer(w http.ResponseWriter, r *http.Request, store client.ID) error {
	r.Body = http.MaxBytesReader(w, r.Body, 4096)
	o := offer{Tag: strings.TrimSpace(r.PostFormValue("tag")), Most: strings.TrimSpace(r.PostFormValue("most"))}
	if err := o.check(); err != nil {
		return a.showWith(w, r, store, &o, err)
	}
	before := ""
	if r.PostFormValue("rename") != "" {
		now, err := a.offerOf(r.Context(), store)
		if err != nil {
			return err
		}
		before = now.Tag
	}
	if err := a.setOffer(r.Context(), store, before, o); err != nil {
		return err
	}
	a.done(w, r, "saved")
	return nil
}

// signOut ends the session of this browser. The app stays installed.
func (a *app) signOut(w http.ResponseWriter, r *http.Request, _ client.ID) error {
	a.Sessions.SignOut(w)
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// draw writes the page.
func (a *app) draw(w http.ResponseWriter, status int, v shown) error {
	v.Name = name
	var page bytes.Buffer
	if err := layout.Execute(&page, v); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // an error means that the browser has left
	return nil
}
