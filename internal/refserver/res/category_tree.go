package res

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// What moves a category's visibility: being marked by someone, or coming to stand
// below a category that is not visible, or no longer doing so.
const (
	hide    = "hide"
	show    = "show"
	shaded  = "shade"
	unshade = "unshade"
)

// visibility is the table of category visibility. A category that is marked is
// hidden, whatever stands above it; one that is shown below a hidden ancestor is
// shaded at once.
var visibility = api.Machine[world.Visibility]{
	Name:    "category visibility",
	Initial: world.Visible,
	States:  []world.Visibility{world.Visible, world.Hidden, world.SoftHidden},
	Edges: []api.Edge[world.Visibility]{
		{From: world.Visible, On: hide, To: world.Hidden},
		{From: world.Visible, On: show, To: world.Visible},
		{From: world.Visible, On: shaded, To: world.SoftHidden},
		{From: world.Visible, On: unshade, To: world.Visible},
		{From: world.Hidden, On: hide, To: world.Hidden},
		{From: world.Hidden, On: show, To: world.Visible},
		{From: world.Hidden, On: shaded, To: world.Hidden},
		{From: world.Hidden, On: unshade, To: world.Hidden},
		{From: world.SoftHidden, On: hide, To: world.Hidden},
		{From: world.SoftHidden, On: show, To: world.SoftHidden},
		{From: world.SoftHidden, On: shaded, To: world.SoftHidden},
		{From: world.SoftHidden, On: unshade, To: world.Visible},
	},
}

// CategoryVisibility is the table that category visibility follows.
func CategoryVisibility() api.Machine[world.Visibility] { return visibility }

// applyVisibility marks the category as the body says and settles what follows
// from where it stands. soft-hidden is assigned by the platform; it can be sent
// back where it is, but not set. null says nothing.
func (b categoryIn) applyVisibility(tx *world.Tx, c world.Category) (world.Category, error) {
	if b.Visibility.Set() && world.Visibility(b.Visibility.Value) != c.Visibility {
		switch world.Visibility(b.Visibility.Value) {
		case world.Visible:
			c = move(c, show)
		case world.Hidden:
			c = move(c, hide)
		default:
			return c, stated("visibility", invalidVisibility)
		}
	}
	return shade(tx, c), nil
}

// shade settles the visibility of a category by its parent's.
func shade(tx *world.Tx, c world.Category) world.Category {
	parent, ok := tx.Categories.Get(c.Parent)
	if ok && parent.Visibility != world.Visible {
		return move(c, shaded)
	}
	return move(c, unshade)
}

func move(c world.Category, on string) world.Category {
	if to := visibility.Next(c.Visibility, on); len(to) > 0 {
		c.Visibility = to[0]
	}
	return c
}

// keepCategory stores a category that changed, settles those below it and tells of
// each that changed.
func keepCategory(tx *world.Tx, before, c world.Category) (world.Category, error) {
	c.UpdatedAt = tx.Now()
	if c.Visibility != before.Visibility {
		c.VisibilityUpdatedAt = tx.Now()
	}
	if err := tx.Categories.Put(c.ID, c); err != nil {
		return c, err
	}
	tx.Emit("category/updated", ids(c.ID))
	if c.Visibility == before.Visibility {
		return c, nil
	}
	for _, id := range childrenOf(tx, c.ID) {
		child, _ := tx.Categories.Get(id)
		if settled := shade(tx, child); settled.Visibility != child.Visibility {
			if _, err := keepCategory(tx, child, settled); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// childrenOf lists the ids of the categories directly below one.
func childrenOf(tx *world.Tx, id int64) []int64 {
	out := []int64{}
	for child := range tx.Categories.Where("parent", strconv.FormatInt(id, 10)) {
		out = append(out, child)
	}
	return out
}

// isBelow reports whether a category is another one or below it.
func isBelow(tx *world.Tx, id, above int64) bool {
	for id != 0 {
		if id == above {
			return true
		}
		c, _ := tx.Categories.Get(id)
		id = c.Parent
	}
	return false
}
