package shop

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ErrNoCart is the answer to a change of a cart that does not exist or became an order.
var ErrNoCart = errors.New("shop: there is no such cart")

// cart is one as the storefront has it.
type cart struct {
	world.Cart
	world.Visit
}

func load(tx *world.Tx, id int64) (cart, error) {
	c, ok := tx.Carts.Get(id)
	if c.OrderID != 0 {
		return cart{}, fmt.Errorf("%w: %d, which became order %d", ErrNoCart, id, c.OrderID)
	}
	if !ok || c.Converted {
		return cart{}, fmt.Errorf("%w: %d", ErrNoCart, id)
	}
	left, abandoned := tx.Checkouts.Get(id)
	if abandoned && !res.IsRevivable(tx, left) {
		return cart{}, fmt.Errorf("%w: %d, which was abandoned too long ago to be changed: buy its checkout", ErrNoCart, id)
	}
	v, ok := tx.Visits.Get(id)
	if !ok {
		v = world.Visit{CartID: id, ShippingCost: left.ShippingCostCustomer}
	}
	k := cart{c, v}
	k.prune()
	k.Lines = res.TablePrices(tx, k.Visit, k.Lines)
	return k, nil
}

// IsOpen reports whether there is a cart of the id that can be changed.
func IsOpen(tx *world.Tx, id int64) bool {
	_, err := load(tx, id)
	return err == nil
}

// keep writes a cart that has changed.
func (c cart) keep(tx *world.Tx) error {
	c.prune()
	c.UpdatedAt = tx.Now()
	if err := tx.Carts.Put(c.ID, c.Cart); err != nil {
		return err
	}
	if err := tx.KeepVisit(c.Visit); err != nil {
		return err
	}
	return c.follow(tx)
}

// prune forgets what is known of lines that are gone, with the discounts that are on
// no line any more, and puts the discounts into order.
func (c *cart) prune() {
	has := func(line int64) bool {
		return slices.ContainsFunc(c.Lines, func(l world.Line) bool { return l.ID == line })
	}
	c.Kits = without(c.Kits, has)
	discounts := slices.Clone(c.Discounts)
	for i, d := range discounts {
		discounts[i].Lines = without(d.Lines, has)
	}
	c.Discounts = slices.DeleteFunc(discounts, func(d world.CartDiscount) bool {
		return d.Tier == world.LineItem && len(d.Lines) == 0
	})
	slices.SortFunc(c.Discounts, func(a, b world.CartDiscount) int {
		return cmp.Or(cmp.Compare(a.AppID, b.AppID), cmp.Compare(a.PromotionID, b.PromotionID))
	})
}

// without is a map by line with the lines that are still there; nil for none.
func without[T any](by map[int64]T, has func(line int64) bool) map[int64]T {
	var out map[int64]T
	for line, v := range by {
		if !has(line) {
			continue
		}
		if out == nil {
			out = map[int64]T{}
		}
		out[line] = v
	}
	return out
}

// same reports whether a change has changed anything.
func (c cart) same(before cart) bool {
	c.UpdatedAt, c.Promotions = before.UpdatedAt, before.Promotions
	return reflect.DeepEqual(c, before)
}

// line finds a line of the cart.
func (c cart) line(id int64) (world.Line, error) {
	for _, l := range c.Lines {
		if l.ID == id {
			return l, nil
		}
	}
	return world.Line{}, fmt.Errorf("shop: cart %d has no line %d", c.ID, id)
}
