package shop_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// counter is the model of a store where carts are filled and bought. Amounts are cents, and parts are hundredths of a
// percent.
type counter struct {
	*rapid.T
	m     *market
	a     *app
	front *shop.Storefront
	told  *outcomes

	// line is what the app takes off each line, cross what it takes off the cart, when it is asked next.
	line, cross int64
	stock       map[int64]int64 // of the variants that are counted
	used        map[string]int64
	deleted     map[string]bool
	carts       []*filled
	orders      []*made
}

// outcomes are what the sequences of the test came to.
type outcomes struct{ bought, refused, returned int }

// filled is a cart of the model.
type filled struct {
	id                    int64
	lines                 []fill
	coupon                string
	line, cross, shipping int64 // what the app took off when it was asked last, and what shipping costs
	left                  time.Time
}

type fill struct{ id, variant, quantity int64 }

// made is an order of the model.
type made struct {
	id        int64
	cancelled bool
	claims    map[int64]int64
}

// goods are the prices of the variants.
var goods = map[int64]int64{110: 1000, 120: 3333, 140: 199}

// coupons of the model: what they take off, in which unit, and for what.
var coupons = map[string]struct {
	kind           string
	value, most    int64
	least, product int64
}{
	"TENTH":   {kind: "percentage", value: 1250, most: 2},
	"POTS":    {kind: "absolute", value: 2000, product: 12},
	"MANY":    {kind: "percentage", value: 10000, least: 6000},
	"FREELY":  {kind: "shipping"},
	"NOBODYS": {kind: "absolute", value: 1, product: 99},
}

// open adds the articles and coupons of the model.
func (c *counter) open() {
	c.stock, c.used, c.deleted = map[int64]int64{110: 6, 120: 4}, map[string]int64{}, map[string]bool{}
	c.line, c.cross = 0, 0
	c.carts, c.orders = nil, nil
}

func (c *counter) begin(t *rapid.T) {
	v, err := c.front.NewCart(shop.Customer{})
	if err != nil {
		t.Fatal(err)
	}
	c.carts = append(c.carts, &filled{id: v.ID})
}

// any is a cart, or an abandoned checkout, that was not bought yet.
func (c *counter) any(t *rapid.T) *filled {
	if len(c.carts) == 0 {
		t.Skip("there is no cart: rapid draws another step")
	}
	return rapid.SampledFrom(c.carts).Draw(t, "cart")
}

// late reports whether a cart was abandoned too long ago to be changed.
func (c *counter) late(f *filled) bool {
	return !f.left.IsZero() && c.m.clock.Now().Sub(f.left) > 6*time.Hour
}

// cart is one that can be changed.
func (c *counter) cart(t *rapid.T) *filled {
	f := c.any(t)
	if c.late(f) {
		if _, err := c.front.Add(t.Context(), f.id, 110, 1); !errors.Is(err, shop.ErrNoCart) {
			t.Fatalf("cart %d was abandoned long ago and changed: %v", f.id, err)
		}
		t.Skip("it cannot be changed: rapid draws another step")
	}
	return f
}

func (c *counter) abandon(t *rapid.T) {
	f := c.cart(t)
	if _, err := c.front.SetContact(t.Context(), f.id, ana); err != nil {
		t.Fatal(err)
	}
	switch err := c.front.Abandon(t.Context(), f.id); {
	case (err != nil) != (len(f.lines) == 0):
		t.Fatalf("cart %d with %d lines: %v", f.id, len(f.lines), err)
	case err == nil && f.left.IsZero():
		f.left = c.m.clock.Now()
	}
}

// changed notes that the app was asked about a cart, and compares what it costs.
func (c *counter) changed(t *rapid.T, f *filled, v shop.View, err error) {
	if err != nil {
		t.Fatal(err)
	}
	f.line, f.cross = c.line, c.cross
	c.costs(t, f, v.Subtotal, v.Promotions, v.Coupon, v.Total)
}

