package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ContentPage is a page of text in the storefront, such as "About us". A page of a list is a Page. The texts of a
// ContentPage are keyed by language code, or by locale in the answer to Create.
type ContentPage struct {
	ID        ID   `json:"id"`
	StoreID   ID   `json:"store_id"`  // the store of the page
	Published bool `json:"published"` // visible to visitors
	Name      Text `json:"name"`      // by language or locale
	// Handle is the part of the page's URL in the storefront.
	Handle Text `json:"handle"`
	// Content is HTML.
	Content        Text  `json:"content"`
	SEOTitle       Text  `json:"seo_title"`       // for search engines
	SEODescription Text  `json:"seo_description"` // for search engines
	CreatedAt      Time  `json:"created_at"`
	UpdatedAt      Time  `json:"updated_at"`
	Extra          Extra `json:",embed"`
}

// ContentPageInput is the body of Create.
type ContentPageInput struct {
	// Publish shows the page in the storefront.
	Publish bool `json:"publish"`
	// Texts are keyed by locale, such as es_AR; at least one is required.
	Texts map[string]ContentPageText `json:"i18n"`
}

// ContentPageText is a page in one language. It is also the body of Update, which changes the present members in all
// languages.
type ContentPageText struct {
	// Title is required by Create.
	Title string `json:"title,omitzero"`
	// Content is HTML.
	Content        Opt[string] `json:"content,omitzero"`
	SEOHandle      Opt[string] `json:"seo_handle,omitzero"`      // for its URL in the storefront
	SEOTitle       Opt[string] `json:"seo_title,omitzero"`       // for search engines
	SEODescription Opt[string] `json:"seo_description,omitzero"` // for search engines
}

// MarshalJSON writes the page inside the member that the platform requires.
func (in ContentPageInput) MarshalJSON() ([]byte, error) {
	type page ContentPageInput
	return wire.Marshal(struct {
		Page page `json:"page"`
	}{page(in)})
}

func (in ContentPageInput) check() error {
	if len(in.Texts) == 0 {
		return engine.Invalid("i18n", len(in.Texts), "the texts of at least one locale")
	}
	for _, locale := range sortedKeys(in.Texts) {
		if in.Texts[locale].Title == "" {
			return engine.Invalid(fmt.Sprintf("i18n.%s.title", locale), "", "a title")
		}
	}
	return nil
}

// ContentPageFilter selects a page of the list of pages. The list does not support a selection of fields.
type ContentPageFilter struct {
	// Page is the first page to read, from 1. Zero means 1.
	Page int
	// PerPage is the size of a page, 1 to MaxPerPage. Zero uses the platform's default for single pages and MaxPerPage
	// for the iterators.
	PerPage int
}

// ContentPageService reads pages with the scope read_content and writes them with write_content. It is in versions
// 2025-03 and unstable.
type ContentPageService engine.Service

// List selects pages.
//
//api:endpoint GET /pages
func (s *ContentPageService) List(f ContentPageFilter) List[ContentPage] {
	return listOf[ContentPage](s, newQuery().paging(Paging{Page: f.Page, PerPage: f.PerPage}), engine.ListSpec{Path: "/pages", Envelope: []string{"pages", "results"}, Total: "total"})
}

// Get returns a page.
//
//api:endpoint GET /pages/{id}
func (s *ContentPageService) Get(ctx context.Context, id ID) (*ContentPage, error) {
	return engine.Get[ContentPage](ctx, s, "/pages/{id}", nil, id)
}

// Create adds a page and returns it. A title is required for every locale.
//
//api:endpoint POST /pages
func (s *ContentPageService) Create(ctx context.Context, in ContentPageInput) (*ContentPage, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[ContentPage](ctx, s, http.MethodPost, "/pages", in)
}

// Update changes the texts that are present in in. The contract has no language parameter, and a text without a
// language applies to all. It therefore replaces the texts in every language of the page, including translations.
//
//api:endpoint PUT /pages/{id}
func (s *ContentPageService) Update(ctx context.Context, id ID, in ContentPageText) (*ContentPage, error) {
	return engine.Send[ContentPage](ctx, s, http.MethodPut, "/pages/{id}", in, id)
}

// Delete removes a page.
//
//api:endpoint DELETE /pages/{id}
func (s *ContentPageService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/pages/{id}", id)
}
