package shop

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostPieces bounds a line, and how many there are of a kit, so that nothing overflows.
const mostPieces = 1_000_000

func pieces(quantity int64) error {
	if quantity < 1 || quantity > mostPieces {
		return fmt.Errorf("shop: quantity %d: must be 1 to %d", quantity, mostPieces)
	}
	return nil
}

// Add puts a quantity of a variant into the cart, on its line or on a new one. A kit is put in as its components. It
// does not look at the stock.
func (s *Storefront) Add(ctx context.Context, id, variant, quantity int64) (View, error) {
	return s.change(ctx, id, func(tx *world.Tx, c *cart) error {
		if err := pieces(quantity); err != nil {
			return err
		}
		v, ok := tx.Variants.Get(variant)
		if !ok {
			return fmt.Errorf("shop: there is no variant %d", variant)
		}
		if k, ok := tx.Kits.Get(v.ProductID); ok {
			return c.addKit(tx, k, quantity)
		}
		for i, l := range c.Lines {
			if _, part := c.Kits[l.ID]; l.VariantID == variant && !part {
				return c.resize(i, l.Quantity+quantity)
			}
		}
		return c.addLine(tx, v, quantity)
	})
}

func (c *cart) addLine(tx *world.Tx, v world.Variant, quantity int64) error {
	if err := pieces(quantity); err != nil {
		return err
	}
	l, ok := res.CartLine(tx, v, c.Language)
	if !ok {
		return fmt.Errorf("shop: variant %d has no price", v.ID)
	}
	l.Quantity = quantity
	c.Lines = append(c.Lines, l)
	return nil
}

// addKit adds a line for each component.
func (c *cart) addKit(tx *world.Tx, k world.Kit, quantity int64) error {
	for line, part := range c.Kits {
		if part.Catalog == k.ID {
			return c.resizeKit(line, part.Quantity+quantity)
		}
	}
	if !k.InvalidAt.IsZero() {
		return fmt.Errorf("shop: kit %d is not valid", k.ID)
	}
	order := tx.NewID()
	kits := without(c.Kits, func(int64) bool { return true })
	if kits == nil {
		kits = map[int64]world.LineKit{}
	}
	for _, component := range k.Components {
		v, ok := single(tx, component.ProductID)
		if !ok {
			return fmt.Errorf("shop: product %d of kit %d has no variant", component.ProductID, k.ID)
		}
		if err := c.addLine(tx, v, quantity*component.Quantity); err != nil {
			return err
		}
		l := &c.Lines[len(c.Lines)-1]
		l.Price = l.CompareAtPrice.Decimal
		if k.DiscountPercent.Valid {
			hundred := decimal.NewFromInt(100)
			l.Price = l.Price.Mul(hundred.Sub(k.DiscountPercent.Decimal)).Div(hundred).Round(2)
		}
		kits[l.ID] = world.LineKit{Catalog: k.ID, Order: order, Quantity: quantity, Each: component.Quantity}
	}
	c.Kits = kits
	return nil
}

func single(tx *world.Tx, product int64) (world.Variant, bool) {
	for _, v := range tx.Variants.Where("product", strconv.FormatInt(product, 10)) {
		return v, true
	}
	return world.Variant{}, false
}

// Remove takes a line out of the cart, and with a component its kit.
func (s *Storefront) Remove(ctx context.Context, id, line int64) (View, error) {
	return s.change(ctx, id, func(_ *world.Tx, c *cart) error {
		if _, err := c.line(line); err != nil {
			return err
		}
		part, isPart := c.Kits[line]
		c.Lines = slices.DeleteFunc(c.Lines, func(l world.Line) bool {
			return l.ID == line || isPart && c.Kits[l.ID].Order == part.Order
		})
		return nil
	})
}

// SetQuantity changes how many pieces a line has or, if it is a component, how many
// kits the cart has.
func (s *Storefront) SetQuantity(ctx context.Context, id, line, quantity int64) (View, error) {
	return s.change(ctx, id, func(_ *world.Tx, c *cart) error {
		if _, err := c.line(line); err != nil {
			return err
		}
		if _, ok := c.Kits[line]; ok {
			return c.resizeKit(line, quantity)
		}
		i := slices.IndexFunc(c.Lines, func(l world.Line) bool { return l.ID == line })
		return c.resize(i, quantity)
	})
}

func (c *cart) resize(i int, quantity int64) error {
	if err := pieces(quantity); err != nil {
		return err
	}
	c.Lines[i].Quantity = quantity
	return nil
}

// resizeKit changes how many there are of the kit that a line belongs to.
func (c *cart) resizeKit(line, quantity int64) error {
	if err := pieces(quantity); err != nil {
		return err
	}
	order := c.Kits[line].Order
	kits := without(c.Kits, func(int64) bool { return true })
	for i, l := range c.Lines {
		part, ok := kits[l.ID]
		if !ok || part.Order != order {
			continue
		}
		if err := c.resize(i, quantity*part.Each); err != nil {
			return err
		}
		part.Quantity = quantity
		kits[l.ID] = part
	}
	c.Kits = kits
	return nil
}