func (c *counter) add(t *rapid.T) {
	f, n := c.cart(t), rapid.Int64Range(1, 4).Draw(t, "quantity")
	variant := rapid.SampledFrom([]int64{110, 120, 140}).Draw(t, "variant")
	v, err := c.front.Add(t.Context(), f.id, variant, n)
	at := slices.IndexFunc(f.lines, func(l fill) bool { return l.variant == variant })
	if at < 0 {
		f.lines = append(f.lines, fill{variant: variant})
		at = len(f.lines) - 1
		f.lines[at].id = v.Lines[at].ID
	}
	f.lines[at].quantity += n
	c.changed(t, f, v, err)
}

func (c *counter) remove(t *rapid.T) {
	f := c.cart(t)
	if len(f.lines) == 0 {
		t.Skip("there is no line: rapid draws another step")
	}
	at := rapid.IntRange(0, len(f.lines)-1).Draw(t, "line")
	v, err := c.front.Remove(t.Context(), f.id, f.lines[at].id)
	f.lines = slices.Delete(f.lines, at, at+1)
	c.changed(t, f, v, err)
}

func (c *counter) coupon(t *rapid.T) {
	f := c.cart(t)
	if f.coupon != "" {
		v, err := c.front.RemoveCoupon(t.Context(), f.id, f.coupon)
		f.coupon = ""
		c.changed(t, f, v, err)
		return
	}
	code := rapid.SampledFrom([]string{"TENTH", "POTS", "MANY", "FREELY", "NOBODYS"}).Draw(t, "coupon")
	v, err := c.front.ApplyCoupon(t.Context(), f.id, code)
	if c.deleted[code] {
		if err == nil {
			t.Fatalf("coupon %s was deleted and applied", code)
		}
		return
	}
	f.coupon = code
	c.changed(t, f, v, err)
}

func (c *counter) ship(t *rapid.T) {
	f, cost := c.cart(t), rapid.Int64Range(0, 3000).Draw(t, "cost")
	if cost == f.shipping {
		t.Skip("this changes nothing: rapid draws another step")
	}
	f.shipping = cost
	v, err := c.front.SetDestination(t.Context(), f.id, shop.Destination{Cost: decimal.New(cost, -2)})
	c.changed(t, f, v, err)
}

// total works out what a cart costs, in cents: the subtotal, what the app and the coupon take off, and what is left.
func (c *counter) total(f *filled) (subtotal, promotions, coupon, total int64) {
	part := func(of, hundredths int64) int64 { return (of*hundredths + 5000) / 10000 }
	eligible := int64(0)
	k := coupons[f.coupon]
	for _, l := range f.lines {
		full := goods[l.variant] * l.quantity
		subtotal += full
		promotions += part(full, f.line)
		if k.product == 0 || l.variant/10 == k.product {
			eligible += full
		}
	}
	promotions += min(f.cross, subtotal-promotions)
	left := subtotal - promotions + f.shipping
	if f.coupon != "" && c.why(f, subtotal) == "" {
		switch k.kind {
		case "percentage":
			coupon = part(eligible, k.value)
		case "absolute":
			coupon = min(k.value, eligible)
		case "shipping":
			coupon = f.shipping
		}
		coupon = min(coupon, left)
	}
	return subtotal, promotions, coupon, left - coupon
}

// why is why the coupon of a cart may not be used, empty if it may.
func (c *counter) why(f *filled, subtotal int64) string {
	k := coupons[f.coupon]
	switch {
	case c.deleted[f.coupon]:
		return "was deleted"
	case k.most > 0 && c.used[f.coupon] >= k.most:
		return "and has been"
	case subtotal < k.least:
		return "requires a subtotal"
	}
	return ""
}

func (c *counter) costs(t *rapid.T, f *filled, got ...decimal.Decimal) {
	subtotal, promotions, coupon, total := c.total(f)
	for i, cents := range []int64{subtotal, promotions, coupon, total} {
		if !got[i].Equal(decimal.New(cents, -2)) {
			t.Fatalf("cart %d: %s costs %s, the model has %s", f.id, []string{"subtotal", "promotions", "coupon", "total"}[i], got[i], decimal.New(cents, -2))
		}
	}
}

