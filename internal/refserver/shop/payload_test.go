package shop_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// furnished is a cart with everything in it.
func furnished(m *market, front *shop.Storefront) int64 {
	m.Helper()
	m.update(func(tx *world.Tx) error {
		if err := tx.Coupons.Put(5, world.Coupon{ID: 5, Code: "TEN", Type: "percentage", Value: some("10"), Valid: true}); err != nil {
			return err
		}
		v := m.pot
		v.PromotionalPrice, v.Values = some("30"), []map[string]string{{"en": "Red"}}
		return tx.Variants.Put(v.ID, v)
	})
	ana := world.Customer{ID: 9, Name: "Ana"}
	m.update(func(tx *world.Tx) error { return tx.Customers.Put(ana.ID, ana) })
	v, err := front.NewCart(shop.Customer{ID: ana.ID, SoldBy: "31", UTM: []world.UTM{{Source: "mail", Campaign: "may", Timestamp: 1735732800}}})
	if err != nil {
		m.Fatal(err)
	}
	m.add(front, v.ID, m.mug, 2)
	m.add(front, v.ID, m.pot, 1)
	for _, change := range []func() (shop.View, error){
		func() (shop.View, error) {
			return front.SetDestination(m.Context(), v.ID, shop.Destination{Country: "AR", City: "Rosario", Zipcode: "2000", Cost: some("12.5").Decimal})
		},
		func() (shop.View, error) {
			return front.SetPayment(m.Context(), v.ID, shop.Payment{Method: "credit_card", CreditCardCompany: "visa", Installments: 3})
		},
		func() (shop.View, error) { return front.ApplyCoupon(m.Context(), v.ID, "TEN") },
	} {
		if _, err := change(); err != nil {
			m.Fatal(err)
		}
	}
	return v.ID
}

// wantPayload compares a body with the documentation's, where <...> stands for ids.
func wantPayload(t *testing.T, body []byte, want string, ids ...any) {
	t.Helper()
	var got, documented any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(fmt.Appendf(nil, want, ids...), &documented); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, documented) {
		t.Errorf("got %s,\nwant %s", body, fmt.Sprintf(want, ids...))
	}
}

func TestPayload(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	cart := furnished(m, front)
	a := m.app()
	p := a.promote("line_item")
	a.always("line_item", offLines(p, specs("fixed", "1.00")))
	v := m.add(front, cart, m.pot, 1)
	m.add(front, cart, m.pot, 1)
	const mug = `{"id":%[3]d,"price":"10.00","compare_at_price":"10.00","product_id":11,"quantity":2,"free_shipping":false,"variant_id":110,"variant_values":[],
		"categories":[{"id":2,"parent":1,"subcategories":[]}],"properties":{},"catalog_kit_id":null,"order_kit_id":null,"kit_quantity":null,"quantity_per_kit":null}`
	const pot = `{"id":%[4]d,"price":"30.00","compare_at_price":"33.33","product_id":12,"quantity":3,"free_shipping":false,"variant_id":120,"variant_values":["Red"],
		"categories":[{"id":2,"parent":1,"subcategories":[]}],"properties":{},"catalog_kit_id":null,"order_kit_id":null,"kit_quantity":null,"quantity_per_kit":null}`
	wantPayload(t, m.last(front).Request, `{
		"cart_id":"%[1]d","store_id":"1001","execution_tier":"line_item","customer":{"id":"9"},"currency":"ARS","language":"en",
		"shipping":{"country":"AR","city":"Rosario","postalcode":"2000","cost":"12.50"},"package":{"weight":"1.250"},
		"payment":{"credit_card_company":"visa","method":"credit_card","installments":3},
		"products":[`+mug+`,`+pot+`],
		"totals":{"subtotal":"110.00","total_discount":"13.00","total":"109.50"},
		"promotions":[{"id":"%[2]s","line_items":["%[3]d","%[4]d"]}],"coupons":["TEN"],
		"utm":[{"utm_source":"mail","utm_medium":null,"utm_campaign":"may","utm_term":null,"utm_content":null,"timestamp":1735732800}],
		"sold_by":"31"}`, cart, p, v.Lines[0].ID, v.Lines[1].ID)
}

