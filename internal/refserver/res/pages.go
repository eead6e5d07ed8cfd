package res

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func pageOps() []api.Op {
	read, write := []string{"read_content"}, []string{"write_content"}
	since := []string{api.V202503, api.Unstable}
	missing := []api.ErrCase{{Status: 404, Text: noSuchPage}}
	return []api.Op{
		{ID: "pages.list", Method: "GET", Path: "/pages", Scopes: read, Versions: since, Provenance: api.Supplement,
			Paging: api.Paging{EmptyOK: true, Envelope: pagePage}, Handler: api.Collection(findPages, showPage)},
		{ID: "pages.get", Method: "GET", Path: "/pages/{id}", Scopes: read, Versions: since, Provenance: api.Supplement,
			Errors: missing, Handler: api.Record(page, showPage)},
		{ID: "pages.create", Method: "POST", Path: "/pages", Scopes: write, Versions: since, Provenance: api.Supplement, Success: 201,
			Errors: unprocessable(
				"page: "+body.IsInvalid,
				"page: "+body.Required("page"),
				"page.i18n: "+body.Required("page.i18n"),
				"i18n: "+body.IsInvalid,
				"page.i18n.en.title: "+body.Required("page.i18n.en.title"),
			), Handler: createPage},
		{ID: "pages.update", Method: "PUT", Path: "/pages/{id}", Scopes: write, Versions: since, Provenance: api.Supplement,
			Errors: append(missing, api.ErrCase{Status: 422, Text: "title: " + body.Required("title")}), Handler: updatePage},
		{ID: "pages.delete", Method: "DELETE", Path: "/pages/{id}", Scopes: write, Versions: since, Provenance: api.Supplement, NoBody: true,
			Errors: missing, Handler: deletePage},
	}
}

// Texts about pages; the last one is assumed, with the field in it.
const (
	noSuchPage  = "Page not found"
	pageDeleted = "Page deleted successfully."
)

func pagePage(p api.Page) any {
	type pages struct {
		Results  []any `json:"results"`
		Total    int   `json:"total"`
		Page     int   `json:"page"`
		PerPage  int   `json:"perPage"`
		LastPage int   `json:"lastPage"`
	}
	return struct {
		Pages pages `json:"pages"`
	}{pages{p.Items, p.Total, p.Number, p.Size, p.Last}}
}

type pageJSON struct {
	ID             int64             `json:"id"`
	StoreID        int64             `json:"store_id"`
	Published      bool              `json:"published"`
	CreatedAt      string            `json:"created_at"`
	UpdatedAt      string            `json:"updated_at"`
	Name           map[string]string `json:"name"`
	Handle         map[string]string `json:"handle"`
	Content        map[string]string `json:"content"`
	SEOTitle       map[string]string `json:"seo_title"`
	SEODescription map[string]string `json:"seo_description"`
}

// showPage has texts by language; the answer to a create has them by locale.
func showPage(tx *world.Tx, _ *api.In, p world.Page) any { return pageOnWire(tx, p, languageOf) }

func pageOnWire(tx *world.Tx, p world.Page, key func(locale string) string) pageJSON {
	keyed := func(by map[string]string) map[string]string {
		out := map[string]string{}
		// Of two locales with one language the first is what is seen.
		for _, locale := range slices.Backward(slices.Sorted(maps.Keys(by))) {
			out[key(locale)] = by[locale]
		}
		return out
	}
	return pageJSON{
		ID:             p.ID,
		StoreID:        tx.Store().ID,
		Published:      p.Published,
		CreatedAt:      api.Stamp(p.CreatedAt),
		UpdatedAt:      api.Stamp(p.UpdatedAt),
		Name:           keyed(p.Name),
		Handle:         keyed(p.Handle),
		Content:        keyed(p.Content),
		SEOTitle:       keyed(p.SEOTitle),
		SEODescription: keyed(p.SEODescription),
	}
}

// languageOf is the language of a locale: es of es_AR.
func languageOf(locale string) string {
	language, _, _ := strings.Cut(locale, "_")
	return language
}

