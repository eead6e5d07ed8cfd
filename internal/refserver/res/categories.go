package res

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func categoryOps() []api.Op {
	read, write := []string{"read_products"}, []string{"write_products"}
	missing := []api.ErrCase{{Status: 404, Text: noSuchCategory}}
	shared := unprocessable(
		"name: "+body.CannotBeBlank,
		"description: "+body.TooLong("description", 65535),
		"visibility: "+invalidVisibility,
		"parent: "+body.NotSelectable("parent"),
	)
	return []api.Op{
		{ID: "categories.list", Method: "GET", Path: "/categories", Scopes: read,
			Query:   api.Recurring("language", "handle", "parent_id"),
			Errors:  []api.ErrCase{{Status: 422, Text: "language: " + body.Required("language")}},
			Handler: api.Collection(findCategories, showCategory)},
		{ID: "categories.get", Method: "GET", Path: "/categories/{id}", Scopes: read, Errors: missing,
			Handler: api.Record(category, showCategory)},
		{ID: "categories.create", Method: "POST", Path: "/categories", Scopes: write, Success: 201,
			Emits: []string{"category/created"}, Handler: createCategory, Errors: append([]api.ErrCase{
				{Status: 422, Text: "Store has reached maximum limit of 5000 allowed categories"}}, shared...)},
		{ID: "categories.update", Method: "PUT", Path: "/categories/{id}", Scopes: write,
			Emits: []string{"category/updated"}, Handler: updateCategory, Errors: slices.Concat(missing, shared,
				[]api.ErrCase{{Status: 422, Text: "parent: " + parentBelow}})},
		{ID: "categories.delete", Method: "DELETE", Path: "/categories/{id}", Scopes: write, NoBody: true,
			Emits: []string{"category/deleted", "category/updated", "product/updated"}, Errors: missing, Handler: deleteCategory},
	}
}

// Texts about categories; those after the first are assumed.
const (
	noSuchCategory    = "Category with such id does not exist"
	invalidVisibility = "The selected visibility is invalid"
	parentBelow       = "The parent may not be the category itself or below it."
)

type categoryJSON struct {
	ID                   int64             `json:"id"`
	Name                 map[string]string `json:"name"`
	Description          map[string]string `json:"description"`
	Handle               map[string]string `json:"handle"`
	Parent               *int64            `json:"parent"`
	Subcategories        []int64           `json:"subcategories"`
	Visibility           world.Visibility  `json:"visibility"`
	VisibilityUpdatedAt  string            `json:"visibility_updated_at"`
	FeedShoppingCategory *string           `json:"feed_shopping_category"`
	CreatedAt            string            `json:"created_at"`
	UpdatedAt            string            `json:"updated_at"`
}

func showCategory(tx *world.Tx, _ *api.In, c world.Category) any {
	return categoryJSON{
		ID:                   c.ID,
		Name:                 c.Name,
		Description:          c.Description,
		Handle:               c.Handle,
		Parent:               idOrNull(c.Parent),
		Subcategories:        childrenOf(tx, c.ID),
		Visibility:           c.Visibility,
		VisibilityUpdatedAt:  api.Stamp(c.VisibilityUpdatedAt),
		FeedShoppingCategory: api.TextOrNil(c.FeedShoppingCategory),
		CreatedAt:            api.Stamp(c.CreatedAt),
		UpdatedAt:            api.Stamp(c.UpdatedAt),
	}
}

// categoryIn is the body of a category.
type categoryIn struct {
	Name                 body.Opt[body.Texts] `json:"name"`
	Description          body.Opt[body.Texts] `json:"description"`
	Handle               body.Opt[body.Texts] `json:"handle"`
	Parent               body.Scalar          `json:"parent"`
	Visibility           body.Opt[string]     `json:"visibility"`
	FeedShoppingCategory body.Opt[string]     `json:"feed_shopping_category"`

	// Members of an answer that may be sent back and change nothing.
	Subcategories       json.RawMessage `json:"subcategories"`
	VisibilityUpdatedAt json.RawMessage `json:"visibility_updated_at"`
	body.ReadOnly
}

func findCategories(tx *world.Tx, in *api.In) ([]world.Category, error) {
	language, handle := in.Text("language"), in.Text("handle")
	if handle != "" && language == "" {
		return nil, body.Missing("language")
	}
	found := tx.Categories.All()
	if parent, ok := in.Int("parent_id"); ok {
		found = tx.Categories.Where("parent", strconv.FormatInt(parent, 10))
	}
	var out []world.Category
	for _, c := range found {
		if in.Selects(c.ID, c.CreatedAt, c.UpdatedAt) && (handle == "" || c.Handle[language] == handle) {
			out = append(out, c)
		}
	}
	return out, nil
}

