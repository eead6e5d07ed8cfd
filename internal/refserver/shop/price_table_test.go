package shop_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// A customer pays the prices of a table once approved, while the cart is as large as the table requires.
func TestPriceTableOfCustomer(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.promote("line_item")
	items := int64(3)
	table := world.PriceTable{ID: 4, Active: true, DefaultDiscount: some("10").Decimal, MinimumQuantity: &items}
	tied := world.PriceTableCustomer{TableID: 4, CustomerID: 501}
	m.update(func(tx *world.Tx) error {
		for _, id := range []int64{501, 502} {
			if err := tx.Customers.Put(id, world.Customer{ID: id}); err != nil {
				return err
			}
		}
		article(tx, 13, "1.00")
		k := world.Kit{ID: 13, DiscountPercent: some("50"), Components: []world.Component{{ProductID: 12, Quantity: 1}}}
		fixed := world.PriceTableVariant{ID: 1, TableID: 4, ProductID: 12, VariantID: m.pot.ID, Price: some("20.00")}
		_, _ = tx.Kits.Put(k.ID, k), tx.PriceTableVariants.Put(1, fixed)
		_, _ = tx.PriceTables.Put(4, table), tx.PriceTableCustomers.Put(501, tied)
		return nil
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	m.add(front, cart, m.pot, 1)
	v := m.add(front, cart, m.mug, 1)
	m.wantTotals(v, "53.33", "0.00", "53.33")
	log := func(customer int64) shop.View {
		t.Helper()
		v, err := front.SetCustomer(t.Context(), cart, customer)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	m.wantTotals(log(501), "53.33", "0.00", "53.33") // not approved
	tied.ApprovedAt = m.clock.Now()
	m.update(func(tx *world.Tx) error { return tx.PriceTableCustomers.Put(501, tied) })
	v, err := front.View(cart)
	if err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "38.00", "0.00", "38.00") // 2 × 9.00 + 20.00
	m.wantTotals(log(502), "53.33", "0.00", "53.33")
	m.wantTotals(log(501), "38.00", "0.00", "38.00")
	if got := a.got[len(a.got)-1]["totals"].(object)["subtotal"]; got != "38.00" {
		t.Errorf("apps are sent a subtotal of %v, want 38.00", got)
	}
	m.wantTotals(m.add(front, cart, world.Variant{ID: 130}, 1), "54.67", "0.00", "54.67") // a kit of 16.67 stays what it is

	// Without the mugs the cart is not large enough.
	if v, err = front.Remove(t.Context(), cart, v.Lines[0].ID); err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "50.00", "0.00", "50.00") // 33.33 and the kit
	m.wantTotals(m.add(front, cart, m.mug, 1), "45.67", "0.00", "45.67")
	table.Active = false
	m.update(func(tx *world.Tx) error { return tx.PriceTables.Put(4, table) })
	if v, err = front.View(cart); err != nil {
		t.Fatal(err)
	}
	m.wantTotals(v, "60.00", "0.00", "60.00")
}