// What is not known is null, no shipping costs 0.0, and lists are never null.
func TestPayloadOfBareCart(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	a.promote("cross_items")
	cart := m.begin(front)
	v := m.add(front, cart, m.mug, 1)
	if _, err := front.Remove(t.Context(), cart, v.Lines[0].ID); err != nil {
		t.Fatal(err)
	}
	const bare = `{"cart_id":"%d","store_id":"1001","execution_tier":"cross_items","customer":{"id":null},"currency":"ARS","language":"en",
		"shipping":{"country":null,"city":null,"postalcode":null,"cost":"0.0"},"package":{"weight":"0.000"},
		"payment":{"credit_card_company":null,"method":null,"installments":1},"products":[],
		"totals":{"subtotal":"0.00","total_discount":"0.00","total":"0.00"},"promotions":[],"coupons":[],"utm":[],"sold_by":null}`
	wantPayload(t, m.last(front).Request, bare, cart)

	loose := m.Storefront(m.store.ID, shop.Options{LooseForms: true})
	cart = m.begin(loose)
	v = m.add(loose, cart, m.mug, 1)
	if body := string(m.last(loose).Request); !strings.Contains(body, `"properties":[]`) {
		t.Errorf("got %s", body)
	}
	if _, err := loose.Remove(t.Context(), cart, v.Lines[0].ID); err != nil {
		t.Fatal(err)
	}
	wantPayload(t, m.last(loose).Request,
		strings.NewReplacer(`"installments":1`, `"installments":"1"`, `"promotions":[]`, `"promotions":{}`).Replace(bare), cart)
}

// A kit is its components, each at its price less the discount of the kit.
func TestKits(t *testing.T) {
	m := open(t)
	front := m.Storefront(m.store.ID, shop.Options{})
	a := m.app()
	p := a.promote("line_item")
	m.update(func(tx *world.Tx) error {
		article(tx, 13, "1.00")
		k := world.Kit{ID: 13, DiscountPercent: some("10"), Components: []world.Component{{ProductID: 11, Quantity: 2}, {ProductID: 12, Quantity: 1}}}
		return tx.Kits.Put(k.ID, k)
	})
	cart := m.begin(front)
	m.add(front, cart, m.mug, 1)
	set := world.Variant{ID: 130}
	v := m.add(front, cart, set, 2)
	m.wantTotals(v, "106.00", "0.00", "106.00") // 10 + 4 × 9.00 + 2 × 30.00: 33.33 less 10 % is 29.997
	products := a.got[1]["products"].(array)
	part := products[1].(object)
	want := object{"catalog_kit_id": 13.0, "kit_quantity": 2.0, "quantity_per_kit": 2.0, "quantity": 4.0, "price": "9.00", "compare_at_price": "10.00"}
	for member, w := range want {
		if part[member] != w {
			t.Errorf("%s is %v, want %v", member, part[member], w)
		}
	}
	if order := part["order_kit_id"]; order == nil || products[2].(object)["order_kit_id"] != order || products[0].(object)["order_kit_id"] != nil {
		t.Errorf("order_kit_id of %v", products)
	}
	v = m.add(front, cart, set, 1)
	if len(v.Lines) != 3 || v.Lines[1].Quantity != 6 || v.Lines[2].Quantity != 3 || v.Lines[2].Kit.Quantity != 3 {
		t.Errorf("three kits: %+v", v.Lines)
	}
	v, err := front.SetQuantity(t.Context(), cart, v.Lines[2].ID, 1)
	if err != nil || v.Lines[0].Quantity != 1 || v.Lines[1].Quantity != 2 || v.Lines[2].Quantity != 1 {
		t.Errorf("one kit: %+v, %v", v.Lines, err)
	}
	for _, change := range []func() (shop.View, error){
		func() (shop.View, error) { return front.SetQuantity(t.Context(), cart, v.Lines[1].ID, 500_001) },
		func() (shop.View, error) { return front.SetQuantity(t.Context(), cart, v.Lines[1].ID, 1<<62+1) },
		func() (shop.View, error) { return front.Add(t.Context(), m.begin(front), set.ID, 1_000_000) },
	} {
		if _, err := change(); err == nil || !strings.Contains(err.Error(), ": must be 1 to 1000000") {
			t.Errorf("more than a million pieces: %v", err)
		}
	}
	a.always("line_item", offLines(p, specs("fixed", "1.00")))
	m.wantTotals(m.add(front, cart, m.mug, 1), "68.00", "3.00", "65.00")
	if v, err = front.Remove(t.Context(), cart, v.Lines[1].ID); err != nil || len(v.Lines) != 1 {
		t.Errorf("without a component: %+v, %v", v.Lines, err)
	}
	m.update(func(tx *world.Tx) error {
		k, _ := tx.Kits.Get(13)
		k.InvalidAt = tx.Now()
		return tx.Kits.Put(k.ID, k)
	})
	if _, err := front.Add(t.Context(), cart, 130, 1); err == nil || !strings.Contains(err.Error(), "kit 13 is not valid") {
		t.Errorf("a kit that is not valid: %v", err)
	}
}