func category(tx *world.Tx, in *api.In) (world.Category, error) {
	c, ok := tx.Categories.Get(in.ID("id"))
	if !ok {
		return c, api.NotFound(noSuchCategory)
	}
	return c, nil
}

func createCategory(tx *world.Tx, in *api.In) (any, error) {
	var b categoryIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if blank(b.Name.Value.In(tx.Store())) {
		return nil, api.Invalid("name", body.CannotBeBlank)
	}
	if most := tx.Limits().Categories; tx.Categories.Len() >= most {
		return nil, api.Unprocessable("Store has reached maximum limit of " + strconv.Itoa(most) + " allowed categories")
	}
	c := world.Category{ID: tx.NewID(), Visibility: visibility.Initial, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), VisibilityUpdatedAt: tx.Now()}
	c, err := b.apply(tx, c)
	if err != nil {
		return nil, err
	}
	if err := tx.Categories.Put(c.ID, c); err != nil {
		return nil, err
	}
	tx.Emit("category/created", ids(c.ID))
	return showCategory(tx, in, c), nil
}

// updateCategory sends an event for the category and for every one below it whose visibility changed with it.
func updateCategory(tx *world.Tx, in *api.In) (any, error) {
	before, err := category(tx, in)
	if err != nil {
		return nil, err
	}
	var b categoryIn
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if b.Name.Present && blank(b.Name.Value.In(tx.Store())) {
		return nil, api.Invalid("name", body.CannotBeBlank)
	}
	c, err := b.apply(tx, before)
	if err != nil {
		return nil, err
	}
	if !same(before, c) {
		if c, err = keepCategory(tx, before, c); err != nil {
			return nil, err
		}
	}
	return showCategory(tx, in, c), nil
}

// deleteCategory puts the children at the top, where a hidden ancestor does not
// reach them any more, and takes the products out of the category.
func deleteCategory(tx *world.Tx, in *api.In) (any, error) {
	c, err := category(tx, in)
	if err != nil {
		return nil, err
	}
	tx.Categories.Delete(c.ID)
	dropExceptions(tx, "category", c.ID)
	for _, id := range childrenOf(tx, c.ID) {
		before, _ := tx.Categories.Get(id)
		child := before
		child.Parent = 0
		if _, err := keepCategory(tx, before, shade(tx, child)); err != nil {
			return nil, err
		}
	}
	for _, p := range tx.Products.Where("category", strconv.FormatInt(c.ID, 10)) {
		p.Categories = slices.DeleteFunc(slices.Clone(p.Categories), func(id int64) bool { return id == c.ID })
		if _, err := touch(tx, p); err != nil {
			return nil, err
		}
	}
	tx.Emit("category/deleted", ids(c.ID))
	return api.Empty{}, nil
}

// apply returns the category with what the body changes. Its visibility is settled,
// that of the categories below it is not.
func (b categoryIn) apply(tx *world.Tx, c world.Category) (world.Category, error) {
	st := tx.Store()
	if b.Name.Present {
		c.Name = b.Name.Value.In(st)
	}
	if b.Description.Present || c.Description == nil {
		c.Description = withEmpty(st, b.Description.Value.In(st))
	}
	if b.Name.Present || b.Handle.Present {
		c.Handle = handles(c.Name, b.Handle.Value.In(st), c.Handle, "category", func(language, handle string) bool {
			other, ok := tx.Categories.Find("handle", language+"/"+handle)
			return ok && other.ID != c.ID
		})
	}
	c.FeedShoppingCategory = b.FeedShoppingCategory.Or(c.FeedShoppingCategory)
	wrong := &body.Problems{}
	for _, text := range c.Description {
		wrong.AtMost("description", text, tx.Limits().CategoryText)
	}
	if b.Parent.Present {
		c.Parent, _ = b.Parent.Int() // 0 is the top, as null is
		switch {
		case !b.Parent.Null() && b.Parent.Text != "0" && !tx.Categories.Has(c.Parent):
			wrong.Add("parent", body.NotSelectable("parent"))
		case isBelow(tx, c.Parent, c.ID):
			wrong.Add("parent", parentBelow)
		}
	}
	if err := wrong.Err(); err != nil {
		return c, err
	}
	return b.applyVisibility(tx, c)
}
