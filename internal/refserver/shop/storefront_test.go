package shop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Carts are sent only for stores with registered promotions and an installed app, and
// only after a change.
func TestWhoIsAsked(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	if len(a.got) != 0 {
		t.Errorf("%d carts were sent without promotions", len(a.got))
	}
	line := a.promote("line_item")
	m.add(front, cart, m.mug, 1)
	if len(a.got) != 1 || a.got[0]["execution_tier"] != "line_item" {
		t.Errorf("got %v, want one cart in the tier line_item", a.got)
	}
	a.promote("cross_items")
	v := m.add(front, cart, m.pot, 1)
	if len(a.got) != 3 || a.got[1]["execution_tier"] != "line_item" || a.got[2]["execution_tier"] != "cross_items" {
		t.Errorf("got %v, want line_item before cross_items", a.got)
	}
	if _, err := front.SetQuantity(t.Context(), cart, v.Lines[0].ID, 2); err != nil || len(a.got) != 3 {
		t.Errorf("a change that changes nothing: %d carts, %v", len(a.got), err)
	}
	if _, err := front.View(cart); err != nil || len(a.got) != 3 {
		t.Errorf("a look at the cart: %d carts, %v", len(a.got), err)
	}
	m.begin(front)
	if len(a.got) != 3 {
		t.Errorf("an empty cart was sent")
	}
	a.send("DELETE /promotions/"+line, nil, 204)
	if m.add(front, cart, m.pot, 1); len(a.got) != 4 || a.got[3]["execution_tier"] != "cross_items" {
		t.Errorf("%d carts without promotions of the tier line_item", len(a.got))
	}
	store := m.store
	store.Languages = []world.Language{{Code: "en", Currency: "ARS", Active: true}, {Code: "pt", Currency: "BRL", Active: true}}
	m.update(func(tx *world.Tx) error { tx.SetStore(store); return nil })
	if m.add(front, cart, m.pot, 1); len(a.got) != 4 {
		t.Error("a cart of a store with several currencies was sent")
	}
}

func TestEveryChangeIsSent(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.promote("cross_items")
	m.update(func(tx *world.Tx) error {
		k := world.Coupon{ID: 5, Code: "TEN", Type: "percentage", Value: some("10"), Valid: true}
		return errors.Join(tx.Coupons.Put(k.ID, k), tx.Customers.Put(9, world.Customer{ID: 9, Name: "Ana"}))
	})
	cart := m.begin(front)
	line := m.add(front, cart, m.mug, 2).Lines[0].ID
	ctx := t.Context()
	for i, change := range []func() (shop.View, error){
		func() (shop.View, error) { return front.SetQuantity(ctx, cart, line, 3) },
		func() (shop.View, error) { return front.ApplyCoupon(ctx, cart, "ten") },
		func() (shop.View, error) {
			return front.SetDestination(ctx, cart, shop.Destination{Country: "AR", Cost: some("5.00").Decimal})
		},
		func() (shop.View, error) { return front.SetPayment(ctx, cart, shop.Payment{Method: "credit_card"}) },
		func() (shop.View, error) { return front.SetCustomer(ctx, cart, 9) },
		func() (shop.View, error) { return front.RemoveCoupon(ctx, cart, "TEN") },
		func() (shop.View, error) { return front.Remove(ctx, cart, line) },
	} {
		before := len(a.got)
		if _, err := change(); err != nil || len(a.got) != before+1 {
			t.Errorf("change %d: %d carts sent, %v", i, len(a.got)-before, err)
		}
		before = len(a.got)
		if _, err := change(); len(a.got) != before {
			t.Errorf("change %d again: a cart was sent, %v", i, err)
		}
	}
}

