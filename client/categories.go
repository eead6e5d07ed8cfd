package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxCategoryDescription is the maximum length of a category's description in characters.
const MaxCategoryDescription = 65535

// Category groups products. ProductInput.Categories adds a product to categories.
type Category struct {
	ID   ID   `json:"id"`
	Name Text `json:"name"` // as customers see it, by language
	// Description is HTML.
	Description Text `json:"description"`
	// Handle is the part of the URL in the storefront.
	Handle Text `json:"handle"`
	// Parent is nil for a top-level category.
	Parent *ID `json:"parent"`
	// Subcategories are the direct children. They change only when the parent of a child is set.
	Subcategories       []ID       `json:"subcategories"`
	Visibility          Visibility `json:"visibility"`            // whether customers see it
	VisibilityUpdatedAt Time       `json:"visibility_updated_at"` // when Visibility last changed
	// FeedShoppingCategory is the path in an external shopping taxonomy. It is nil, or points to an empty text, if
	// unset.
	FeedShoppingCategory *string `json:"feed_shopping_category"`
	CreatedAt            Time    `json:"created_at"`
	UpdatedAt            Time    `json:"updated_at"`
	Extra                Extra   `json:",embed"`
}

// Visibility is whether the storefront shows a category. A hidden category cannot contain visible subcategories. A
// visible one may contain hidden ones.
type Visibility string

// The values of Visibility.
const (
	VisibilityVisible Visibility = "visible" // customers see it, as long as no ancestor is hidden
	// VisibilityHidden means that this category itself was hidden.
	VisibilityHidden Visibility = "hidden"
	// VisibilitySoftHidden means that an ancestor is hidden. The platform assigns it; it cannot be set. A category that
	// is itself set to hidden has VisibilityHidden.
	VisibilitySoftHidden Visibility = "soft-hidden"
)

// Known reports whether the contract names the value.
func (v Visibility) Known() bool {
	return wire.Known(v, VisibilityVisible, VisibilityHidden, VisibilitySoftHidden)
}

// CategoryInput is the body of Create and Update. Update changes the members that are present, and leaves the others
// unchanged.
type CategoryInput struct {
	// Name is required by Create.
	Name Text `json:"name,omitzero"`
	// Description is HTML of at most 65535 characters.
	Description Text `json:"description,omitzero"`
	Handle      Text `json:"handle,omitzero"` // for its URL in the storefront; made from the name if empty
	// Parent is the id of the category above; Null makes it a top-level category.
	Parent Opt[ID] `json:"parent,omitzero"`
	// Visibility is VisibilityVisible or VisibilityHidden; empty leaves it unchanged.
	Visibility Visibility `json:"visibility,omitzero"`
	// FeedShoppingCategory is a path in an external shopping taxonomy; Null removes it.
	FeedShoppingCategory Opt[string] `json:"feed_shopping_category,omitzero"`
}

func (in CategoryInput) check(creating bool) error {
	if creating && blank(in.Name) {
		return engine.Invalid("name", in.Name, "a text in at least one language")
	}
	if parent, ok := in.Parent.Get(); ok && parent <= 0 {
		return engine.Invalid("parent", parent, "the id of a category, or null")
	}
	switch in.Visibility {
	case "", VisibilityVisible, VisibilityHidden:
	default:
		return engine.Invalid("visibility", in.Visibility, "visible or hidden; soft-hidden is assigned by the platform")
	}
	return atMost("description", in.Description, MaxCategoryDescription)
}

// CategoryFilter selects categories. The zero filter selects all.
type CategoryFilter struct {
	Paging
	Window
	// SinceID selects categories with a greater id.
	SinceID ID
	// Language is the code of the language of Handle. Handle requires it.
	Language string
	Handle   string
	// ParentID selects the children of a category.
	ParentID ID
}

func (f CategoryFilter) query() *query {
	q := newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID).
		text("language", f.Language).text("handle", f.Handle).id("parent_id", f.ParentID)
	if f.Handle != "" && f.Language == "" {
		q.fail(engine.Invalid("language", f.Language, "the language of the handle"))
	}
	return q
}

// CategoryService reads categories with the scope read_products and writes them
// with write_products. All versions have it.
type CategoryService engine.Service

// List selects categories.
//
//api:endpoint GET /categories
func (s *CategoryService) List(f CategoryFilter) List[Category] {
	return listOf[Category](s, f.query(), engine.ListSpec{Path: "/categories", SinceID: true})
}

// Get returns a category. If fields are given, the response has only these members.
//
//api:endpoint GET /categories/{id}
func (s *CategoryService) Get(ctx context.Context, id ID, fields ...string) (*Category, error) {
	return engine.Get[Category](ctx, s, "/categories/{id}", only(fields), id)
}

// Create adds a category and returns it. Name is required. The number of categories of a store is limited; above the
// limit Create fails with ErrValidation.
//
//api:endpoint POST /categories
func (s *CategoryService) Create(ctx context.Context, in CategoryInput) (*Category, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Send[Category](ctx, s, http.MethodPost, "/categories", in)
}

// Update changes the members that are present in the input. If a category is hidden, its visible descendants become
// VisibilitySoftHidden.
//
//api:endpoint PUT /categories/{id}
func (s *CategoryService) Update(ctx context.Context, id ID, in CategoryInput) (*Category, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Category](ctx, s, http.MethodPut, "/categories/{id}", in, id)
}

// Delete removes a category. The contract does not describe the effect on its products and subcategories. The reference
// server keeps the products and makes the subcategories top-level categories.
//
//api:endpoint DELETE /categories/{id}
func (s *CategoryService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/categories/{id}", id)
}