// refusal is why a cart cannot be bought, empty if it can.
func (c *counter) refusal(f *filled, subtotal int64) string {
	k := coupons[f.coupon]
	of := func(l fill) bool { return l.variant/10 == k.product }
	switch why := c.why(f, subtotal); {
	case len(f.lines) == 0:
		return "it is empty"
	case f.coupon != "" && why != "":
		return why
	case f.coupon != "" && k.product != 0 && !slices.ContainsFunc(f.lines, of):
		return "is for none of the products"
	}
	for _, l := range f.lines {
		if has, counted := c.stock[l.variant]; counted && l.quantity > has {
			return fmt.Sprintf("of variant %d, and there are %d", l.variant, has)
		}
	}
	return ""
}

func (c *counter) buy(t *rapid.T) {
	f := c.any(t)
	subtotal, _, _, _ := c.total(f)
	want := c.refusal(f, subtotal)
	got, err := c.front.Buy(t.Context(), f.id, shop.Purchase{Contact: ana})
	if want != "" {
		c.told.refused++
		if !errors.Is(err, shop.ErrRefused) || !contains(err, want) {
			t.Fatalf("cart %d: bought %+v, %v; the model refuses it: %s", f.id, got, err, want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	c.told.bought++
	if c.late(f) {
		c.told.returned++
	}
	c.costs(t, f, got.Subtotal, got.Promotions, got.Coupon, got.Total)
	o := &made{id: got.Order, claims: map[int64]int64{}}
	for _, l := range f.lines {
		if _, counted := c.stock[l.variant]; counted {
			c.stock[l.variant] -= l.quantity
			o.claims[l.variant] = l.quantity
		}
	}
	if f.coupon != "" {
		c.used[f.coupon]++
	}
	c.orders, c.carts = append(c.orders, o), slices.DeleteFunc(c.carts, func(other *filled) bool { return other == f })
	if _, err := c.front.Buy(t.Context(), f.id, shop.Purchase{Contact: ana}); !errors.Is(err, shop.ErrNoCart) {
		t.Fatalf("cart %d was bought and is bought again: %v", f.id, err)
	}
}

func (c *counter) cancel(t *rapid.T) {
	if len(c.orders) == 0 {
		t.Skip("there is no order: rapid draws another step")
	}
	o := rapid.SampledFrom(c.orders).Draw(t, "order")
	if o.cancelled {
		t.Skip("it is cancelled: rapid draws another step")
	}
	c.a.send(fmt.Sprintf("POST /orders/%d/cancel", o.id), object{}, 200)
	o.cancelled = true
	for variant, n := range o.claims {
		c.stock[variant] += n
	}
}

// compare compares stock, coupons and orders with what the store has.
func (c *counter) compare(t *rapid.T) {
	c.m.read(func(tx *world.Tx) {
		for variant, want := range c.stock {
			got := int64(0)
			for _, l := range tx.InventoryLevels.Where("variant", fmt.Sprint(variant)) {
				got += l.Stock
			}
			if got != want {
				t.Fatalf("variant %d: %d are left, the model has %d", variant, got, want)
			}
		}
		for _, k := range tx.Coupons.All() {
			if want := c.used[k.Code]; k.Used != want {
				t.Fatalf("coupon %s was used %d times, the model has %d", k.Code, k.Used, want)
			}
		}
		for _, o := range c.orders {
			if got, _ := tx.Orders.Get(o.id); (got.Status == "cancelled") != o.cancelled || got.PaymentStatus != "pending" {
				t.Fatalf("order %d is %s and %s, the model has cancelled %v", o.id, got.Status, got.PaymentStatus, o.cancelled)
			}
		}
		for _, f := range c.carts {
			k, ok := tx.Checkouts.Get(f.id)
			if ok != !f.left.IsZero() {
				t.Fatalf("cart %d: abandoned is %v, in the model it is not", f.id, ok)
			}
			if subtotal, promotions, _, _ := c.total(f); ok && (!k.Subtotal.Equal(decimal.New(subtotal, -2)) ||
				!k.Discount.Sub(k.DiscountCoupon).Equal(decimal.New(promotions, -2)) || !k.ShippingCostCustomer.Equal(decimal.New(f.shipping, -2))) {
				t.Fatalf("checkout %d has %s, %s, %s; the model has %d, %d, %d cents", f.id, k.Subtotal, k.Discount, k.ShippingCostCustomer,
					subtotal, promotions, f.shipping)
			}
		}
		if n := tx.Orders.Len(); n != len(c.orders) {
			t.Fatalf("%d orders, the model has %d", n, len(c.orders))
		}
	})
}

// TestModelOfBuying plays random carts, discounts, coupons, purchases and cancellations. -rapid.checks asks for more
// sequences.
func TestModelOfBuying(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.install(world.AllScopes()...)
	c := &counter{m: m, a: a, front: front, told: &outcomes{}}
	line, cross := a.promote("line_item"), a.promote("cross_items")
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return 200, offLines(line, specs("percentage", cents(c.line)))(cart)
		}
		return 200, offCart(cross, specs("fixed", cents(c.cross)))(cart)
	}
	m.stocked(m.mug, 6)
	m.stocked(m.pot, 3)
	m.update(func(tx *world.Tx) error {
		article(tx, 14, "1.99")
		second := tx.NewULID()
		return errors.Join(tx.Locations.Put(second, world.Location{ID: second, Priority: 1}),
			tx.InventoryLevels.Put(7, world.InventoryLevel{ID: 7, VariantID: m.pot.ID, LocationID: second, Stock: 1}))
	})
	for code, k := range coupons {
		m.coupon(code, func(to *world.Coupon) {
			to.Type, to.Value, to.MaxUses = k.kind, decimal.NewNullDecimal(decimal.New(k.value, -2)), k.most
			if k.least > 0 {
				to.MinPrice = decimal.NewNullDecimal(decimal.New(k.least, -2))
			}
			if k.product > 0 {
				to.Products = []int64{k.product}
			}
		})
	}
	start := m.World().Snapshot()
	rapid.Check(t, func(t *rapid.T) {
		m.World().Restore(start)
		a.got, a.headers = nil, nil
		c.open()
		t.Repeat(map[string]func(*rapid.T){
			"begin": c.begin, "add": c.add, "add more": c.add, "remove": c.remove, "coupon": c.coupon, "ship": c.ship, "buy": c.buy,
			"buy at once": c.buy, "cancel": c.cancel, "abandon": c.abandon,
			// No sum of these times is the 6 hours for which the cart of a checkout can be changed.
			"wait": func(*rapid.T) { m.clock.Advance(4 * time.Hour) },
			"return": func(t *rapid.T) {
				c.abandon(t)
				m.clock.Advance(7 * time.Hour)
				c.buy(t)
			},
			"discount": func(t *rapid.T) {
				c.line, c.cross = rapid.Int64Range(0, 10000).Draw(t, "line"), rapid.Int64Range(0, 5000).Draw(t, "cross")
			},
			"delete a coupon": func(t *rapid.T) {
				code := rapid.SampledFrom([]string{"POTS", "FREELY"}).Draw(t, "coupon")
				c.deleted[code] = true
				m.update(func(tx *world.Tx) error {
					k, ok := tx.Coupons.Find("code", code)
					if !ok {
						return nil
					}
					k.DeletedAt = tx.Now()
					return tx.Coupons.Put(k.ID, k)
				})
			},
			"": c.compare,
		})
	})
	if c.told.bought == 0 || c.told.refused == 0 || c.told.returned == 0 {
		t.Errorf("%d purchases were made, %d refused and %d were of old checkouts; want some of each", c.told.bought, c.told.refused, c.told.returned)
	}
	t.Logf("%d purchases made, %d of them of old checkouts, %d refused", c.told.bought, c.told.returned, c.told.refused)
}

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }
