package main

import (
	"bytes"
	"context"
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
		switch {
		case errors.Is(err, errNoPage):
			http.NotFound(w, r)
		case err != nil:
			slog.ErrorContext(r.Context(), "a page cannot be shown", "error", err)
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})
}

// shown is the content of the page. Store 0 means that nobody is signed in.
type shown struct {
	Name                  string
	Store                 client.ID
	Offer                 offer
	Error                 string // the reason why the offer was not changed
	Products, Gifts       int
	Orders, Given, Quotes int // today
	Worth                 client.Money
	Requests              []client.ID
	Changes               []change
}

// show shows the page of a store.
func (a *app) show(w http.ResponseWriter, r *http.Request, store client.ID) error {
	return a.showWith(w, r, store, nil, nil)
}

// showWith shows the page, with an offer that was not stored and the reason.
func (a *app) showWith(w http.ResponseWriter, r *http.Request, store client.ID, entered *offer, wrong error) error {
	ctx := r.Context()
	v := shown{Store: store}
	var failed [4]error
	v.Offer, failed[0] = a.offerOf(ctx, store)
	v.Requests, failed[1] = a.dataRequests(ctx, store)
	failed[2] = a.count(ctx, &v)
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

// count counts the records of the copy, and the events of today.
func (a *app) count(ctx context.Context, v *shown) error {
	db, day := a.db, today()
	err := db.QueryRowContext(ctx, `SELECT count(*), count(CASE WHEN tags LIKE $1 ESCAPE '!' THEN 1 END) FROM product
		WHERE store_id = $2`, "%,"+escapeLike.Replace(v.Offer.Tag)+",%", v.Store).Scan(&v.Products, &v.Gifts)
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM purchase WHERE store_id = $1 AND day = $2),
			COALESCE((SELECT n FROM quoted WHERE store_id = $1 AND day = $2), 0)`, v.Store, day).Scan(&v.Orders, &v.Quotes)
	}
	if err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx,
		"SELECT gift FROM purchase WHERE store_id = $1 AND day = $2 AND gift <> ''", v.Store, day)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error
	for rows.Next() {
		var gift client.Money
		if err := rows.Scan(&gift); err != nil {
			return err
		}
		v.Given++
		if v.Worth, err = v.Worth.Add(gift); err != nil {
			return err
		}
	}
	return rows.Err()
}

// escapeLike makes text literal in a pattern of LIKE.
var escapeLike = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

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
	http.Redirect(w, r, "/", http.StatusSeeOther)
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