func TestImpossibleChanges(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.promote("line_item")
	m.update(func(tx *world.Tx) error {
		v := m.pot
		v.ID, v.ProductID, v.Price.Valid = 999, 99, false
		k := world.Coupon{ID: 5, Code: "OFF", Type: "percentage", Value: some("10")}
		return errors.Join(tx.Variants.Put(v.ID, v), tx.Coupons.Put(k.ID, k))
	})
	cart, ctx := m.begin(front), t.Context()
	line := m.add(front, cart, m.mug, 1).Lines[0].ID
	sent := len(a.got)
	view := func(_ shop.View, err error) error { return err }
	for want, err := range map[string]error{
		"there is no such cart: 1":         view(front.Add(ctx, 1, m.mug.ID, 1)),
		"there is no variant 1":            view(front.Add(ctx, cart, 1, 1)),
		"variant 999 has no price":         view(front.Add(ctx, cart, 999, 1)),
		"quantity 0: must be 1 to 1000000": view(front.Add(ctx, cart, m.mug.ID, 0)),
		"quantity 1000001: must be 1":      view(front.Add(ctx, cart, m.mug.ID, 1000000)),
		"quantity -1: must be 1":           view(front.SetQuantity(ctx, cart, line, -1)),
		"has no line 3":                    view(front.SetQuantity(ctx, cart, 3, 1)),
		"has no line 4":                    view(front.Remove(ctx, cart, 4)),
		`coupon "NONE" is not valid`:       view(front.ApplyCoupon(ctx, cart, "NONE")),
		`coupon "off" is not valid`:        view(front.ApplyCoupon(ctx, cart, "off")),
		`has no coupon "OFF"`:              view(front.RemoveCoupon(ctx, cart, "OFF")),
		"cost of shipping 1.001: must":     view(front.SetDestination(ctx, cart, shop.Destination{Cost: some("1.001").Decimal})),
		"-1 installments: must":            view(front.SetPayment(ctx, cart, shop.Payment{Installments: -1})),
		"there is no customer 77":          view(front.SetCustomer(ctx, cart, 77)),
		"shop: there is no customer 78":    view(front.NewCart(shop.Customer{ID: 78})),
		"shop: there is no such cart: 2":   view(front.View(2)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if v, err := front.View(cart); err != nil || len(v.Lines) != 1 || v.Lines[0].Quantity != 1 || len(a.got) != sent {
		t.Errorf("changes that are not possible left %+v, %v, and sent %d carts", v.Lines, err, len(a.got)-sent)
	}
}

// What somebody does to a view happens to nothing else.
func TestViewIsACopy(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	cart := m.begin(front)
	line := m.add(front, cart, m.mug, 1).Lines[0].ID
	m.update(func(tx *world.Tx) error {
		c, _ := tx.Carts.Get(cart)
		c.Lines = []world.Line{{
			ID: line, Quantity: 1, VariantValues: []string{"as it was"},
			Properties: map[string]json.RawMessage{"engraving": json.RawMessage(`"as it was"`)}, Claims: []world.Claim{{LocationID: "as it was"}},
		}}
		d := world.CartDiscount{Tier: world.CrossItems, Cart: world.Reduction{Text: map[string]string{"en": "as it was"}}}
		return errors.Join(tx.Carts.Put(cart, c), tx.KeepVisit(world.Visit{CartID: cart, Discounts: []world.CartDiscount{d}}))
	})
	shown := func() (shop.View, string) {
		v, err := front.View(cart)
		raw, wrong := json.Marshal(v)
		if err := errors.Join(err, wrong); err != nil || strings.Count(string(raw), "as it was") != 4 {
			t.Fatalf("got %s, %v", raw, err)
		}
		return v, string(raw)
	}
	v, before := shown()
	l := v.Lines[0]
	l.VariantValues[0], l.Claims[0].LocationID, v.Discounts[0].Text["en"] = "changed", "changed", "changed"
	copy(l.Properties["engraving"], `"changed`)
	if _, after := shown(); after != before {
		t.Errorf("it was %s and is %s", before, after)
	}
}

func TestDiscountPerProduct(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p := a.promote("line_item")
	a.always("line_item", offLines(p, specs("percentage", "33.33")))
	cart := m.begin(front)
	m.wantTotals(m.add(front, cart, m.mug, 3), "30.00", "10.00", "20.00") // 9.999 is 10.00
	v := m.add(front, cart, m.pot, 1)
	m.wantTotals(v, "63.33", "21.11", "42.22") // 33.33 × 33.33 % is 11.108889
	if len(v.Discounts) != 2 || v.Discounts[0].Amount.String() != "10" || v.Discounts[1].Line != v.Lines[1].ID || v.Lines[1].Off.String() != "11.11" {
		t.Errorf("discounts %+v", v.Discounts)
	}
	applied := a.got[len(a.got)-1]["promotions"].(array)
	if len(applied) != 1 || applied[0].(object)["id"] != p || len(applied[0].(object)["line_items"].(array)) != 1 {
		t.Errorf("promotions of the payload: %v, want the one on the first line", applied)
	}
	shown := a.send(fmt.Sprintf("GET /carts/%d/discounts", cart), nil, 200)["data"].(array)
	if len(shown) != 1 || shown[0].(object)["promotion_id"] != p || len(shown[0].(object)["line_items"].(array)) != 2 {
		t.Errorf("discounts of the API: %v", shown)
	}
	left := v.Lines[1].ID
	if v, err := front.Remove(t.Context(), cart, v.Lines[0].ID); err != nil || len(v.Discounts) != 1 {
		t.Errorf("a line that is gone has discounts: %+v, %v", v.Discounts, err)
	}
	applied = a.got[len(a.got)-1]["promotions"].(array)
	if lines := applied[0].(object)["line_items"].(array); len(lines) != 1 || lines[0] != fmt.Sprint(left) {
		t.Errorf("promotions of the payload are on the lines %v, want %d", lines, left)
	}
}

// An amount is for the whole line, and nothing costs less than nothing.
func TestFixedAmounts(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	line, cross := a.promote("line_item"), a.promote("cross_items")
	amount := "7.50"
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return http.StatusOK, offLines(line, specs("fixed", amount))(cart)
		}
		return http.StatusOK, offCart(cross, specs("fixed", amount))(cart)
	}
	cart := m.begin(front)
	m.wantTotals(m.add(front, cart, m.mug, 2), "20.00", "15.00", "5.00")
	amount = "12.00"
	v := m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "30.00", "24.00", "6.00")
	amount = "16.00"
	v = m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "40.00", "32.00", "8.00")
	amount = "100.00"
	v = m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "50.00", "50.00", "0.00")
	if got := v.Discounts[1].Amount.String(); got != "0" {
		t.Errorf("the cart had nothing left, and %s was taken off", got)
	}
}

