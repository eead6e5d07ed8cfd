package shop_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// ana is who buys in most tests.
var ana = shop.Contact{Name: "Ana Paz", Email: "ana@mail.example"}

// stocked gives a variant so many pieces at the first location.
func (m *market) stocked(v world.Variant, pieces int64) {
	m.Helper()
	m.update(func(tx *world.Tx) error {
		id := tx.NewID()
		return tx.InventoryLevels.Put(id, world.InventoryLevel{ID: id, VariantID: v.ID, LocationID: tx.FirstLocation().ID, Stock: pieces})
	})
}

// stock is how much is left of a variant.
func (m *market) stock(v world.Variant) (left int64) {
	m.Helper()
	m.read(func(tx *world.Tx) {
		for _, l := range tx.InventoryLevels.Where("variant", fmt.Sprint(v.ID)) {
			left += l.Stock
		}
	})
	return left
}

func (m *market) read(f func(tx *world.Tx)) {
	m.Helper()
	if err := m.World().View(0, m.store.ID, func(tx *world.Tx) error { f(tx); return nil }); err != nil {
		m.Fatal(err)
	}
}

// coupon adds one of 10 percent, which change may make another.
func (m *market) coupon(code string, change func(k *world.Coupon)) (id int64) {
	m.Helper()
	m.update(func(tx *world.Tx) error {
		k := world.Coupon{ID: tx.NewID(), Code: code, Type: "percentage", Value: some("10"), Valid: true}
		if change != nil {
			change(&k)
		}
		id = k.ID
		return tx.Coupons.Put(k.ID, k)
	})
	return id
}

func (m *market) used(coupon int64) (n int64) {
	m.read(func(tx *world.Tx) { k, _ := tx.Coupons.Get(coupon); n = k.Used })
	return n
}

func (m *market) apply(s *shop.Storefront, cart int64, code string) {
	m.Helper()
	if _, err := s.ApplyCoupon(m.Context(), cart, code); err != nil {
		m.Fatal(err)
	}
}

func (m *market) buy(s *shop.Storefront, cart int64, p shop.Purchase) shop.Bought {
	m.Helper()
	got, err := s.Buy(m.Context(), cart, p)
	if err != nil {
		m.Fatal(err)
	}
	return got
}

// contents compares members of an answer, which paths such as products.0.id lead to.
func (m *market) contents(in object, want map[string]any) {
	m.Helper()
	for path, w := range want {
		var at any = in
		for name := range strings.SplitSeq(path, ".") {
			switch v := at.(type) {
			case object:
				at = v[name]
			case array:
				var i int
				if _, err := fmt.Sscan(name, &i); err != nil || i >= len(v) {
					m.Fatalf("%s: there is no element %s in %v", path, name, v)
				}
				at = v[i]
			}
		}
		if !reflect.DeepEqual(at, w) {
			m.Errorf("%s: got %v, want %v", path, at, w)
		}
	}
}

