package discounts

import (
	"encoding/json"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Lines are most of a cart, so their members are read by fast functions in a single pass. If these functions cannot
// read a value, the method of its type does. If that fails, the general decoder reads the cart.

// cartForms holds the result of forms.
var cartForms struct {
	once  sync.Once
	forms *wire.Forms
}

// forms returns functions that read carts as the general decoder does, and as strictly. It makes them when it is first
// called, so that they are linked only into programs that read carts.
func forms() *wire.Forms {
	cartForms.once.Do(func() {
		cartForms.forms = callback.Forms(
			wire.Reads(readMoney),
			wire.Reads(readLines()),
			wire.Reads(readPromotions()),
			wire.Wraps(func(c *Customer) *plainCustomer { return (*plainCustomer)(c) }),
			wire.Wraps(func(s *Shipping) *plainShipping { return (*plainShipping)(s) }),
			wire.Wraps(func(p *Package) *plainPackage { return (*plainPackage)(p) }),
			wire.Wraps(func(p *Payment) *plainPayment { return (*plainPayment)(p) }),
			wire.Wraps(func(t *Totals) *plainTotals { return (*plainTotals)(t) }),
		)
	})
	return cartForms.forms
}

// reading is the state of reading a cart, with memory that its lines share.
type reading struct {
	*wire.Reader
	texts      wire.Short[string]
	categories wire.Short[CategoryRef]
	ids        wire.Short[client.ID]
}

func readLines() func(*wire.Reader, *[]LineItem) bool {
	line := lines()
	return func(r *wire.Reader, all *[]LineItem) bool {
		in := &reading{Reader: r}
		return wire.Items(r, all, func(l *LineItem) bool { return line.Read(r, in, l) })
	}
}

// readPromotions reads a list, the form that nearly all carts have.
func readPromotions() func(*wire.Reader, *Applied) bool {
	promotion := applied()
	return func(r *wire.Reader, all *Applied) bool {
		in := &reading{Reader: r}
		return r.Kind() == '[' && wire.Items(r, (*[]AppliedPromotion)(all), func(p *AppliedPromotion) bool {
			return promotion.Read(r, in, p)
		})
	}
}

// lines reads the members of LineItem.
func lines() *wire.Record[reading, LineItem] {
	category := categories()
	return wire.NewRecord[reading](func(l *LineItem) *others { return (*others)(&l.Extra) }).
		With("id", func(r *reading, l *LineItem) bool { return r.id(&l.ID) }).
		With("price", func(r *reading, l *LineItem) bool { return r.money(&l.Price) }).
		With("compare_at_price", func(r *reading, l *LineItem) bool { return r.money(&l.CompareAtPrice) }).
		With("product_id", func(r *reading, l *LineItem) bool { return r.id(&l.ProductID) }).
		With("quantity", func(r *reading, l *LineItem) bool { return r.int(&l.Quantity) }).
		With("free_shipping", func(r *reading, l *LineItem) bool { return r.Bool(&l.FreeShipping) }).
		With("variant_id", func(r *reading, l *LineItem) bool { return r.id(&l.VariantID) }).
		With("variant_values", func(r *reading, l *LineItem) bool {
			return r.texts.Read(r.Reader, &l.VariantValues, r.text)
		}).
		With("categories", func(r *reading, l *LineItem) bool {
			return r.categories.Read(r.Reader, &l.Categories, func(c *CategoryRef) bool {
				return category.Read(r.Reader, r, c)
			})
		}).
		With("properties", func(r *reading, l *LineItem) bool { return wire.Try(r.Reader, &l.Properties, readEmpty) }).
		With("catalog_kit_id", func(r *reading, l *LineItem) bool { return r.code(&l.CatalogKitID) }).
		With("order_kit_id", func(r *reading, l *LineItem) bool { return r.code(&l.OrderKitID) }).
		With("kit_quantity", func(r *reading, l *LineItem) bool { return r.int(&l.KitQuantity) }).
		With("quantity_per_kit", func(r *reading, l *LineItem) bool { return r.int(&l.QuantityPerKit) })
}

// categories reads the members of CategoryRef.
func categories() *wire.Record[reading, CategoryRef] {
	return wire.NewRecord[reading](func(c *CategoryRef) *others { return (*others)(&c.Extra) }).
		With("id", func(r *reading, c *CategoryRef) bool { return r.id(&c.ID) }).
		With("parent", func(r *reading, c *CategoryRef) bool { return r.id(&c.Parent) }).
		With("subcategories", func(r *reading, c *CategoryRef) bool {
			return r.Empty('[') || r.ids.Read(r.Reader, &c.Subcategories, r.ref)
		})
}

// applied reads the members of AppliedPromotion.
func applied() *wire.Record[reading, AppliedPromotion] {
	return wire.NewRecord[reading](func(p *AppliedPromotion) *others { return (*others)(&p.Extra) }).
		With("id", func(r *reading, p *AppliedPromotion) bool { return r.code(&p.ID) }).
		With("line_items", func(r *reading, p *AppliedPromotion) bool {
			return wire.Items(r.Reader, &p.LineItems, r.id)
		})
}

// others are members without a field.
type others = map[string]json.RawMessage

func (r *reading) id(v *client.ID) bool       { return wire.Try(r.Reader, v, callback.ReadID) }
func (r *reading) int(v *client.Int) bool     { return wire.Try(r.Reader, v, callback.ReadInt) }
func (r *reading) code(v *client.Code) bool   { return wire.Try(r.Reader, v, callback.ReadCode) }
func (r *reading) money(v *client.Money) bool { return wire.Try(r.Reader, v, readMoney) }

// ref reads an id that may be inside its record.
func (r *reading) ref(v *client.ID) bool {
	return wire.Try(r.Reader, (*ref)(v), func(r *wire.Reader, v *ref) bool { return callback.ReadID(r, (*client.ID)(v)) })
}

func (r *reading) text(v *string) (ok bool) {
	if r.Null() {
		return true
	}
	*v, ok = r.Text()
	return ok
}

// readMoney reads an amount in its usual form, such as "12.50".
func readMoney(r *wire.Reader, v *client.Money) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Scalar()
	point := len(text) - len(".50")
	if !ok || point < 1 || text[point] != '.' {
		return false
	}
	whole, ok := callback.Digits(text[:point])
	hundredths, right := callback.Digits(text[point+1:])
	*v = client.Cents(whole*100 + hundredths)
	return ok && right && whole <= mostWhole
}

// mostWhole is far below the maximum of Money.
const mostWhole = 1_000_000_000_000

// readEmpty reads an object without members, as most lines have.
func readEmpty(r *wire.Reader, v *client.Object) bool {
	v.Members = map[string]json.RawMessage{}
	return r.Empty('{')
}