// Percentages over the cart are of what is left by the discounts per product.
func TestTiersFollowOneAnother(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a, b := m.app(), m.app()
	line, cross, other := a.promote("line_item"), a.promote("cross_items"), b.promote("cross_items")
	a.answer = func(cart object) (int, []object) {
		if cart["execution_tier"] == "line_item" {
			return http.StatusOK, offLines(line, specs("percentage", "50.00"))(cart)
		}
		return http.StatusOK, offCart(cross, specs("percentage", "10.00"))(cart)
	}
	b.always("cross_items", offCart(other, specs("percentage", "20.00")))
	cart := m.begin(front)
	m.wantTotals(m.add(front, cart, m.mug, 10), "100.00", "65.00", "35.00") // 50, and 10 % and 20 % of the 50 left
	totals := a.got[1]["totals"].(object)
	if totals["subtotal"] != "100.00" || totals["total_discount"] != "50.00" || totals["total"] != "50.00" {
		t.Errorf("totals of the second tier: %v", totals)
	}
	if n := len(b.got[0]["promotions"].(array)); n != 2 {
		t.Errorf("%d promotions of others in the payload, want 2", n)
	}
}

func TestKeepingAndRemoving(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p, q := a.promote("line_item"), a.promote("line_item")
	a.always("line_item", func(cart object) []object {
		return append(offLines(p, specs("fixed", "1.00"))(cart), offLines(q, specs("fixed", "2.00"))(cart)...)
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.wantTotals(m.add(front, cart, m.pot, 1), "43.33", "6.00", "37.33")

	a.answer = nil // 204
	v := m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "53.33", "6.00", "47.33")
	if r := m.last(front); r.Outcome != shop.Kept || r.Status != 204 || r.Reason != "" {
		t.Errorf("204: %+v", r)
	}
	a.always("line_item", func(object) []object { return nil })
	m.wantTotals(m.add(front, cart, m.mug, 1), "63.33", "6.00", "57.33")

	first := fmt.Sprint(v.Lines[0].ID)
	a.always("line_item", func(object) []object {
		return []object{{"command": "remove_discount", "specs": object{"scope": "line_item", "promotion_id": p, "line_items": array{first}}}}
	})
	m.wantTotals(m.add(front, cart, m.mug, 1), "73.33", "5.00", "68.33")
	a.always("line_item", func(object) []object {
		return []object{{"command": "remove_discount", "specs": object{"scope": "cart", "promotion_ids": array{p, q}}}}
	})
	v = m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "83.33", "0.00", "83.33")
	if len(v.Discounts) != 0 {
		t.Errorf("discounts %+v", v.Discounts)
	}
}
