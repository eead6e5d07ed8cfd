package world

import (
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Visibility is how far customers see a category.
type Visibility string

const (
	// Visible categories are seen.
	Visible Visibility = "visible"
	// Hidden categories were marked as hidden by someone.
	Hidden Visibility = "hidden"
	// SoftHidden categories are not marked themselves but have a hidden ancestor.
	SoftHidden Visibility = "soft-hidden"
)

// Category is a node of the tree that products are filed in.
type Category struct {
	ID          int64
	Name        map[string]string
	Description map[string]string
	// Handle is the part of the storefront's URL, unique per language in the store.
	Handle map[string]string
	// Parent is 0 for a category at the top.
	Parent              int64
	Visibility          Visibility
	VisibilityUpdatedAt time.Time
	// FeedShoppingCategory is a path of an external taxonomy, empty for null.
	FeedShoppingCategory string
	CreatedAt            time.Time
	UpdatedAt            time.Time
}

// Indexes find a category by its handles, as language/handle, and the children
// of a category; those at the top are children of 0.
func (c Category) Indexes() []table.Entry {
	return append(handles(c.Handle), table.Multi("parent", strconv.FormatInt(c.Parent, 10)))
}