func findPages(tx *world.Tx, _ *api.In) ([]world.Page, error) { return tx.Pages.Values(), nil }

func page(tx *world.Tx, in *api.In) (world.Page, error) {
	p, ok := tx.Pages.Get(in.ID("id"))
	if !ok {
		return p, api.NotFound(noSuchPage)
	}
	return p, nil
}

// pageIn are the texts of a page in one locale.
type pageIn struct {
	Title          body.Opt[string] `json:"title"`
	Content        body.Opt[string] `json:"content"`
	SEOHandle      body.Opt[string] `json:"seo_handle"`
	SEOTitle       body.Opt[string] `json:"seo_title"`
	SEODescription body.Opt[string] `json:"seo_description"`
}

// pageBody is what the body of a create has in its root element.
type pageBody struct {
	Publish body.Opt[bool]             `json:"publish"`
	I18n    map[string]json.RawMessage `json:"i18n"`
}

// createPage publishes the page unless publish is false.
func createPage(tx *world.Tx, in *api.In) (any, error) {
	var outer struct {
		Page json.RawMessage `json:"page"`
	}
	if err := body.Decode(in, &outer); err != nil {
		return nil, err
	}
	if outer.Page == nil {
		return nil, body.Missing("page")
	}
	b, err := body.ReadObject[pageBody](in, "page", outer.Page)
	if err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	wrong.Require("page.i18n", len(b.I18n) > 0)
	p := world.Page{ID: tx.NewID(), Published: b.Publish.SetOr(true), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	for _, locale := range slices.Sorted(maps.Keys(b.I18n)) {
		text, err := body.ReadObject[pageIn](in, "i18n", b.I18n[locale])
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text.Title.Value) == "" {
			field := "page.i18n." + locale + ".title"
			wrong.Add(field, body.Required(field))
		}
		p = text.apply(tx, p, locale)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return pageOnWire(tx, p, func(locale string) string { return locale }), tx.Pages.Put(p.ID, p)
}

// apply returns the page with what the texts change in a locale. A handle is made
// once from the title and stays.
func (b pageIn) apply(tx *world.Tx, p world.Page, locale string) world.Page {
	set := func(by map[string]string, o body.Opt[string]) map[string]string {
		out := map[string]string{locale: ""}
		maps.Copy(out, by)
		out[locale] = o.Or(out[locale])
		return out
	}
	p.Name = set(p.Name, b.Title)
	p.Content = set(p.Content, b.Content)
	p.SEOTitle = set(p.SEOTitle, b.SEOTitle)
	p.SEODescription = set(p.SEODescription, b.SEODescription)
	p.Handle = handles(p.Name, map[string]string{locale: b.SEOHandle.Value}, p.Handle, "page", func(locale, handle string) bool {
		other, ok := tx.Pages.Find("handle", locale+"/"+handle)
		return ok && other.ID != p.ID
	})
	return p
}

// updatePage takes texts without a locale: they become those of every locale that
// the page has.
func updatePage(tx *world.Tx, in *api.In) (any, error) {
	before, err := page(tx, in)
	if err != nil {
		return nil, err
	}
	var b struct {
		pageIn
		Publish   body.Opt[bool] `json:"publish"`
		Published body.Opt[bool] `json:"published"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Title.Present && strings.TrimSpace(b.Title.Value) == "" {
		return nil, body.Missing("title")
	}
	p := before
	p.Published = b.Publish.SetOr(b.Published.SetOr(p.Published))
	for _, locale := range slices.Sorted(maps.Keys(before.Name)) {
		p = b.apply(tx, p, locale)
	}
	if same(before, p) {
		return showPage(tx, in, p), nil
	}
	p.UpdatedAt = tx.Now()
	return showPage(tx, in, p), tx.Pages.Put(p.ID, p)
}

func deletePage(tx *world.Tx, in *api.In) (any, error) {
	p, err := page(tx, in)
	if err != nil {
		return nil, err
	}
	tx.Pages.Delete(p.ID)
	return struct {
		Message string `json:"message"`
	}{pageDeleted}, nil
}
