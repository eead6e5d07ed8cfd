package client

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// MaxCategoryDescription is the number of characters of a category's description.
const MaxCategoryDescription = 65535

// Category groups products. Products are put into it with ProductInput.Categories.
type Category struct {
	ID   ID   `json:"id"`
	Name Text `json:"name"` // as customers see it, by language
	// Description is HTML.
	Description Text `json:"description"`
	// Handle is the part of the storefront's URL.
	Handle Text `json:"handle"`
	// Parent is nil for a category at the top.
	Parent *ID `json:"parent"`
	// Subcategories are the children of the first level. They change only when
	// the parent of a child is set.
	Subcategories       []ID       `json:"subcategories"`
	Visibility          Visibility `json:"visibility"`            // whether customers see it
	VisibilityUpdatedAt Time       `json:"visibility_updated_at"` // when Visibility changed last
	// FeedShoppingCategory is the path in an external shopping taxonomy. It is nil,
	// or points to the empty string, if none is set.
	FeedShoppingCategory *string `json:"feed_shopping_category"`
	CreatedAt            Time    `json:"created_at"`
	UpdatedAt            Time    `json:"updated_at"`
	Extra                Extra   `json:",embed"`
}

// Visibility says whether the storefront shows a category. A hidden category
// cannot contain visible subcategories; a visible one may contain hidden ones.
type Visibility string

// The values of Visibility.
const (
	VisibilityVisible Visibility = "visible" // customers see it, as long as no category above is hidden
	// VisibilityHidden was chosen for this category.
	VisibilityHidden Visibility = "hidden"
	// VisibilitySoftHidden follows from a hidden ancestor. The platform assigns it; it cannot
	// be set. A category that is marked hidden itself is VisibilityHidden.
	VisibilitySoftHidden Visibility = "soft-hidden"
)

// Known reports whether the contract names the value.
func (v Visibility) Known() bool {
	return enum.Known(v, VisibilityVisible, VisibilityHidden, VisibilitySoftHidden)
}

// CategoryInput is the body of Create and Update. Update changes what is present
// and keeps the rest.
type CategoryInput struct {
	// Name is required by Create.
	Name Text `json:"name,omitzero"`
	// Description is HTML of at most 65535 characters.
	Description Text `json:"description,omitzero"`
	Handle      Text `json:"handle,omitzero"` // for its address in the storefront; made from the name if it is left out
	// Parent: Null makes it a category at the top.
	Parent Opt[ID] `json:"parent,omitzero"`
	// Visibility is VisibilityVisible or VisibilityHidden; empty leaves it as it is.
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
	// Language is the code of the language that Handle is in. Handle requires it.
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

// Get returns a category. With fields, only these members are answered.
//
//api:endpoint GET /categories/{id}
func (s *CategoryService) Get(ctx context.Context, id ID, fields ...string) (*Category, error) {
	return engine.Get[Category](ctx, s, "/categories/{id}", only(fields), id)
}

// Create adds a category and returns it. Name is required. The number of categories of a store is
// limited; beyond it the platform answers with ErrValidation.
//
//api:endpoint POST /categories
func (s *CategoryService) Create(ctx context.Context, in CategoryInput) (*Category, error) {
	if err := in.check(true); err != nil {
		return nil, err
	}
	return engine.Send[Category](ctx, s, http.MethodPost, "/categories", in)
}

// Update changes the members that are present in in. Hiding a category makes its
// visible descendants VisibilitySoftHidden.
//
//api:endpoint PUT /categories/{id}
func (s *CategoryService) Update(ctx context.Context, id ID, in CategoryInput) (*Category, error) {
	if err := in.check(false); err != nil {
		return nil, err
	}
	return engine.Send[Category](ctx, s, http.MethodPut, "/categories/{id}", in, id)
}

// Delete removes a category. Its products stay, without it, and the categories below it go to the top, says the
// reference server; the contract does not.
//
//api:endpoint DELETE /categories/{id}
func (s *CategoryService) Delete(ctx context.Context, id ID) error {
	return engine.Delete(ctx, s, "/categories/{id}", id)
}