// A cart with a discount of an app on each line and one over the cart, with a coupon and with
// shipping becomes an order that has them all.
func TestBuy(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	line, cross := a.promote("line_item"), a.promote("cross_items")
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return 200, offLines(line, specs("percentage", "10.00"))(cart)
		}
		return 200, offCart(cross, specs("fixed", "5.00"))(cart)
	}
	a.install(world.AllScopes()...)
	m.stocked(m.mug, 7)
	k := m.coupon("TEN", func(k *world.Coupon) { k.MinPrice = some("60"); k.FirstConsumerPurchase = true; k.MaxUses = 3 })
	v, err := front.NewCart(shop.Customer{SoldBy: "31"})
	if err != nil {
		t.Fatal(err)
	}
	cart := v.ID
	m.add(front, cart, m.mug, 3)
	m.add(front, cart, m.pot, 1)
	m.apply(front, cart, "ten")
	v, err = front.SetDestination(t.Context(), cart, shop.Destination{Country: "AR", City: "Rosario", Zipcode: "2000", Cost: some("4.00").Decimal})
	if err != nil {
		t.Fatal(err)
	}
	events := m.events()
	got := m.buy(front, cart, shop.Purchase{Contact: ana, Note: "Ring twice"})
	// 63.33 less 3.00, 3.33 and 5.00, less a tenth of 63.33, and 4.00.
	want := shop.Bought{Order: got.Order, Number: 100, Customer: got.Customer, SoldBy: "31", Currency: "ARS", Subtotal: v.Subtotal,
		Promotions: v.Promotions, Coupon: v.Coupon, Shipping: v.Shipping, Total: v.Total}
	if !reflect.DeepEqual(fmt.Sprint(got), fmt.Sprint(want)) || got.Total.String() != "49.67" || got.Coupon.String() != "6.33" || got.Promotions.String() != "11.33" {
		t.Errorf("bought %+v, want %+v", got, want)
	}
	lines := []string{fmt.Sprint(v.Lines[0].ID), fmt.Sprint(v.Lines[1].ID)}
	o := a.send(fmt.Sprint("GET /orders/", got.Order), nil, 200)
	m.contents(o, map[string]any{
		"subtotal": "63.33", "discount": "17.66", "discount_coupon": "6.33", "discount_gateway": "0.00", "total": "49.67",
		"shipping_cost_customer": "4.00", "coupon.0.code": "TEN", "coupon.0.used": 1.0, "note": "Ring twice",
		"promotional_discount.total_discount_amount": "11.33", "promotional_discount.order_id": fmt.Sprint(got.Order),
		"promotional_discount.contents": array{
			content(line, "line_item", lines[0], "percentage", "10.00", "3.00"), content(line, "line_item", lines[1], "percentage", "10.00", "3.33"),
			content(cross, "cross_items", nil, "fixed", "5.00", "5.00"),
		},
		"promotional_discount.promotions_applied": array{
			object{"id": line, "app_id": float64(a.ID), "name": "Promotion", "line_items": array{lines[0], lines[1]}, "discount_amount": "6.33"},
			object{"id": cross, "app_id": float64(a.ID), "name": "Promotion", "line_items": array{}, "discount_amount": "5.00"},
		},
		"products.0.quantity": "3", "products.0.price": "10.00", "storefront": "store", "status": "open", "payment_status": "pending",
		"shipping_status": "unpacked", "next_action": "waiting_manual_confirmation", "gateway": "not-provided", "app_id": nil,
		"contact_email": "ana@mail.example", "customer.total_spent": "0.00", "customer.last_order_id": float64(got.Order),
		"shipping_address.zipcode": "2000", "shipping_address.name": "Ana Paz", "billing_city": "Rosario", "extra.sold_by": "31",
		"shipping": "not-provided", "shipping_pickup_type": "ship",
	})
	if o["promotional_discount"].(object)["id"] == nil {
		t.Error("promotional_discount.id: got null")
	}
	if n := m.stock(m.mug); n != 4 || m.used(k) != 1 {
		t.Errorf("%d mugs are left, the coupon was used %d times", n, m.used(k))
	}
	if got, want := events(), []string{"customer/created", "product/updated", "order/created"}; !reflect.DeepEqual(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	for name, again := range map[string]func() error{
		"Buy": func() error { _, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana}); return err },
		"Add": func() error { _, err := front.Add(t.Context(), cart, m.mug.ID, 1); return err },
	} {
		if err := again(); !errors.Is(err, shop.ErrNoCart) || !strings.Contains(err.Error(), fmt.Sprint("order ", got.Order)) {
			t.Errorf("%s after the purchase: %v", name, err)
		}
	}
	a.send(fmt.Sprintf("POST /orders/%d/cancel", got.Order), object{}, 200)
	if n := m.stock(m.mug); n != 7 {
		t.Errorf("%d mugs after the cancellation, want 7", n)
	}
}

// content is what a promotion takes off, as an order has it.
func content(promotion, tier string, line any, kind, value, amount string) object {
	return object{"promotion_id": promotion, "execution_tier": tier, "line_item": line, "discount_specs": object{"type": kind, "amount": value},
		"display_text": object{}, "discount_amount": amount}
}

// events returns the events that are committed from now on, without those of products that apps receive twice.
func (m *market) events() func() []string {
	var mu sync.Mutex
	var names []string
	m.World().OnCommit(func(events []world.Event) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range events {
			names = append(names, e.Name)
		}
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return names
	}
}

