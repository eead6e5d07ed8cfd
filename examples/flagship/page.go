package main

import (
	"errors"
	"html/template"
	"log/slog"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// page shows a merchant what the app knows of the store, and others how to install it.
func (a *app) page(w http.ResponseWriter, r *http.Request) {
	var shown struct {
		Store                                client.ID
		Products, Gifts, Purchases, Requests int
	}
	in, err := a.sessions.Of(r)
	if err == nil {
		shown.Store = in.StoreID
		err = a.db.QueryRowContext(r.Context(), `SELECT
			(SELECT count(*) FROM product WHERE store_id = $1), (SELECT count(*) FROM product WHERE store_id = $1 AND gift = 1),
			(SELECT count(*) FROM purchase WHERE store_id = $1), (SELECT count(*) FROM data_request WHERE store_id = $1)`,
			in.StoreID).Scan(&shown.Products, &shown.Gifts, &shown.Purchases, &shown.Requests)
	}
	if err != nil && !errors.Is(err, oauth.ErrSignedOut) {
		slog.ErrorContext(r.Context(), "the page cannot be shown", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if err := layout.Execute(w, shown); err != nil {
		slog.DebugContext(r.Context(), "the page was not sent", "error", err) // the browser has gone
	}
}

var layout = template.Must(template.New("page").Parse(`<!doctype html>
<meta name="viewport" content="width=device-width">
<title>Gifts and a local courier</title>
<h1>Gifts and a local courier</h1>
{{if .Store}}<p>Store {{.Store}}: {{.Products}} products, {{.Gifts}} of them gifts, and {{.Purchases}} purchases.</p>
<p>Tag a product "gift", and each cart with something else in it gets one piece free.</p>
{{if .Requests}}<p>{{.Requests}} customers have asked for their data.</p>{{end}}
{{else}}<p><a href="/oauth/callback">Install the app</a> to give your customers a present.</p>{{end}}
`))