// What is refused says why, and changes nothing.
func TestPurchasesAreRefused(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	coupon := func(change func(k *world.Coupon)) func(int64) {
		return func(cart int64) {
			m.update(func(tx *world.Tx) error {
				k, _ := tx.Coupons.Find("code", "TEN")
				change(&k)
				return tx.Coupons.Put(k.ID, k)
			})
		}
	}
	for name, tt := range map[string]struct {
		change   func(cart int64)
		purchase func(p *shop.Purchase)
		want     string
	}{
		"a coupon that was deleted": {coupon(func(k *world.Coupon) { k.DeletedAt = m.clock.Now() }), nil, `coupon "TEN" was deleted`},
		"one that is not valid":     {coupon(func(k *world.Coupon) { k.Valid = false }), nil, `coupon "TEN" is not valid`},
		"one that ended":            {coupon(func(k *world.Coupon) { k.EndDate = "2024-12-31" }), nil, `coupon "TEN" ended on 2024-12-31`},
		"one that has not begun":    {coupon(func(k *world.Coupon) { k.StartDate = "2025-01-02" }), nil, `coupon "TEN" begins on 2025-01-02`},
		"one that was used":         {coupon(func(k *world.Coupon) { k.MaxUses, k.Used = 2, 2 }), nil, `coupon "TEN" may be used 2 times and has been`},
		"one for more":              {coupon(func(k *world.Coupon) { k.MinPrice = some("20.01") }), nil, `coupon "TEN" requires a subtotal of 20.01 or more, and this one is 20.00`},
		"one for another product":   {coupon(func(k *world.Coupon) { k.Products = []int64{12} }), nil, `coupon "TEN" is for none of the products`},
		"one for another category":  {coupon(func(k *world.Coupon) { k.Categories = []int64{1} }), nil, `coupon "TEN" is for none of the products`},
		"one for a first purchase": {func(int64) {
			other := m.begin(front)
			m.add(front, other, m.pot, 1)
			m.buy(front, other, shop.Purchase{Contact: ana})
			coupon(func(k *world.Coupon) { k.FirstConsumerPurchase = true })(0)
		}, nil, `coupon "TEN" is for a first purchase, and ana@mail.example has bought before`},
		"too little stock": {func(cart int64) { m.stocked(m.mug, 1) }, nil, "pieces of variant 110, and there are 1"},
		"an empty cart": {func(cart int64) {
			v, _ := front.View(cart)
			_, err := front.Remove(t.Context(), cart, v.Lines[0].ID)
			if err != nil {
				t.Fatal(err)
			}
		}, nil, "it is empty"},
		"a variant that was deleted": {func(int64) { m.update(func(tx *world.Tx) error { tx.Variants.Delete(m.mug.ID); return nil }) }, nil, "variant 110 was deleted: remove the line"},
		"an account is required": {func(int64) {
			m.update(func(tx *world.Tx) error {
				st := tx.Store()
				st.CustomerAccounts = "mandatory"
				tx.SetStore(st)
				return nil
			})
		}, nil, "log in (SetCustomer) first"},
		"nobody":             {nil, func(p *shop.Purchase) { p.Contact = shop.Contact{} }, `contact: email "": must be an email address`},
		"no address of mail": {nil, func(p *shop.Purchase) { p.Contact.Email = "ana" }, `contact: email "ana": must be an email address`},
		"no such provider":   {nil, func(p *shop.Purchase) { p.Payment.Provider = "x" }, `payment provider "x" does not exist`},
		"no quote":           {nil, func(p *shop.Purchase) { p.Rate.Code = "fast" }, `rate: code "fast": there is no quote yet: ask for one first`},
	} {
		t.Run(name, func(t *testing.T) {
			begin := m.World().Snapshot()
			defer m.World().Restore(begin)
			m.coupon("TEN", nil)
			cart := m.begin(front)
			m.add(front, cart, m.mug, 2)
			m.apply(front, cart, "TEN")
			if tt.change != nil {
				tt.change(cart)
			}
			p := shop.Purchase{Contact: ana}
			if tt.purchase != nil {
				tt.purchase(&p)
			}
			before, stock := m.everything(), m.stock(m.mug)
			got, err := front.Buy(t.Context(), cart, p)
			if !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), fmt.Sprint("cart ", cart)) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if !reflect.DeepEqual(got, shop.Bought{}) || !reflect.DeepEqual(m.everything(), before) || m.stock(m.mug) != stock {
				t.Errorf("something has changed: %+v", got)
			}
		})
	}
	if _, err := front.Buy(t.Context(), 5, shop.Purchase{Contact: ana}); !errors.Is(err, shop.ErrNoCart) {
		t.Errorf("no cart: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	if _, err := front.Buy(gone, cart, shop.Purchase{Contact: ana}); !errors.Is(err, context.Canceled) || errors.Is(err, shop.ErrRefused) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// everything is what a purchase may change.
func (m *market) everything() (out []any) {
	m.Helper()
	m.read(func(tx *world.Tx) {
		out = append(out, tx.Orders.Values(), tx.Carts.Values(), tx.Coupons.Values(), tx.InventoryLevels.Values(), tx.Customers.Values(),
			tx.Visits.Values(), tx.Quotes.Values(), tx.Checkouts.Values(), tx.Products.Values(), tx.FulfillmentOrders.Values(), tx.Store())
	})
	return out
}

// Of ten buyers with a coupon for one, one uses it. The others keep their carts, and buy without.
func TestOneCouponAndTenBuyers(t *testing.T) {
	m := open(t)
	k := m.coupon("ONCE", func(k *world.Coupon) { k.MaxUses = 1 })
	fronts := []*shop.Storefront{m.Storefront(m.store.ID, shop.Options{}), m.Storefront(m.store.ID, shop.Options{})}
	var carts []int64
	for i := range 10 {
		cart := m.begin(fronts[i%2])
		m.add(fronts[0], cart, m.mug, 1)
		m.apply(fronts[1], cart, "ONCE")
		carts = append(carts, cart)
	}
	errs := m.atOnce(10, func(i int) error {
		_, err := fronts[i%2].Buy(t.Context(), carts[i], shop.Purchase{Contact: ana})
		return err
	})
	if refused := m.refusals(errs, `coupon "ONCE" may be used 1 times and has been`); refused != 9 || m.used(k) != 1 {
		t.Errorf("%d were refused, and the coupon was used %d times", refused, m.used(k))
	}
	for i, err := range errs {
		if err == nil {
			continue
		}
		v, err := fronts[0].RemoveCoupon(t.Context(), carts[i], "ONCE")
		if err != nil || len(v.Lines) != 1 {
			t.Errorf("the cart of a buyer who was refused: %+v, %v", v, err)
		}
		m.buy(fronts[1], carts[i], shop.Purchase{Contact: ana})
	}
}

// Of two buyers of the last piece one has it, and of two purchases of one cart one is made.
func TestTheLastPiece(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	m.stocked(m.mug, 1)
	carts := []int64{m.begin(front), m.begin(front)}
	for _, cart := range carts {
		m.add(front, cart, m.mug, 1)
	}
	errs := m.atOnce(2, func(i int) error {
		_, err := front.Buy(t.Context(), carts[i], shop.Purchase{Contact: ana})
		return err
	})
	if refused := m.refusals(errs, "and there are 0"); refused != 1 || m.stock(m.mug) != 0 {
		t.Errorf("%d were refused, %d are left", refused, m.stock(m.mug))
	}
	cart := m.begin(front)
	m.add(front, cart, m.pot, 1)
	made := 0
	for _, err := range m.atOnce(8, func(int) error {
		_, err := front.Buy(t.Context(), cart, shop.Purchase{Contact: ana})
		return err
	}) {
		if err == nil {
			made++
		} else if !errors.Is(err, shop.ErrNoCart) {
			t.Error(err)
		}
	}
	if made != 1 {
		t.Errorf("the cart was bought %d times", made)
	}
}

// atOnce calls f n times at the same time.
func (m *market) atOnce(n int, f func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = f(i) })
	}
	all.Wait()
	return errs
}

// refusals counts the errors, which have to be refusals with the text.
func (m *market) refusals(errs []error, text string) (n int) {
	m.Helper()
	for _, err := range errs {
		if err == nil {
			continue
		}
		n++
		if !errors.Is(err, shop.ErrRefused) || !strings.Contains(err.Error(), text) {
			m.Errorf("got %v, want %s", err, text)
		}
	}
	return n
}
